import { expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { DatabaseUnreachable } from '../../persistence/postgres-connections.js';
import { IssuerUnreachable } from '../../security/tokens/token-issuer.js';
import { recordFault } from './request-records.js';

it.each([
  [
    'database-unreachable',
    'the database does not answer',
    new DatabaseUnreachable({ host: 'db', port: 5432 }, new Error('silent')),
  ],
  [
    'issuer-unreachable',
    'an issuer of tokens does not answer',
    new IssuerUnreachable('https://as.example is unreachable'),
  ],
  ['fault', 'the gateway has a bug', new TypeError('this is not a function')],
])('a request that fails has the reason %s where %s', (reason, _cause, error) => {
  const request = { context: {} } as Pick<IncomingMessage, 'context'>;
  recordFault(request, error);
  expect(request.context).toEqual({ reason });
});
