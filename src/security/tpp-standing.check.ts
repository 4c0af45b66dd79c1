import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { unavailable } from '../open-banking/common-errors.js';
import { schemeOf, unauthorised } from './tpp.check.js';
import { TppStandingStore } from './tpp-standing.store.js';

/** After a token was found good: whether the bank has suspended its TPP, whoever issued the token. */
@Injectable()
export class TppStandingCheck {
  constructor(private readonly standings: TppStandingStore) {}

  readonly check = async (request: FastifyRequest): Promise<void> => {
    const { token } = request;
    if (token === undefined) return;
    const isSuspended = await this.standings.isSuspended(token.tpp).catch((error: unknown) => {
      throw unavailable(error);
    });
    if (isSuspended) throw unauthorised('the bank has suspended the TPP', schemeOf(token));
  };
}
