import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { failureRate } from '../../config/rate-limits.js';
import { OpenBankingError } from '../../open-banking/errors.js';
import { RateLimit } from '../rate-limit.js';
import { TppSources } from '../tpp-sources.js';

/** Limits the queries to issuers about the token of one request. */
export interface IssuerQueryLimit {
  /** Call this before the gateway asks an issuer. @throws OpenBankingError where too many queries of the sender failed */
  enter(): void;
  /** Call this after the issuer said that the token is valid. */
  succeeded(): void;
}

/**
 * Limits, for each certificate or address, the queries to issuers that find no valid token: a stranger can invent any number
 * of tokens. A query counts from its beginning until it succeeds.
 */
@Injectable()
export class FailedIssuerQueries {
  private readonly failures = new RateLimit('tokens', failureRate);

  constructor(private readonly sources: TppSources) {}

  limitFor(request: IncomingMessage): IssuerQueryLimit {
    return {
      enter: () => {
        const { subject, name } = this.sources.sourceOf(request);
        const { admitted, retryAfterSeconds } = this.failures.take(subject);
        if (!admitted) throw tooMany(name, retryAfterSeconds);
      },
      succeeded: () => this.failures.giveBack(this.sources.sourceOf(request).subject),
    };
  }
}

function tooMany(name: string, seconds: number): OpenBankingError {
  return new OpenBankingError(
    'too-many-requests',
    {
      message:
        `Too many tokens from this ${name} were not valid or could not be checked. Tokens that the gateway has checked ` +
        `already are still accepted; send this one again in ${seconds} s.`,
    },
    { headers: { 'retry-after': String(seconds) }, reason: 'credential-guesses' },
  );
}
