import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { METHODS } from 'node:http';
import { profile } from '../../src/profiles/profile-2.js';
import { accountPaths } from '../support/account-paths.js';
import { anyUuid, oneError, told } from '../support/error-shape.js';
import { base, Stack, type ConsentedCustomer } from '../support/stack.js';

const consents = '/account-access-consents';
const methodNotAllowed = oneError({ Code: '405 MethodNotAllowed', ErrorCode: 'UK.AIG.Method.NotAllowed' });
const pathUnknown = oneError({ Code: '404 NotFound', ErrorCode: 'UK.AIG.Path.Unknown' });
/** Below no version that the bank serves. */
const versionUnknown = oneError({ ErrorCode: 'path-unknown' });
const unknownAt = (path: string): unknown =>
  path.startsWith('/!') && !path.startsWith('/!open-banking/v3.1/') ? versionUnknown : pathUnknown;
const notSelected = oneError({
  Code: '403 Forbidden',
  ErrorCode: 'UK.AIG.Consent.AccountNotSelected',
  Path: 'AccountId',
});

describe('paths and methods', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  let accountId: string;
  beforeAll(async () => {
    stack = await Stack.start();
    customer = await stack.consent({ persona: 'saver' });
    accountId = customer.accountId('Savings');
  });
  afterAll(() => stack.close());

  const routes = (): [path: string, allow: readonly string[]][] => [
    ['/accounts', ['GET']],
    ...accountPaths(profile, accountId).map((path): [string, readonly string[]] => [path, ['GET']]),
    [consents, ['POST']],
    [`${consents}/${customer.consentId}`, ['GET', 'DELETE']],
  ];

  it.each(METHODS.filter((method) => method !== 'CONNECT'))(
    '%s is 405 with Allow on every path that does not have it, and 401 without a token',
    async (method) => {
      for (const [path, allow] of routes()) {
        if (allow.includes(method)) continue;
        const refused = await stack.ask(path, { method, token: customer.token });
        expect([path, refused.status, String(refused.headers['allow']).split(', ').sort()]).toEqual([
          path,
          405,
          [...allow].sort(),
        ]);
        if (method !== 'HEAD') expect(refused.json).toEqual(methodNotAllowed);
        const unknown = await stack.ask(path, { method });
        expect([path, unknown.status, unknown.body, unknown.headers['allow']]).toEqual([path, 401, '', undefined]);
      }
    },
  );

  it.each([
    '/openapi.json',
    '/docs',
    '/docs/',
    '/docs/static/swagger-ui.css',
    '/docs/errors',
    '/.well-known/account-information',
  ])('%s needs no token, also to answer HEAD, and to say that it answers no other method', async (path) => {
    const ask = (method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS') => stack.gateway.server.inject({ method, url: path });
    const [whole, head] = [await ask('GET'), await ask('HEAD')];
    // Node's socket drops the body, and an answer in process has no socket.
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, whole.headers['content-length']]);
    for (const method of ['POST', 'OPTIONS'] as const) {
      const { statusCode, headers } = await ask(method);
      expect([method, statusCode, headers['allow']?.split(', ').sort()]).toEqual([method, 405, ['GET', 'HEAD']]);
    }
  });

  it('leads a browser from the root to the documentation, by a relative path', async () => {
    const { statusCode, headers, body } = await stack.gateway.server.inject('/');
    expect([statusCode, headers['location'], body]).toEqual([302, 'docs', '']);
  });

  it('accept one trailing slash, which is not part of the link', async () => {
    const { token } = customer;
    for (const path of ['/accounts', `/accounts/${accountId}`, `/accounts/${accountId}/balances`]) {
      const answer = await stack.ask(`${path}/`, { token });
      expect([answer.status, answer.json.Links]).toEqual([200, { Self: `https://gateway.example${base}${path}` }]);
      expect((await stack.ask(`${path}/?x=1`, { token })).json.Links).toEqual(answer.json.Links);
    }
    const read = await stack.ask(`${consents}/${customer.consentId}/`, { token: await stack.clientToken() });
    expect([read.status, read.json.Links]).toEqual([
      200,
      { Self: `https://gateway.example${base}${consents}/${customer.consentId}` },
    ]);
  });

  it('answer 404, or 401 without a token, to two trailing slashes and other spellings', async () => {
    for (const path of [
      '/accounts//',
      `/accounts/${accountId}//`,
      `/accounts//balances`,
      '/Accounts',
      '/accounts/a/b/c',
      '/party',
      '/balances',
      '',
      '/',
      '/account',
      '/accounts;x=1',
      `/accounts/${accountId}/parties`,
      `/accounts/${accountId}/statements`,
      '/!open-banking',
      '/!open-banking/v3.1/pisp/accounts',
      '/!open-banking/v3.1.1/aisp/accounts',
      '/!health',
      '/!metrics',
    ]) {
      const answer = await stack.ask(path, { token: customer.token });
      expect([path, answer.status, answer.json]).toEqual([path, 404, unknownAt(path)]);
      expect([path, (await stack.ask(path)).status]).toEqual([path, 401]);
    }
  });

  it('need a token also where the prefix has a different spelling', async () => {
    for (const path of ['/!open%2Dbanking/v3.1/aisp/accounts', '/!%6Fpen-banking/v3.1/%61isp/accounts']) {
      expect(told(await stack.ask(path))).toEqual([401]);
      const answer = await stack.ask(path, { token: customer.token });
      expect([answer.status, answer.json.Links]).toEqual([200, { Self: `https://gateway.example${base}/accounts` }]);
    }
  });

  it.each(['/accounts/%zz', '/accounts/%', '/accounts/%E0%A4%A/balances', '/!%', '/!open-banking/%c3%28'])(
    'that cannot be decoded, such as %s, are 401 without a token and 404 with a token, and leave an access record',
    async (path) => {
      const records = (): number => stack.log.filter((line) => line.includes('"access"')).length;
      const before = records();
      const refused = await stack.ask(path);
      expect([refused.status, refused.body]).toEqual([401, '']);
      expect(refused.headers['x-fapi-interaction-id']).toMatch(anyUuid);
      const answer = await stack.ask(path, { token: customer.token });
      expect([answer.status, answer.json]).toEqual([404, unknownAt(path)]);
      expect(answer.headers['x-fapi-interaction-id']).toMatch(anyUuid);
      expect(records()).toBe(before + 2);
    },
  );

  it.each([
    ['an account that does not exist', 'unknown'],
    ['16 kB', 'a'.repeat(16_384)],
    ['a NUL', '%00'],
    ['an encoded slash', 'a%2Fbalances'],
    ['dots', '..%2F..'],
    ['a name that every object has', '__proto__'],
  ])('an AccountId that is %s is refused like any other that was not selected', async (_name, id) => {
    for (const rest of ['', '/balances', '/offers']) {
      const answer = await stack.ask(`/accounts/${id}${rest}`, { token: customer.token });
      expect([answer.status, answer.json]).toEqual([403, notSelected]);
    }
  });

  it('refuse an account that the customer did not select with the same words as one that does not exist', async () => {
    const narrow = await stack.consent({ persona: 'saver', accounts: ['A100401'] });
    const unselected = customer.accountId('A100402');
    const { token } = narrow;
    for (const rest of ['', '/balances', '/transactions', '/party']) {
      const [known, unknown] = [
        await stack.ask(`/accounts/${unselected}${rest}`, { token }),
        await stack.ask(`/accounts/${'0'.repeat(32)}${rest}`, { token }),
      ];
      expect({ ...known.json, Id: '' }).toEqual({ ...unknown.json, Id: '' });
      expect(known.json).toEqual(notSelected);
      expect(Object.keys(known.headers)).toEqual(Object.keys(unknown.headers));
      expect(known.headers['content-length']).toBe(unknown.headers['content-length']);
    }
  });

  it('do not put the host of a request into a link', async () => {
    const { status, json } = await stack.ask('/accounts', {
      token: customer.token,
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
    });
    expect([status, json.Links]).toEqual([200, { Self: `https://gateway.example${base}/accounts` }]);
  });

  it('name the missing permissions in the refusal', async () => {
    const { token } = await stack.consent({ persona: 'saver', permissions: ['ReadAccountsBasic'] });
    const messages = async (endpoint: string): Promise<string> =>
      (await stack.ask(`/accounts/${accountId}/${endpoint}`, { token })).json.Errors[0].Message;
    expect(await messages('balances')).toContain('lacks ReadBalances:');
    expect(await messages('transactions')).toContain(
      'lacks ReadTransactionsBasic or ReadTransactionsDetail and ReadTransactionsCredits or ReadTransactionsDebits:',
    );
    expect(await messages('beneficiaries')).toContain('lacks ReadBeneficiariesBasic or ReadBeneficiariesDetail:');
  });
});
