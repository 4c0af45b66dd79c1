import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { bankCredential, minuteMs, noon, Stack, type Answer } from '../support/stack.js';
import { portOf, sendRaw } from '../support/raw-http.js';
import { oneError, told } from '../support/error-shape.js';
import { until } from '../support/until.js';

const path = '/account-access-consents';
const wrongStatus = oneError({ ErrorCode: 'consent-status', Path: 'ConsentId' });
type ExpectedAnswer = [number, ...string[]];
const unknownPath: ExpectedAnswer = [404, 'path-unknown', ''];
const noConsent: ExpectedAnswer = [400, 'consent-not-found', 'ConsentId'];
const iso = (ms: number): string => new Date(ms).toISOString();

describe("the bank-facing API, where the bank's authorisation service reports", () => {
  let stack: Stack;
  let client: string;
  let consentId: string;
  beforeAll(async () => {
    stack = await Stack.start();
    await stack.gateway.bankServer.listen({ host: '127.0.0.1', port: 0 });
    client = await stack.clientToken();
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    consentId = await create();
  });
  afterEach(() => {
    stack.clock.set(noon);
    stack.bank.setFault('none');
  });

  const create = async (data: object = {}): Promise<string> =>
    (
      await stack.ask(path, {
        method: 'POST',
        token: client,
        payload: { Data: { Permissions: ['ReadAccountsBasic'], ...data }, Risk: {} },
      })
    ).json.Data.ConsentId;
  const approval = (changes: object = {}): object => ({
    customerRef: 'C1004',
    accounts: ['A100401'],
    authenticatedAt: iso(noon),
    ...changes,
  });
  const authorise = (changes?: object): Promise<Answer> =>
    stack.report(`/consents/${consentId}/authorise`, approval(changes));
  const reauthenticate = (authenticatedAt: string, customerRef = 'C1004'): Promise<Answer> =>
    stack.report(`/consents/${consentId}/reauthentications`, { customerRef, authenticatedAt });
  const statusNow = async (): Promise<string> => (await stack.report(`/consents/${consentId}`)).json.Status;

  it('leaves a record of a report whose sender did not wait for the answer', async () => {
    const { bankServer } = stack.gateway;
    const port = portOf(bankServer);
    stack.bank.setFault('slow');
    stack.log.length = 0;
    const arrived = once(bankServer.server, 'request');
    const impatient = new AbortController();
    const leaving = fetch(`http://127.0.0.1:${port}/bank/v1/consents/${consentId}/authorise`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bankCredential}`, 'content-type': 'application/json' },
      body: JSON.stringify(approval()),
      signal: impatient.signal,
    });
    await arrived;
    impatient.abort();
    await expect(leaving).rejects.toThrow('aborted');
    const record = { method: 'POST', endpoint: '/bank/v1/consents/:consentId/authorise', consentId, status: 499 };
    await until(() => stack.log.some((line) => line.includes('"bankAccess"')));
    const told = stack.log.map((line) => JSON.parse(line)).find(({ bankAccess }) => bankAccess !== undefined);
    expect(told.bankAccess).toMatchObject(record);
    expect(await statusNow()).toBe('awaiting');
  });

  it('authorises with the customer, the accounts and the time of authentication', async () => {
    const { status, json } = await authorise({ displayName: 'D. Rao', accounts: ['A100401', 'A100401'] });
    expect(status).toBe(200);
    expect(json).toEqual({
      ConsentId: consentId,
      Kind: 'account-access',
      Status: 'authorised',
      TppId: 'tpp-one',
      TppIssuer: stack.bank.issuer,
      Permissions: ['ReadAccountsBasic'],
      CreationDateTime: '2026-06-15T12:00:00+00:00',
      StatusUpdateDateTime: '2026-06-15T12:00:00+00:00',
      CustomerRef: 'C1004',
      LastAuthenticatedDateTime: '2026-06-15T12:00:00+00:00',
      Accounts: [{ ref: 'A100401', AccountId: expect.stringMatching(/^[0-9a-f]{32}$/), Product: 'Savings' }],
    });
    expect((await stack.report(`/consents/${consentId}`)).json).toEqual(json);
  });

  it.each(['', 'wrong', 'test-bank-credential-0123456789abcde', 'test-bank-credential-0123456789abcdeff'])(
    'answers 401 without a body to the credential "%s", and nothing is done',
    async (credential) => {
      for (const answer of [
        await stack.report(`/consents/${consentId}`, undefined, credential),
        await stack.report(`/consents/${consentId}/reject`, {}, credential),
        await stack.report('/customers/C1004/consents', undefined, credential),
      ])
        expect([answer.status, answer.body]).toEqual([401, '']);
      expect(await statusNow()).toBe('awaiting');
    },
  );

  it("does not take a TPP's token for its credential", async () => {
    expect((await stack.report(`/consents/${consentId}/reject`, {}, client)).status).toBe(401);
  });

  it.each<[string, string, ExpectedAnswer]>([
    ['an unknown path', '/nothing', unknownPath],
    ['a path that cannot be decoded', '/consents/%ff', unknownPath],
    ['a name in the place of an id', `/consents/${encodeURIComponent('Amelia Hart 4929421234567897')}`, noConsent],
  ])(
    'answers 401 to %s without the credential, names the fault with it, and records neither name',
    async (_name, to, tells) => {
      stack.log.length = 0;
      const refused = await stack.report(to, undefined, 'wrong');
      const known = await stack.report(to);
      expect([told(refused), told(known)]).toEqual([[401], tells]);
      const records = stack.log.flatMap((line) => (JSON.parse(line) as { bankAccess?: object }).bankAccess ?? []);
      expect(records).toEqual(
        [refused, known].map(({ status, headers }) =>
          expect.objectContaining({ status, interactionId: headers['x-fapi-interaction-id'] }),
        ),
      );
      expect(records).not.toContainEqual(expect.objectContaining({ consentId: expect.anything() }));
    },
  );

  it('answers bytes that are not HTTP in the form of every error, and records it', async () => {
    const { bankServer } = stack.gateway;
    stack.log.length = 0;
    const { status, json, headers } = await sendRaw(portOf(bankServer), 'GARBAGE\r\n\r\n');
    expect(told({ status, json, body: 'x' })).toEqual([400, 'format-invalid', '']);
    expect(stack.log.map((line) => (JSON.parse(line) as { bankAccess?: object }).bankAccess)).toEqual([
      { status: 400, interactionId: headers['x-fapi-interaction-id'] },
    ]);
    const withoutHost = 'GET /health/live HTTP/1.1\r\nConnection: close\r\nExpect: teapot\r\n\r\n';
    expect((await sendRaw(portOf(bankServer), withoutHost)).status).toBe(200);
  });

  it('lists the consents of a customer whose reference has the greatest length', async () => {
    const longest = encodeURIComponent('Ω'.repeat(200));
    expect((await stack.report(`/customers/${longest}/consents`)).json).toEqual({ Consents: [] });
  });

  it('refuses an account that the core does not list for the customer, by its place in the list', async () => {
    for (const [accounts, index] of [
      [['A100401', 'A100501'], 1],
      [['nothing'], 0],
    ] as const)
      expect(told(await authorise({ accounts }))).toEqual([400, 'field-invalid', `accounts[${index}]`]);
    expect(await statusNow()).toBe('awaiting');
  });

  it('lets a customer select an account that is not permitted, or not served', async () => {
    expect((await authorise({ customerRef: 'C1005', accounts: ['A100501'] })).json.Accounts).toEqual([
      { ref: 'A100501', AccountId: expect.any(String), Product: 'CurrentAccount' },
    ]);
  });

  it.each<[string, object, string, string]>([
    ['no account', { accounts: [] }, 'format-invalid', 'accounts'],
    ['no customer', { customerRef: undefined }, 'format-invalid', 'customerRef'],
    ['an empty customer', { customerRef: '' }, 'format-invalid', 'customerRef'],
    ['a customer with a control character', { customerRef: 'C\u0000' }, 'format-invalid', 'customerRef'],
    ['a customer with half a character', { customerRef: 'C\ud800' }, 'format-invalid', 'customerRef'],
    ['no time', { authenticatedAt: undefined }, 'format-invalid', 'authenticatedAt'],
    ['a time that is not a date-time', { authenticatedAt: 'now' }, 'field-date', 'authenticatedAt'],
    ['an unknown member', { status: 'authorised' }, 'format-invalid', 'status'],
  ])('refuses an authorisation with %s', async (_name, changes, errorCode, at) => {
    expect(told(await authorise(changes))).toEqual([400, errorCode, at]);
    expect(await statusNow()).toBe('awaiting');
  });

  it.each(['down', 'garbage'] as const)('authorises nothing while the core is %s', async (fault) => {
    stack.bank.setFault(fault);
    const answer = await authorise();
    expect(answer.status).toBe(fault === 'down' ? 503 : 500);
    expect(answer.headers['retry-after']).toEqual(fault === 'down' ? expect.stringMatching(/^\d+$/) : undefined);
    stack.bank.setFault('none');
    expect(await statusNow()).toBe('awaiting');
    expect((await authorise()).status).toBe(200);
  });

  it('stores a time up to 60 s ahead as now, and refuses one further ahead', async () => {
    const future = [400, 'field-date', 'authenticatedAt'];
    expect(told(await authorise({ authenticatedAt: iso(noon + minuteMs + 1) }))).toEqual(future);
    expect((await authorise({ authenticatedAt: iso(noon + minuteMs) })).json.LastAuthenticatedDateTime).toBe(
      '2026-06-15T12:00:00+00:00',
    );
    stack.clock.advance(1_000);
    expect(told(await reauthenticate(iso(noon + 61_001)))).toEqual(future);
    expect((await reauthenticate(iso(noon + 61_000))).json.LastAuthenticatedDateTime).toBe('2026-06-15T12:00:01+00:00');
  });

  it('records a re-authentication and never moves the time backwards', async () => {
    await authorise({ authenticatedAt: iso(noon - 10 * minuteMs) });
    for (const [at, recorded] of [
      [iso(noon - 5 * minuteMs), '2026-06-15T11:55:00+00:00'],
      [iso(noon - 8 * minuteMs), '2026-06-15T11:55:00+00:00'],
      ['2026-06-15T12:58:00+01:00', '2026-06-15T11:58:00+00:00'],
    ] as const) {
      const { status, json } = await reauthenticate(at);
      expect([status, json.LastAuthenticatedDateTime, json.Status]).toEqual([200, recorded, 'authorised']);
    }
  });

  it('refuses the re-authentication of another customer, also of a holder of the same account', async () => {
    await authorise();
    expect(told(await reauthenticate(iso(noon), 'C1001'))).toEqual([400, 'field-invalid', 'customerRef']);
  });

  it('refuses what does not fit the status, and changes nothing', async () => {
    const reported = {
      authorise: () => authorise(),
      reject: () => stack.report(`/consents/${consentId}/reject`, {}),
      revoke: () => stack.report(`/consents/${consentId}/revoke`, {}),
      reauthenticate: () => reauthenticate(iso(noon)),
    };
    const expectRefused = async (names: (keyof typeof reported)[], status: string): Promise<void> => {
      for (const name of names) {
        const answer = await reported[name]();
        expect([name, answer.status, answer.json]).toEqual([name, 400, wrongStatus]);
        expect(await statusNow()).toBe(status);
      }
    };
    await expectRefused(['revoke', 'reauthenticate'], 'awaiting');
    await reported.authorise();
    await expectRefused(['authorise', 'reject'], 'authorised');
    await reported.revoke();
    await expectRefused(['authorise', 'reject', 'revoke', 'reauthenticate'], 'cancelled');
    consentId = await create();
    await reported.reject();
    await expectRefused(['authorise', 'reject', 'revoke', 'reauthenticate'], 'rejected');
  });

  it('refuses to authorise or re-authenticate a consent that has expired; revoking it is possible', async () => {
    consentId = await create({ ExpirationDateTime: iso(noon + minuteMs) });
    stack.clock.set(noon + minuteMs);
    expect((await authorise()).json).toEqual(wrongStatus);
    stack.clock.set(noon + minuteMs - 1);
    expect((await authorise()).status).toBe(200);
    stack.clock.set(noon + minuteMs);
    expect((await reauthenticate(iso(noon))).json).toEqual(wrongStatus);
    expect((await stack.report(`/consents/${consentId}/revoke`, {})).json.Status).toBe('cancelled');
  });

  it('lists the consents of a customer, newest first, without deleted ones', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      stack.clock.advance(1_000);
      consentId = await create();
      ids.unshift(consentId);
      expect((await authorise({ customerRef: 'C1010', accounts: ['A101001'] })).status).toBe(200);
    }
    await stack.report(`/consents/${ids[0]}/revoke`, {});
    await stack.ask(`${path}/${ids[1]}`, { method: 'DELETE', token: client });
    const { json } = await stack.report('/customers/C1010/consents');
    expect(
      json.Consents.map(({ ConsentId, Status }: { ConsentId: string; Status: string }) => [ConsentId, Status]),
    ).toEqual([
      [ids[0], 'cancelled'],
      [ids[2], 'authorised'],
    ]);
    expect((await stack.report('/customers/nobody/consents')).json).toEqual({ Consents: [] });
  });

  it('lets one of ten racing authorisations win', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => authorise()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(400)]);
  });

  it('lets one of an authorisation and a rejection win', async () => {
    const [authorised, rejected] = await Promise.all([authorise(), stack.report(`/consents/${consentId}/reject`, {})]);
    expect([authorised.status, rejected.status].sort()).toEqual([200, 400]);
    expect(await statusNow()).toBe(authorised.status === 200 ? 'authorised' : 'rejected');
  });

  it('leaves a consent deleted, whether its deletion or its authorisation comes first', async () => {
    const [authorised, deleted] = await Promise.all([
      authorise(),
      stack.ask(`${path}/${consentId}`, { method: 'DELETE', token: client }),
    ]);
    expect(deleted.status).toBe(204);
    expect([200, 400]).toContain(authorised.status);
    expect((await stack.report(`/consents/${consentId}`)).status).toBe(400);
    const token = await stack.bank.mintToken({ clientId: 'tpp-one', consentId });
    expect((await stack.ask('/accounts', { token })).status).toBe(401);
  });
});
