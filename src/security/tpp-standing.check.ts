import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { unavailable } from '../open-banking/common-errors.js';
import { schemeOf, unauthorised } from './tpp.check.js';
import { TppStandingStore, type TppStanding } from './tpp-standing.store.js';

/** After a token was found good: whether the bank has suspended its TPP, whoever issued the token. */
@Injectable()
export class TppStandingCheck {
  constructor(private readonly standings: TppStandingStore) {}

  readonly check = (request: FastifyRequest): void | Promise<void> => {
    const { token } = request;
    if (token === undefined) return;
    const found = this.standings.find(token.clientId);
    if (!(found instanceof Promise)) return judge(found, request);
    return found.then(
      (standing) => judge(standing, request),
      (error: unknown) => {
        throw unavailable(error);
      },
    );
  };
}

function judge(standing: TppStanding | undefined, { token }: FastifyRequest): void {
  if (standing?.suspendedAt !== undefined) throw unauthorised('the bank has suspended the TPP', schemeOf(token));
}
