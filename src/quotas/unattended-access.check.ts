import { Inject, Injectable, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BankClock } from '../clock/clock.js';
import { LiveConsentCheck } from '../consents/live-consent.check.js';
import type { EndpointRule } from '../endpoint/endpoint-rule.js';
import { unavailable } from '../open-banking/common-errors.js';
import { formatDateTime } from '../open-banking/date-times.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { isOfOneRequest } from '../open-banking/page-cursor.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import type { RequestCheck } from '../request/checks.js';
import { isAttended } from '../request/request-context.js';
import type { Grant } from '../request/request-context.js';
import { rateLimitItem } from '../security/rate-limit.js';
import { LimitCounts, type CountedAct, type LimitOutcome } from './limit-counts.store.js';
import { isJustAuthenticated, nextAllowedAtMs, periodMs } from './unattended-access.policy.js';

/**
 * The last check before the core's: how often the TPP read this resource without the customer
 * (UK-RTS, article 36(5)). Later pages count with the first one for a
 * quarter of an hour; reads right after an authentication do not count.
 */
@Injectable()
export class UnattendedAccessCheck implements RequestCheck {
  readonly name = 'unattended access';
  private readonly logger = new Logger(UnattendedAccessCheck.name);

  constructor(
    private readonly limitCounts: LimitCounts,
    @Inject(PROFILE) private readonly profile: Pick<Profile, 'rules'>,
    private readonly clock: BankClock,
    private readonly consents: LiveConsentCheck,
  ) {}

  check(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    const { declaration } = request;
    if (declaration?.kind !== 'resource' || !this.counts(request, request.context.granted())) return undefined;
    return this.count(declaration.form.rule, request, reply);
  }

  private async count(rule: EndpointRule, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { context } = request;
    const { mode, limit } = this.profile.rules.unattendedAccess;
    const nowMs = this.clock.nowMs();
    const read = { subject: context.granted().consentId, part: `${context.account?.accountId ?? ''} ${rule.name}` };
    const result = await this.take(read, nowMs);
    if (result === undefined) return;
    const { admitted, atMs } = result;
    if (admitted || mode === 'observe') {
      const end = (answered: boolean): void => {
        if (admitted && !answered) this.giveBack(read, nowMs);
      };
      context.unattended = { outcome: admitted ? 'within' : 'beyond', end };
      if (mode === 'enforce') state(reply, limit - atMs.length, 0);
      return;
    }
    // The customer may have authenticated at another process a moment ago: then the read does not count.
    if (!(await this.consents.findRefusal(context, (grant) => this.counts(request, grant) || undefined))) return;
    const allowedAtMs = nextAllowedAtMs(atMs, limit, nowMs);
    const retryAfterSeconds = Math.max(1, Math.ceil((allowedAtMs - nowMs) / 1_000));
    context.unattended = { outcome: 'refused', end: () => undefined };
    context.facts = { limit, retryAfterS: retryAfterSeconds };
    state(reply, 0, retryAfterSeconds);
    throw tooOften(rule, limit, allowedAtMs, retryAfterSeconds);
  }

  private counts(request: FastifyRequest, { lastAuthenticatedAtMs }: Grant): boolean {
    if (isAttended(request.headers)) return false;
    const nowMs = this.clock.nowMs();
    const page = request.context.filter?.page;
    if (page !== undefined && isOfOneRequest(page, nowMs)) return false;
    const windowMs = this.profile.rules.authenticationWindowSeconds * 1_000;
    return !isJustAuthenticated(lastAuthenticatedAtMs, nowMs, windowMs);
  }

  /** `undefined` where the database cannot count, and the bank only observes. */
  private async take(read: CountedAct, nowMs: number): Promise<LimitOutcome | undefined> {
    const { mode, limit } = this.profile.rules.unattendedAccess;
    try {
      return await this.limitCounts.take(read, { most: limit, windowMs: periodMs }, nowMs);
    } catch (error) {
      if (mode === 'enforce') throw unavailable(error);
      this.logger.error('a read without the customer could not be counted; the gateway answers it', error);
      return undefined;
    }
  }

  /** No answer waits for it: until it is written, the read counts. */
  private giveBack(read: CountedAct, atMs: number): void {
    this.limitCounts
      .giveBack(read, atMs)
      .catch((error: unknown) => this.logger.error('a read that was not answered still counts as unattended', error));
  }
}

function state(reply: FastifyReply, remaining: number, fullInSeconds: number): void {
  const item = rateLimitItem('unattended', { remaining, fullInSeconds });
  void reply.header('ratelimit', [reply.getHeader('ratelimit') ?? [], item].flat().join(', '));
}

function tooOften({ name }: EndpointRule, limit: number, allowedAtMs: number, seconds: number): OpenBankingError {
  return new OpenBankingError(
    'too-many-requests',
    {
      message:
        `Without the customer, /${name} of this account may be read ${limit} times in 24 hours under one consent, and the TPP has used them all. ` +
        `The next such read is possible at ${formatDateTime(new Date(allowedAtMs))}. While the customer is present, send ` +
        'x-fapi-customer-ip-address.',
      path: 'x-fapi-customer-ip-address',
    },
    { headers: { 'retry-after': String(seconds) }, reason: 'unattended-limit' },
  );
}
