import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { failureRate } from '../../config/rate-limits.js';
import { OpenBankingError } from '../../open-banking/errors.js';
import { RateLimit } from '../rate-limit.js';
import { TppSources } from '../tpp-sources.js';

/** For the questions about the token of one request. */
export interface QuestionLimit {
  /** Before a question. @throws OpenBankingError where too many of the sender's questions were in vain */
  enter(): void;
  /** After a question that found a valid token. */
  succeeded(): void;
}

/**
 * Limits the questions to issuers that one certificate or address causes in vain: a stranger can invent any number of
 * tokens. A question that is under way counts until it succeeds.
 */
@Injectable()
export class VainQuestions {
  private readonly failures = new RateLimit('tokens', failureRate);

  constructor(private readonly sources: TppSources) {}

  of(request: IncomingMessage): QuestionLimit {
    return {
      enter: () => {
        const { subject, name } = this.sources.of(request);
        const { admitted, retryAfterSeconds } = this.failures.take(subject);
        if (!admitted) throw tooMany(name, retryAfterSeconds);
      },
      succeeded: () => this.failures.giveBack(this.sources.of(request).subject),
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
