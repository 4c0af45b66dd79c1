import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BankClock } from '../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { LiveConsentCheck } from '../consents/live-consent.check.js';
import type { EndpointRule } from '../endpoint/endpoint-rule.js';
import { declarationOf } from '../endpoint/route-declaration.js';
import { formatDateTime } from '../open-banking/date-times.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { isOfOneRequest } from '../open-banking/page-cursor.js';
import type { RequestCheck } from '../request/checks.js';
import { isAttended } from '../request/customer-presence.js';
import type { Grant } from '../request/request-context.js';
import { rateLimitItem } from '../security/rate-limit.js';
import { UnattendedAccess } from './unattended-access.js';
import { isJustAuthenticated } from './unattended-access.policy.js';

/**
 * The last check before the core's: how often the TPP read this resource without the customer
 * (UK-RTS, article 36(5)). Later pages count with the first one for a
 * quarter of an hour; reads right after an authentication do not count.
 */
@Injectable()
export class UnattendedAccessCheck implements RequestCheck {
  readonly name = 'unattended access';

  constructor(
    private readonly access: UnattendedAccess,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'authenticationWindowMs'>,
    private readonly clock: BankClock,
    private readonly consents: LiveConsentCheck,
  ) {}

  async check(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const declaration = declarationOf(request);
    if (declaration?.kind !== 'resource') return;
    const grant = request.context.granted();
    if (!this.counts(request, grant)) return;
    const { reads, settings } = this.access;
    // Where it fails, the database has just gone away, for the consent was read: the counts of this process decide.
    const counted = reads.refresh(grant.consentId, this.clock.nowMs())?.catch(() => undefined);
    // In mode `observe` no request waits for the database.
    if (settings.mode === 'enforce') await counted;
    await this.judge(declaration.form.rule, request, reply);
  }

  private counts(request: FastifyRequest, { lastAuthenticatedAtMs }: Grant): boolean {
    if (isAttended(request.headers)) return false;
    const nowMs = this.clock.nowMs();
    const page = request.context.filter?.page;
    if (page !== undefined && isOfOneRequest(page, nowMs)) return false;
    return !isJustAuthenticated(lastAuthenticatedAtMs, nowMs, this.config.authenticationWindowMs);
  }

  private async judge(rule: EndpointRule, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { reads, settings } = this.access;
    const { context } = request;
    const nowMs = this.clock.nowMs();
    const resource = `${context.account?.accountId ?? ''} ${rule.name}`;
    const { beyondUntilMs, remaining, end } = reads.count(context.granted().consentId, resource, nowMs);
    const refused = beyondUntilMs !== undefined && settings.mode === 'enforce';
    if (refused && !(await this.consents.judge(context, (grant) => this.counts(request, grant) || undefined))) return;
    context.unattended = { outcome: refused ? 'refused' : beyondUntilMs === undefined ? 'within' : 'beyond', end };
    if (settings.mode === 'enforce') state(reply, remaining, ((beyondUntilMs ?? nowMs) - nowMs) / 1_000);
    if (!refused) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((beyondUntilMs - nowMs) / 1_000));
    context.saw = { limit: settings.limit, retryAfterS: retryAfterSeconds };
    throw tooOften(rule, settings.limit, beyondUntilMs, retryAfterSeconds);
  }
}

function state(reply: FastifyReply, remaining: number, inSeconds: number): void {
  const item = rateLimitItem('unattended', { remaining, fullInSeconds: Math.ceil(inSeconds) });
  void reply.header('ratelimit', [reply.getHeader('ratelimit') ?? [], item].flat().join(', '));
}

function tooOften({ name }: EndpointRule, limit: number, allowedAtMs: number, seconds: number): OpenBankingError {
  return new OpenBankingError(
    'too-many-requests',
    {
      message:
        `Without the customer, /${name} of this account may be read ${limit} times in 24 hours under one consent, and was. ` +
        `The next such read is possible at ${formatDateTime(new Date(allowedAtMs))}. While the customer is present, send ` +
        'x-fapi-customer-ip-address.',
      path: 'x-fapi-customer-ip-address',
    },
    { headers: { 'retry-after': String(seconds) }, reason: 'unattended-limit' },
  );
}
