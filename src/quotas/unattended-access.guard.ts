import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BankClock } from '../clock/clock.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { declarationOf, granted, judgeGrant, type Grant } from '../endpoint/request-context.js';
import type { EndpointRule } from '../endpoint/endpoint-rule.js';
import { formatDateTime } from '../open-banking/date-times.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { rateLimitItem } from './rate-limit.js';
import { UnattendedAccess } from './unattended-access.js';
import { isAttended, isJustAuthenticated } from './unattended-access.policy.js';

/**
 * The last check of a request for account information: how often the TPP read this resource without the customer
 * (UK-RTS, article 36(5)). Later pages of an answer do not count, nor do reads right after an authentication.
 */
@Injectable()
export class UnattendedAccessGuard implements CanActivate {
  constructor(
    private readonly access: UnattendedAccess,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'authenticationWindowMs'>,
    private readonly clock: BankClock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const declaration = declarationOf(request);
    if (declaration?.kind !== 'resource' || !this.counts(request, granted(request))) return true;
    const reply = http.getResponse<FastifyReply>();
    const { reads, settings } = this.access;
    // Where it fails, the database has just gone away, for the consent was read: what this process knows decides.
    const counted = reads.refresh(granted(request).consentId, this.clock.nowMs())?.catch(() => undefined);
    // In mode `observe` no request waits for the database.
    if (settings.mode === 'enforce') await counted;
    return this.judge(declaration.form.rule, request, reply);
  }

  private counts(request: FastifyRequest, { lastAuthenticatedAtMs }: Grant): boolean {
    if (isAttended(request.headers)) return false;
    if (request.filter?.page !== undefined) return false;
    return !isJustAuthenticated(lastAuthenticatedAtMs, this.clock.nowMs(), this.config.authenticationWindowMs);
  }

  private async judge(rule: EndpointRule, request: FastifyRequest, reply: FastifyReply): Promise<true> {
    const { reads, settings } = this.access;
    const nowMs = this.clock.nowMs();
    const resource = `${request.account?.accountId ?? ''} ${rule.name}`;
    const { beyondUntilMs, remaining, end } = reads.count(granted(request).consentId, resource, nowMs);
    const refused = beyondUntilMs !== undefined && settings.mode === 'enforce';
    if (refused && !(await judgeGrant(request, (grant) => this.counts(request, grant) || undefined))) return true;
    request.unattended = { outcome: refused ? 'refused' : beyondUntilMs === undefined ? 'within' : 'beyond', end };
    if (settings.mode === 'enforce') state(reply, remaining, ((beyondUntilMs ?? nowMs) - nowMs) / 1_000);
    if (refused) throw tooOften(rule, settings.limit, beyondUntilMs, nowMs);
    return true;
  }
}

function state(reply: FastifyReply, remaining: number, inSeconds: number): void {
  const item = rateLimitItem('unattended', { remaining, fullInSeconds: Math.ceil(inSeconds) });
  void reply.header('ratelimit', [reply.getHeader('ratelimit') ?? [], item].flat().join(', '));
}

function tooOften({ name }: EndpointRule, limit: number, allowedAtMs: number, nowMs: number): OpenBankingError {
  const seconds = Math.max(1, Math.ceil((allowedAtMs - nowMs) / 1_000));
  return new OpenBankingError(
    'too-many-requests',
    {
      message:
        `Without the customer, /${name} of this account may be read ${limit} times in 24 hours under one consent, and was. ` +
        `The next such read is possible at ${formatDateTime(new Date(allowedAtMs))}. While the customer is present, send ` +
        'x-fapi-customer-ip-address.',
      path: 'x-fapi-customer-ip-address',
    },
    { headers: { 'retry-after': String(seconds) } },
  );
}
