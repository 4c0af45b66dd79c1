import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config/config.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { PROFILE, type Profile } from '../profiles/profile.js';
import type { RequestCheck } from '../request/checks.js';
import { RateLimit, rateLimitItem } from '../security/rate-limit.js';
import { unattendedPolicy } from './unattended-access.policy.js';

/**
 * The rate of each TPP's requests, in this process. The check runs as soon as the TPP is known, before the gateway reads or
 * parses the rest, so that a refusal costs almost nothing. States the limits in the headers of the IETF draft "RateLimit
 * header fields for HTTP".
 */
@Injectable()
export class RateLimitCheck implements RequestCheck {
  readonly name = 'rate limit';
  /** Value of `RateLimit-Policy`; `undefined` where nothing is limited. */
  readonly policy: string | undefined;
  private readonly requests: RateLimit | undefined;
  private readonly consents: RateLimit | undefined;

  constructor(
    @Inject(GATEWAY_CONFIG) config: Pick<GatewayConfig, 'rateLimits'>,
    @Inject(PROFILE) { rules }: Pick<Profile, 'rules'>,
  ) {
    const { requests, consents } = config.rateLimits;
    // Another check enforces these.
    const further = unattendedPolicy(rules.unattendedAccess);
    this.requests = requests && new RateLimit('requests', requests);
    this.consents = consents && new RateLimit('consents', consents);
    const policies = [...[this.requests, this.consents].flatMap((limit) => limit?.policy ?? []), ...further];
    this.policy = policies.length > 0 ? policies.join(', ') : undefined;
  }

  /** Each limit, with the used share of a TPP by the key of its id. */
  usedShares(): readonly { quota: string; usedBy: (tppKey: string) => number }[] {
    return [this.requests, this.consents].flatMap((limit) =>
      limit === undefined ? [] : [{ quota: limit.name, usedBy: (tppKey) => limit.usedBy(tppKey) }],
    );
  }

  check(request: FastifyRequest, reply: FastifyReply): void {
    const { tpp } = request.context.verifiedToken();
    const stated: string[] = [];
    for (const limit of [this.requests, createsConsent(request) ? this.consents : undefined]) {
      if (limit === undefined) continue;
      const state = limit.take(tpp.key);
      stated.push(rateLimitItem(limit.name, state));
      void reply.header('ratelimit', stated.join(', '));
      if (state.admitted) continue;
      request.context.facts = { limit: limit.rate.perSecond, retryAfterS: state.retryAfterSeconds };
      throw tooFast(limit, state.retryAfterSeconds);
    }
  }
}

function createsConsent(request: FastifyRequest): boolean {
  return request.method === 'POST' && request.declaration?.kind === 'consents';
}

function tooFast({ name, policy }: RateLimit, retryAfterSeconds: number): OpenBankingError {
  const what = name === 'consents' ? 'creates consents' : 'sends requests';
  return new OpenBankingError(
    'too-many-requests',
    {
      message:
        `The TPP ${what} faster than the bank's published limit (${policy}). Nothing was changed; ` +
        `retry after ${retryAfterSeconds} s. GET /.well-known/account-information lists the limits.`,
    },
    { headers: { 'retry-after': String(retryAfterSeconds) }, reason: 'rate-limit' },
  );
}
