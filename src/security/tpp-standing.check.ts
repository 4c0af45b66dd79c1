import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { unavailable } from '../open-banking/common-errors.js';
import type { RequestCheck } from '../request/checks.js';
import type { AccessToken } from '../request/request-context.js';
import { schemeOf, unauthorised } from './tpp.check.js';
import { TppStandingStore } from './tpp-standing.store.js';

/** Runs after the token was verified: refuses a TPP that the bank has suspended, for every issuer of tokens. */
@Injectable()
export class TppStandingCheck implements RequestCheck {
  readonly name = 'token';

  constructor(private readonly standings: TppStandingStore) {}

  check({ context }: FastifyRequest): Promise<void> | undefined {
    const token = context.verifiedToken();
    return this.standings.isKnownGood(token.tpp) ? undefined : this.refuseSuspended(token);
  }

  private async refuseSuspended(token: AccessToken): Promise<void> {
    const isSuspended = await this.standings.isSuspended(token.tpp).catch((error: unknown) => {
      throw unavailable(error);
    });
    if (isSuspended) throw unauthorised('the bank has suspended the TPP', 'tpp-suspended', schemeOf(token));
  }
}
