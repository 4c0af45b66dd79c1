import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { Clock } from '../../src/clock/clock.js';
import { type IssuerKeys, makeIssuerKeys } from './issuer.js';
import { listNames } from './ledger.records.js';
import { type SandboxBank, startSandboxBank } from './sandbox-bank.js';

/** The account with this number at the sandbox bank, as a TPP names it. */
const debtor = (number: string) => ({
  SchemeName: 'UK.OBIE.SortCodeAccountNumber',
  Identification: `089999${number}`,
  Currency: 'GBP',
});

/** The first persona, as the sandbox bank describes it to its staff. */
const firstPersona = {
  name: 'complete',
  displayName: 'Amelia Hart',
  customerRef: 'C1001',
  loginName: 'complete',
  password: 'sandbox-complete',
  accounts: [
    { ref: 'A100101', product: 'CurrentAccount', debtor: debtor('10010010') },
    { ref: 'A100102', product: 'Savings', debtor: debtor('20020011') },
    { ref: 'A100103', product: 'CreditCard' },
    { ref: 'A100104', product: 'RewardsPayPlus', debtor: debtor('20020034') },
    { ref: 'A100105', product: 'RoundUp', debtor: debtor('20020042') },
  ],
  shows: expect.any(String),
};

const now = Date.parse('2026-11-20T14:30:00.000Z');
class FixedClock extends Clock {
  override nowMs(): number {
    return now;
  }
}

describe('the sandbox bank', () => {
  let issuerKeys: IssuerKeys;
  let bank: SandboxBank;

  beforeAll(async () => {
    issuerKeys = await makeIssuerKeys();
    bank = await startSandboxBank({ port: 0, credential: 'staff', issuerKeys, clock: new FixedClock() });
  });
  afterEach(() => bank.setFault('none'));
  afterAll(() => bank.close());

  const staff = { authorization: 'Bearer staff' };
  const get = (path: string, headers: Record<string, string> = {}) => fetch(bank.url + path, { headers });
  const send = (method: string, path: string, body: unknown, headers: Record<string, string> = staff) =>
    fetch(bank.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  /** Its content; the assertion that follows checks it. */
  const json = async (answer: Promise<Response>) => JSON.parse(await (await answer).text());
  const everyAccount = () =>
    bank.personas.flatMap(({ person, accounts }) => accounts.map(({ acct }) => [person.key, acct.key] as const));

  it('leads a browser from its root to the inbox', async () => {
    const answer = await fetch(bank.url, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/inbox']);
  });

  describe('the core', () => {
    it('sends the account along with every one of its lists', async () => {
      for (const path of ['', '/person', '/entries?take=5&toward=OLD', ...listNames.map((name) => `/${name}`)]) {
        const answer = await json(get(`/ledger/clients/C1001/accts/A100101${path}`));
        expect(answer.acct.key).toBe('A100101');
      }
    });

    it('does not show a client an account that the client does not list', async () => {
      for (const [, ref] of everyAccount().filter(([client]) => client !== 'C1002')) {
        const answer = await get(`/ledger/clients/C1002/accts/${ref}/figures`);
        expect([answer.status, await answer.json()]).toEqual([404, { fail: 'NO_ACCT' }]);
      }
    });

    it.each([
      'take=0',
      'take=1001',
      'take=x',
      'take=5&side=XX',
      'take=5&since=2026-01-01',
      'take=5&past=20260101',
      'take=5&take=6',
      'take=5&state=HELD',
    ])('refuses the search %s', async (search) => {
      expect((await get(`/ledger/clients/C1001/accts/A100101/entries?toward=OLD&${search}`)).status).toBe(400);
    });

    it.each([
      '/accts?id=08999910010010',
      '/accts?form=PAN&id=4929421234567897',
      '/accts?form=IBAN&id=x&id=y',
      '/clients/C1001/accts/A100101/funds?amt=-1&ccy=GBP&arranged=Y',
      '/clients/C1001/accts/A100101/funds?amt=1.5&ccy=GBP&arranged=Y',
      '/clients/C1001/accts/A100101/funds?amt=1&arranged=N',
      '/clients/C1001/accts/A100101/funds?amt=1&ccy=GBP',
    ])('refuses the question %s', async (path) => {
      expect((await get(`/ledger${path}`)).status).toBe(400);
    });
  });

  describe('the fault', () => {
    it('down breaks the core’s health and leaves the process’s alone', async () => {
      bank.setFault('down');
      await expect(get('/ledger/ping')).rejects.toThrow();
      await expect(get('/ledger/clients/C1001/accts')).rejects.toThrow();
      expect((await get('/health')).status).toBe(200);
      expect((await get('/admin/fault', staff)).status).toBe(200);
    });

    it('slow answers nothing for longer than a gateway waits, and forgets callers that have gone', async () => {
      bank.setFault('slow');
      const late = fetch(`${bank.coreUrl}/ping`, { signal: AbortSignal.timeout(100) });
      await expect(late).rejects.toThrow();
      expect((await get('/health')).status).toBe(200);
    });

    it('garbage answers in seven ways, none of which is an answer', async () => {
      bank.setFault('garbage');
      const answers = new Set<string>();
      for (let time = 0; time < 14; time++) {
        const answer = await get('/ledger/clients/C1001/accts/A100101/figures');
        answers.add(`${answer.status} ${answer.headers.get('content-type')} ${await answer.text()}`);
      }
      expect(answers.size).toBe(7);
      expect([...answers].filter((answer) => answer.includes('"figures":['))).toEqual([]);
    });

    it('partial spoils about one record in three, never all of two or more, and one of two balances', async () => {
      const whole = await collections();
      bank.setFault('partial');
      const partly = await collections();
      let spoilt = 0;
      for (const [where, rows] of whole) {
        const kept = partly.get(where)?.filter((row, index) => row === rows[index]).length ?? 0;
        expect([where, partly.get(where)?.length]).toEqual([where, rows.length]);
        expect([where, kept]).toEqual([where, rows.length - Math.floor((rows.length + 1) / 3)]);
        spoilt += rows.length - kept;
      }
      expect(spoilt).toBeGreaterThan(100);
    });

    async function collections(): Promise<Map<string, string[]>> {
      const found = new Map<string, string[]>();
      for (const [client, ref] of everyAccount()) {
        for (const name of listNames) {
          const answer = await json(get(`/ledger/clients/${client}/accts/${ref}/${name}`));
          found.set(
            `${ref} ${name}`,
            answer[name].map((row: unknown) => JSON.stringify(row)),
          );
        }
        const answer = await json(get(`/ledger/clients/${client}/accts/${ref}/entries?take=50&toward=OLD`));
        found.set(
          `${ref} entries`,
          answer.entries.map((row: unknown) => JSON.stringify(row)),
        );
      }
      return found;
    }
  });

  describe('the staff', () => {
    it.each<Record<string, string>>([
      {},
      { authorization: 'Bearer wrong' },
      { authorization: 'staff' },
      { authorization: 'Bearer staff ' + 'x' },
    ])('paths are closed to %j', async (headers) => {
      expect((await get('/admin/personas', headers)).status).toBe(401);
      expect((await get('/admin/fault', headers)).status).toBe(401);
      expect((await send('PUT', '/admin/fault', { fault: 'down' }, headers)).status).toBe(401);
      expect((await send('PUT', '/admin/accounts/A100101/state', { state: 'valid' }, headers)).status).toBe(401);
      expect((await send('POST', '/issuer/tokens', { client_id: 'x' }, headers)).status).toBe(401);
    });

    it('receive the personas, the first one first', async () => {
      const { personas } = await json(get('/admin/personas', staff));
      expect(personas[0]).toEqual(firstPersona);
      expect(personas).toHaveLength(bank.personas.length);
    });

    it('change an account’s state, on each path that shows the account, and back', async () => {
      const status = async () => (await json(get('/ledger/clients/C1005/accts/A100502/figures'))).acct.status;
      const listed = async () => (await json(get('/ledger/clients/C1005/accts'))).accts[1].status;
      expect(await status()).toBe('DORM');
      expect((await send('PUT', '/admin/accounts/A100502/state', { state: 'not-permitted' })).status).toBe(200);
      expect([await status(), await listed()]).toEqual(['BARRED', 'BARRED']);
      await send('PUT', '/admin/accounts/A100502/state', { state: 'valid' });
      expect([await status(), await listed()]).toEqual(['DORM', 'DORM']);
    });

    it.each([
      ['PUT', '/admin/fault', { fault: 'odd' }, 400],
      ['PUT', '/admin/fault', null, 400],
      ['PUT', '/admin/accounts/A100101/state', { state: 'odd' }, 400],
      ['PUT', '/admin/accounts/A9/state', { state: 'valid' }, 404],
      ['POST', '/issuer/tokens', {}, 400],
      ['POST', '/issuer/tokens', { client_id: 'x', alg: 'none' }, 400],
      ['POST', '/issuer/tokens', { client_id: 'x', expires_in: 'long' }, 400],
    ])('%s %s with %j is answered %i', async (method, path, body, status) => {
      expect((await send(method, path, body)).status).toBe(status);
    });
  });

  describe('a token of the issuer', () => {
    const keys = () => createRemoteJWKSet(new URL(bank.jwksUrl));

    it.each(['PS256', 'ES256'])(
      'signed with %s is an RFC 9068 access token that the published keys verify',
      async (alg) => {
        const answer = await send('POST', '/issuer/tokens', { client_id: 'sandbox-tpp', consent_id: 'c-1', alg });
        const { access_token, expires_in, token_type } = (await answer.json()) as Record<string, string>;
        expect([answer.status, expires_in, token_type]).toEqual([201, 3600, 'Bearer']);
        const { payload } = await jwtVerify(access_token ?? '', keys(), {
          typ: 'at+jwt',
          algorithms: [alg],
          issuer: bank.issuer,
          audience: bank.audience,
          currentDate: new Date(now),
        });
        expect(payload).toEqual({
          iss: bank.issuer,
          aud: bank.audience,
          sub: 'c-1',
          client_id: 'sandbox-tpp',
          scope: 'accounts',
          openbanking_intent_id: 'c-1',
          iat: now / 1000,
          exp: now / 1000 + 3600,
          jti: expect.any(String),
        });
      },
    );

    it('without a consent names none, and may be bound, scoped and dated as asked', async () => {
      const token = await bank.mintToken({
        clientId: 't',
        scope: '',
        cnf: { 'x5t#S256': 'abc' },
        expiresInSeconds: -60,
      });
      const { payload } = await jwtVerify(token, keys(), { currentDate: new Date(now - 120_000) });
      expect(payload).toMatchObject({ sub: 't', scope: '', cnf: { 'x5t#S256': 'abc' }, exp: now / 1000 - 60 });
      expect(payload).not.toHaveProperty('openbanking_intent_id');
      expect(decodeProtectedHeader(token).alg).toBe('PS256');
    });

    it('is verified by keys that publish nothing private', async () => {
      const { keys: published } = await json(get('/issuer/jwks.json'));
      const members = new Set(published.flatMap((key: object) => Object.keys(key)));
      expect(members).toEqual(new Set(['kty', 'n', 'e', 'crv', 'x', 'y', 'alg', 'use', 'kid']));
    });
  });
});
