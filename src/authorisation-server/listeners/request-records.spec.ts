import { expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { DatabaseUnreachable } from '../../persistence/postgres-connections.js';
import { failed } from './request-records.js';

it.each([
  [
    'system-away',
    'the database does not answer',
    new DatabaseUnreachable({ host: 'db', port: 5432 }, new Error('silent')),
  ],
  ['fault', 'the gateway has a bug', new TypeError('this is not a function')],
])('a request that fails has the reason %s where %s', (reason, _cause, error) => {
  const request = { context: {} } as Pick<IncomingMessage, 'context'>;
  failed(request, error);
  expect(request.context).toEqual({ reason });
});
