import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { anyUuid, oneError } from '../support/error-shape.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { portOf, requestText, sendRaw } from '../support/raw-http.js';
import { base, noon, Stack, type Answer } from '../support/stack.js';
import { until } from '../support/until.js';
import { WatchedDatabase } from '../support/watched-database.js';
import { watched, withReads } from '../support/wrapped-adapter.js';

describe('secrecy', () => {
  let database: FreshDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.drop());

  const secret = 'SELECT-secret-4929421234567897';
  const consents = '/account-access-consents';
  const unexpected = oneError({ Code: '500 InternalServerError', ErrorCode: 'UK.OBIE.UnexpectedError' });
  const unavailable = oneError({ Code: '503 ServiceUnavailable', ErrorCode: 'UK.OBIE.UnexpectedError' });

  describe('a failing core or database', () => {
    // An error that quotes data, as databases return it.
    const watchedDatabase = new WatchedDatabase(`duplicate key (${secret})\n    at ${secret} (${secret}.ts:1:1)`);
    let failure: Error | undefined;
    let productCode: unknown;
    let stack: Stack;
    beforeAll(async () => {
      stack = await Stack.start({
        database,
        persistence: watchedDatabase.module,
        adapter: (ledger) =>
          withReads(
            watched(ledger, () => {
              if (failure !== undefined) throw failure;
            }),
            {
              product: async (ref, context) => {
                const read = await ledger.product(ref, context);
                return { ...read, items: read.items.map((item) => ({ ...item, code: productCode as string })) };
              },
            },
          ),
      });
    });
    beforeAll(() => void stack.secrets.add(secret));
    afterAll(() => stack.close());
    afterEach(() => {
      failure = undefined;
      productCode = undefined;
      watchedDatabase.failing = false;
    });

    it.each<[string, () => Error]>([
      ['a programming error', () => new TypeError(secret)],
      ['an error with another inside', () => new Error(secret, { cause: new Error(secret) })],
      ['an error that looks like an HTTP one', () => Object.assign(new Error(secret), { statusCode: 400 })],
      ['an error of which the stack goes on in its message', () => new Error(`a\n    at ${secret} (${secret}.ts:1:1)`)],
    ])('is in no answer and in no line of the log: %s', async (_name, thrown) => {
      const { token, accountId } = await stack.consent({ persona: 'saver' });
      failure = thrown();
      for (const path of ['/accounts', `/accounts/${accountId('Savings')}/balances`]) {
        const { status, json, headers } = await stack.ask(path, { token });
        expect([path, status, json]).toEqual([path, 500, unexpected]);
        expect(JSON.stringify(headers)).not.toContain('secret');
      }
    });

    it.each([
      ['a number', 4929421234567897],
      ['a record', { secret }],
    ])('is in no answer and in no line of the log: %s where the adapter owes a text', async (_name, code) => {
      const { token, accountId } = await stack.consent({ persona: 'complete' });
      productCode = code;
      const { status, json } = await stack.ask(`/accounts/${accountId('CurrentAccount')}/product`, { token });
      expect([status, json]).toEqual([500, unexpected]);
      const log = stack.log.join('');
      expect(log).toContain('answer.Data.Product[].ProductId is not of the type');
      expect(log).not.toContain('4929421234567897');
    });

    it.each(['unavailable', 'timeout', 'rate-limited'] as const)(
      'is answered with 503 and Retry-After: %s',
      async (kind) => {
        const { token } = await stack.consent({ persona: 'saver' });
        failure = new CoreError(kind, 'no answer', kind === 'rate-limited' ? 17 : undefined);
        const { status, json, headers } = await stack.ask('/accounts', { token });
        expect([status, json, headers['retry-after']]).toEqual([
          503,
          unavailable,
          kind === 'rate-limited' ? '17' : '5',
        ]);
      },
    );

    it('is answered with 503 and Retry-After wherever the database is needed, and with no other text', async () => {
      const consented = await stack.consent({ persona: 'saver' });
      const client = await stack.clientToken();
      const one = `${consents}/${consented.consentId}`;
      const fresh = await stack.bank.mintToken({ clientId: 'tpp-one', consentId: 'aac-not-read-yet' });
      // The row of the TPP is kept for a second, which does not pass: without it the creation would end before its change.
      const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
      await stack.ask(one, { token: client });
      watchedDatabase.failing = true;
      const payload = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
      const authenticatedAt = new Date(noon).toISOString();
      const answers: [string, Answer][] = [
        ['create', await stack.ask(consents, { method: 'POST', token: client, payload })],
        ['read', await stack.ask(one, { token: client })],
        ['delete', await stack.ask(one, { method: 'DELETE', token: client })],
        ['resource', await stack.ask('/accounts', { token: fresh })],
        ['find', await stack.report(`/consents/${consented.consentId}`)],
        ['list', await stack.report('/customers/C1004/consents')],
        ['revoke', await stack.report(`/consents/${consented.consentId}/revoke`, {})],
        [
          'reauthenticate',
          await stack.report(`/consents/${consented.consentId}/reauthentications`, {
            customerRef: 'C1004',
            authenticatedAt,
          }),
        ],
      ];
      const ofBankPort = new Set(['find', 'list', 'revoke', 'reauthenticate']);
      clock.mockRestore();
      // A database that no longer answers may have made these changes. The others end before, at a read.
      const unknown = answers.filter(([, { body }]) => body.includes('is not known')).map(([name]) => name);
      expect(unknown).toEqual(['create', 'reauthenticate']);
      for (const [name, { status, json, headers }] of answers)
        expect([name, status, json, headers['retry-after'], headers['x-fapi-interaction-id']]).toEqual([
          name,
          503,
          ofBankPort.has(name) ? oneError({ ErrorCode: 'unavailable' }) : unavailable,
          '5',
          expect.stringMatching(anyUuid),
        ]);
      watchedDatabase.failing = false;
      expect((await stack.ask('/accounts', { token: consented.token })).status).toBe(200);
    });
  });

  describe('the log of a run', () => {
    let stack: Stack;
    beforeAll(async () => {
      stack = await Stack.start({ database });
      stack.secrets.add(secret);
      await stack.gateway.listen();
    });
    afterAll(() => stack.close());

    type AccessRecord = { time: number; access: Record<string, unknown> };
    const records = (): AccessRecord[] =>
      stack.log.map((line) => JSON.parse(line) as AccessRecord).filter(({ access }) => access !== undefined);
    const send = (method: string, target: string, headers: string[], body?: string) =>
      sendRaw(portOf(stack.gateway.server), requestText(method, target, headers, body));

    it('has one access record for each request, with the named fields and no other', async () => {
      const { token, consentId, accountId } = await stack.consent({ persona: 'saver' });
      const client = await stack.clientToken();
      const id = '93BAC548-D2DE-4546-B106-880A5018460D';
      const bearer = [`Authorization: Bearer ${token}`, `x-fapi-interaction-id: ${id}`];
      const created = JSON.stringify({ Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} });
      const json = [
        'Content-Type: application/json',
        `Authorization: Bearer ${client}`,
        `x-fapi-interaction-id: ${id}`,
      ];
      const tpp = { tpp: 'tpp-one', issuer: stack.bank.issuer };
      const own = { ...tpp, consentId };
      const accounts = { endpoint: 'accounts', version: 'v3.1' };
      const balances = { endpoint: 'balances', version: 'v3.1' };
      const managed = { endpoint: 'account-access-consents', version: 'v3.1' };
      const refused = (refusedBy: string, error: string, reason = error) => ({ refusedBy, error, reason });
      const expected: [() => Promise<{ status: number }>, object][] = [
        [() => send('GET', `${base}/accounts`, bearer), { ...own, ...accounts, status: 200 }],
        [
          () => send('GET', `${base}/accounts/${accountId('Savings')}/balances?x=${secret}`, bearer),
          { ...own, ...balances, status: 200 },
        ],
        [
          () => send('GET', `${base}/accounts/${secret}/balances`, bearer),
          { ...own, ...balances, status: 403, ...refused('account', 'account-not-selected') },
        ],
        [() => send('GET', `${base}/${secret}`, bearer), { ...own, status: 404, ...refused('path', 'path-unknown') }],
        [
          () => send('GET', `${base}/${secret}%zz`, bearer),
          { ...own, status: 404, ...refused('path', 'path-unknown') },
        ],
        [
          () => send('PUT', `${base}/accounts`, bearer),
          { ...own, method: 'PUT', ...accounts, status: 405, ...refused('method', 'method-not-allowed') },
        ],
        [
          () => send('GET', `${base}/accounts`, bearer.slice(1)),
          { ...accounts, status: 401, ...refused('token', 'unauthorised', 'token-missing') },
        ],
        [() => send('POST', `${base}${consents}`, json, created), { ...tpp, method: 'POST', ...managed, status: 201 }],
        [() => send('GET', `${base}${consents}/${consentId}`, json.slice(1)), { ...own, ...managed, status: 200 }],
        [
          () => send('GET', `${base}${consents}/${secret}`, json.slice(1)),
          { ...tpp, ...managed, status: 400, error: 'consent-not-found', reason: 'consent-unknown' },
        ],
      ];
      for (const [request, access] of expected) {
        const before = records().length;
        const { status } = await request();
        await until(() => records().length > before);
        expect(records().slice(before)).toEqual([
          {
            level: status < 400 ? 20 : 30,
            time: expect.any(Number),
            access: { interactionId: id.toLowerCase(), method: 'GET', durationMs: expect.any(Number), ...access },
          },
        ]);
        expect(access).toMatchObject({ status });
      }
    });

    it('has none of the values that a stranger sends in any place of a request, and neither has the trail', async () => {
      const port = portOf(stack.gateway.server);
      const bankPort = portOf(stack.gateway.bankServer);
      const { token, consentId } = await stack.consent({ persona: 'saver' });
      const client = await stack.clientToken();
      const before = records().length;
      for (const value of ['Hostile-Name', 'GB29NWBK60161331926819', '4111111111111111', 'token-Of-A-Customer']) {
        stack.secrets.add(value);
        const names = ['traceparent', 'x-fapi-interaction-id', 'x-fapi-customer-ip-address', 'cookie', 'user-agent'];
        for (const [method, target, headers, body] of [
          ['GET', `${base}/${value}`, [`Authorization: Bearer ${token}`]],
          ['GET', `${base}/accounts/${value}?${value}=${value}`, [`Authorization: Bearer ${token}`]],
          ['GET', `${base}/accounts`, [`Authorization: Bearer ${value}`]],
          ['GET', `${base}/accounts`, [`Authorization: ${value}`, `Host: ${value}`]],
          ['GET', `${base}/accounts`, [...names, value].map((name) => `${name}: ${value}`)],
          [
            'POST',
            `${base}${consents}`,
            [`Authorization: Bearer ${token}`, 'Content-Type: application/json'],
            JSON.stringify({ [value]: value }),
          ],
          ['DELETE', `${base}${consents}/${value}`, [`Authorization: Bearer ${client}`]],
        ] as const)
          await send(method, target, [...headers], body);
        await sendRaw(port, `${value} \r\n\r\n`);
        const customers = `GET /bank/v1/customers/${value}/consents`;
        await sendRaw(bankPort, `${customers} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        await stack.report(`/customers/${value}/consents`);
        await stack.report(`/consents/${consentId}/reauthentications`, { customerRef: value, authenticatedAt: value });
        await stack.report('/sign-ins/unlock', { loginName: value });
      }
      // The stack looks for them when it closes.
      expect(records().length - before).toBeGreaterThan(30);
    });
  });
});
