import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimitConfig } from '../config/config.js';
import { declarationOf } from '../endpoint/request-context.js';
import { OpenBankingError } from '../open-banking/errors.js';
import { RateLimit, rateLimitItem } from './rate-limit.js';

/**
 * How fast each TPP may ask, in this process. It runs once the TPP is known and before anything is read or parsed, so that
 * a refusal costs next to nothing. States the limits in the headers of the IETF draft "RateLimit header fields for HTTP".
 */
export class RateLimitCheck {
  /** Value of `RateLimit-Policy`; `undefined` where nothing is limited. */
  readonly policy: string | undefined;
  private readonly requests: RateLimit | undefined;
  private readonly consents: RateLimit | undefined;

  /** @param further items of `RateLimit-Policy` that another check enforces */
  constructor({ requests, consents }: RateLimitConfig, further: readonly string[] = []) {
    this.requests = requests && new RateLimit('requests', requests);
    this.consents = consents && new RateLimit('consents', consents);
    const policies = [...[this.requests, this.consents].flatMap((limit) => limit?.policy ?? []), ...further];
    this.policy = policies.length > 0 ? policies.join(', ') : undefined;
  }

  readonly check = (request: FastifyRequest, reply: FastifyReply): void => {
    const tppId = request.token?.clientId;
    if (tppId === undefined) return;
    const stated: string[] = [];
    for (const limit of [this.requests, createsConsent(request) ? this.consents : undefined]) {
      if (limit === undefined) continue;
      const state = limit.take(tppId);
      stated.push(rateLimitItem(limit.name, state));
      void reply.header('ratelimit', stated.join(', '));
      if (!state.admitted) throw tooFast(limit, state.retryAfterSeconds);
    }
  };
}

function createsConsent(request: FastifyRequest): boolean {
  return request.method === 'POST' && declarationOf(request)?.kind === 'consents';
}

function tooFast({ name, policy }: RateLimit, retryAfterSeconds: number): OpenBankingError {
  const what = name === 'consents' ? 'creates consents' : 'asks';
  return new OpenBankingError(
    'too-many-requests',
    {
      message:
        `The TPP ${what} faster than the bank's published limit (${policy}). Nothing was changed; ` +
        `retry after ${retryAfterSeconds} s. GET /.well-known/account-information lists the limits.`,
    },
    { headers: { 'retry-after': String(retryAfterSeconds) } },
  );
}
