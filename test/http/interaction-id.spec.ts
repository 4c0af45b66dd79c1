import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { anyUuid, oneError } from '../support/error-shape.js';
import { Stack, type ConsentedCustomer, type Request } from '../support/stack.js';
import { watched } from '../support/wrapped-adapter.js';

const consents = '/account-access-consents';
const json = { 'content-type': 'application/json' };

describe('x-fapi-interaction-id', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  let client: string;
  let failure: Error | undefined;
  beforeAll(async () => {
    stack = await Stack.start({
      adapter: (ledger) =>
        watched(ledger, () => {
          if (failure !== undefined) throw failure;
        }),
    });
    customer = await stack.consent({ persona: 'saver' });
    client = await stack.clientToken();
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    failure = undefined;
    // An answer of the core, after which earlier failures do not count for the circuit.
    expect((await stack.ask('/accounts', { token: customer.token })).status).toBe(200);
  });

  const answers: [status: number, request: () => [path: string, request: Request]][] = [
    [200, () => ['/accounts', { token: customer.token }]],
    [
      201,
      () => [
        consents,
        { method: 'POST', token: client, payload: { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} } },
      ],
    ],
    [400, () => [`${consents}/unknown`, { token: client }]],
    [401, () => ['/accounts', {}]],
    [403, () => ['/accounts/unknown/balances', { token: customer.token }]],
    [404, () => ['/unknown', { token: customer.token }]],
    [404, () => ['/accounts/%zz', { token: customer.token }]],
    [405, () => ['/accounts', { method: 'PUT', token: customer.token }]],
    [406, () => ['/accounts', { token: customer.token, headers: { accept: 'text/html' } }]],
    [413, () => [consents, { method: 'POST', token: client, payload: ' '.repeat(65_537), headers: json }]],
    [415, () => [consents, { method: 'POST', token: client, payload: 'x', headers: { 'content-type': 'text/plain' } }]],
    [500, () => ['/accounts', { token: customer.token }]],
    [503, () => ['/accounts', { token: customer.token }]],
  ];
  const arrange = (status: number): void => {
    if (status === 500) failure = new CoreError('bad-record', 'nothing of it');
    // The gateway does not repeat a read whose core names a time for the next attempt, so these few failures do not open
    // the circuit.
    if (status === 503) failure = new CoreError('unavailable', 'away', 5);
  };

  it.each(answers)('is repeated byte for byte on a %i, with capital and small letters', async (status, request) => {
    arrange(status);
    const [path, options] = request();
    for (const id of [
      '93bac548-d2de-4546-b106-880a5018460d',
      '93BAC548-D2DE-4546-B106-880A5018460D',
      '93Bac548-d2de-4546-B106-880a5018460d',
    ]) {
      const answer = await stack.ask(path, {
        ...options,
        headers: { ...options.headers, 'x-fapi-interaction-id': id },
      });
      expect([answer.status, answer.headers['x-fapi-interaction-id']]).toEqual([status, id]);
    }
  });

  it.each(answers)('is new each time on a %i to a request without an interaction id', async (status, request) => {
    arrange(status);
    const [path, options] = request();
    const ids = [];
    for (let count = 0; count < 2; count++) {
      const answer = await stack.ask(path, options);
      expect(answer.status).toBe(status);
      expect(answer.headers['x-fapi-interaction-id']).toMatch(anyUuid);
      expect(answer.headers['cache-control']).toBe('no-store');
      if (status >= 400 && status !== 401)
        expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      ids.push(answer.headers['x-fapi-interaction-id']);
    }
    expect(new Set(ids).size).toBe(2);
  });

  it.each<[string, string | string[]]>([
    ['empty', ''],
    ['text', 'abc'],
    ['a UUID in braces', '{93bac548-d2de-4546-b106-880a5018460d}'],
    ['a UUID with a character more', '93bac548-d2de-4546-b106-880a5018460d0'],
    ['a UUID without dashes', '93bac548d2de4546b106880a5018460d'],
    ['a UUID with letters beyond F', '93bac548-d2de-4546-b106-880a5018460g'],
    ['two UUIDs', ['93bac548-d2de-4546-b106-880a5018460d', '93bac548-d2de-4546-b106-880a5018460d']],
  ])('that is %s is refused with 400 and a new one, after the token was checked', async (_name, given) => {
    const headers = { 'x-fapi-interaction-id': given };
    const refused = await stack.ask('/accounts', { token: customer.token, headers });
    expect([refused.status, refused.json]).toEqual([
      400,
      oneError({ Code: '400 BadRequest', ErrorCode: 'UK.OBIE.Header.Invalid', Path: 'x-fapi-interaction-id' }),
    ]);
    expect(refused.headers['x-fapi-interaction-id']).toMatch(anyUuid);
    expect((await stack.ask('/accounts', { headers })).status).toBe(401);
  });

  it('is in the log record of the fault of a request', async () => {
    const id = '93BAC548-D2DE-4546-B106-880A5018460D';
    failure = new CoreError('unavailable', 'away');
    const before = stack.log.length;
    await stack.ask('/accounts', { token: customer.token, headers: { 'x-fapi-interaction-id': id } });
    const lines = stack.log.slice(before).map((line) => JSON.parse(line) as { interactionId?: string });
    expect(lines.filter(({ interactionId }) => interactionId === id.toLowerCase())).toHaveLength(1);
  });
});
