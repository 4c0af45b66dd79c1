import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { EventKeys } from '../events/event-keys.js';
import { formatDateTime } from '../open-banking/date-times.js';
import { answer } from './bank-facing.schema.js';
import { operatorErrors, SigningKeyList } from './operator.schema.js';

const schema = {
  tags: ['TPPs'],
  operationId: 'rotateSigningKeys',
  summary: 'Give every algorithm a new signing key',
  description:
    'The new keys are published at once and sign some minutes later; the old ones stay published until nothing ' +
    'that they signed is valid any more. While a new key does not sign yet, this makes no other.',
  response: { 200: answer('All that are published now.', SigningKeyList), ...operatorErrors },
};

/** Operators rotate the signing keys of tokens and events. */
@Injectable()
export class SigningKeyRoutes {
  constructor(private readonly keys: EventKeys) {}

  declare(bank: FastifyInstance): void {
    bank.post('/signing-keys/rotate', { schema }, async () => {
      const keys = await this.keys.current();
      await keys.rotate();
      return {
        Keys: keys.published.map(({ kid, alg, signsFrom, publishedUntil }) => ({
          KeyId: kid,
          Algorithm: alg,
          SignsFromDateTime: formatDateTime(signsFrom),
          PublishedUntilDateTime: publishedUntil && formatDateTime(publishedUntil),
        })),
      };
    });
  }
}
