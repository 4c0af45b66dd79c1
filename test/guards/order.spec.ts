import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { anyUuid, told } from '../support/error-shape.js';
import { dayMs, minuteMs, Stack, type ConsentedCustomer, type Request } from '../support/stack.js';
import { watched, type AskedRead } from '../support/wrapped-adapter.js';

const html = { accept: 'text/html' };
const notUuid = { 'x-fapi-interaction-id': 'not-a-uuid' };
const accountsOnly = ['ReadAccountsBasic'];

type ExpectedAnswer = [number, ...string[]];
const pathUnknown: ExpectedAnswer = [404, '404 NotFound', 'UK.AIG.Path.Unknown', ''];
const wrongMethod: ExpectedAnswer = [405, '405 MethodNotAllowed', 'UK.AIG.Method.NotAllowed', ''];
const notAcceptable: ExpectedAnswer = [406, '406 NotAcceptable', 'UK.OBIE.Header.Invalid', 'Accept'];
const badId: ExpectedAnswer = [400, '400 BadRequest', 'UK.OBIE.Header.Invalid', 'x-fapi-interaction-id'];
const mediaType: ExpectedAnswer = [415, '415 UnsupportedMediaType', 'UK.OBIE.Header.Invalid', 'Content-Type'];
const tooLarge: ExpectedAnswer = [413, '413 PayloadTooLarge', 'UK.OBIE.Resource.InvalidFormat', ''];
const notJson: ExpectedAnswer = [400, '400 BadRequest', 'UK.OBIE.Resource.InvalidFormat', ''];
const noRisk: ExpectedAnswer = [400, '400 BadRequest', 'UK.OBIE.Resource.InvalidFormat', 'Risk'];
const noPermissions: ExpectedAnswer = [400, '400 BadRequest', 'UK.OBIE.Field.Invalid', 'Data.Permissions'];
const refusedPermission: ExpectedAnswer = [400, '400 BadRequest', 'UK.OBIE.Field.Invalid', 'Data.Permissions[0]'];
const noScope: ExpectedAnswer = [403, '403 Forbidden', 'UK.AIG.Token.Scope', ''];
const noPermission: ExpectedAnswer = [403, '403 Forbidden', 'UK.AIG.Consent.PermissionMissing', 'Data.Permissions'];
const notSelected: ExpectedAnswer = [403, '403 Forbidden', 'UK.AIG.Consent.AccountNotSelected', 'AccountId'];
const badDate: ExpectedAnswer = [400, '400 BadRequest', 'UK.OBIE.Field.InvalidDate', 'fromBookingDateTime'];
const badPage: ExpectedAnswer = [400, '400 BadRequest', 'UK.OBIE.Field.Invalid', 'page'];
const reauthenticate: ExpectedAnswer = [403, '403 Reauthentication', 'UK.OBIE.Reauthenticate', ''];
const invalidAccount: ExpectedAnswer = [400, '400 Invalid Account', 'UK.OBIE.Resource.NotFound', 'AccountId'];

/** Profile 2 has no statements; its consents cannot even ask for them. */
const absent = '/accounts/any/statements';
const consents = '/account-access-consents';

describe('when a request fails two checks, the earlier check answers:', () => {
  let stack: Stack;
  /** Everything permitted, every account selected; authenticated now, or too long ago. */
  let fresh: ConsentedCustomer;
  let stale: ConsentedCustomer;
  /** Authorised, with the accounts permission and no other, for the savings account only. */
  let narrow: ConsentedCustomer;
  let revoked: ConsentedCustomer;
  /** The bank does not permit one of its accounts to be read. */
  let barred: ConsentedCustomer;
  let staleBarred: ConsentedCustomer;
  let client: string;
  let unscoped: string;
  let unscopedOfConsent: string;
  const asked: AskedRead[] = [];

  beforeAll(async () => {
    stack = await Stack.start({
      adapter: (ledger) =>
        watched(ledger, (read) => {
          asked.push(read);
          // Where a product is not listed, its data must not be read. A read would make the answer 500.
          if (read.read === 'offers' || read.read === 'directDebits') throw new CoreError('bad-record', 'was read');
        }),
    });
    fresh = await stack.consent({ persona: 'complete' });
    stale = await stack.consent({ persona: 'complete', authenticatedAgoMs: 10 * minuteMs });
    narrow = await stack.consent({ persona: 'complete', permissions: accountsOnly, accounts: ['Savings'] });
    revoked = await stack.consent({ persona: 'complete' });
    await stack.report(`/consents/${revoked.consentId}/revoke`, {});
    barred = await stack.consent({ persona: 'blocked' });
    staleBarred = await stack.consent({ persona: 'blocked', authenticatedAgoMs: dayMs });
    client = await stack.clientToken();
    unscoped = await stack.bank.mintToken({ clientId: 'tpp-one', scope: 'payments' });
    unscopedOfConsent = await stack.bank.mintToken({
      clientId: 'tpp-one',
      scope: 'payments',
      consentId: fresh.consentId,
    });
  });
  afterAll(() => stack.close());
  beforeEach(() => {
    asked.length = 0;
  });

  const of = (customer: ConsentedCustomer, path: string): string =>
    `/accounts/${customer.accountId('CurrentAccount')}${path}`;
  const oneConsent = (): string => `${consents}/${fresh.consentId}`;
  const post = (token: string, payload: string, headers: Record<string, string> = {}): Request => ({
    method: 'POST',
    token,
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  });

  const table: [name: string, request: () => [path: string, request: Request], answer: ExpectedAnswer][] = [
    ['token before unknown path', () => ['/nothing', {}], [401]],
    ['token before absent endpoint', () => [absent, {}], [401]],
    ['token before method', () => ['/accounts', { method: 'PUT' }], [401]],
    ['token before headers', () => ['/accounts', { headers: { ...html, ...notUuid } }], [401]],
    ['unknown path before method', () => ['/nothing', { method: 'PUT', token: fresh.token }], pathUnknown],
    ['absent endpoint before method', () => [absent, { method: 'DELETE', token: fresh.token }], pathUnknown],
    ['absent endpoint before kind of token', () => [absent, { token: client }], pathUnknown],
    ['absent endpoint before consent state', () => [absent, { token: revoked.token }], pathUnknown],
    ['absent endpoint before headers', () => [absent, { token: fresh.token, headers: html }], pathUnknown],
    ['absent endpoint before permission', () => [absent, { token: narrow.token }], pathUnknown],
    ['absent endpoint before window', () => [absent, { token: stale.token }], pathUnknown],
    ['method before kind of token', () => ['/accounts', { method: 'POST', token: client }], wrongMethod],
    ['method before consent state', () => ['/accounts', { method: 'POST', token: revoked.token }], wrongMethod],
    [
      'method before headers',
      () => ['/accounts', { method: 'PATCH', token: fresh.token, headers: { ...html, ...notUuid } }],
      wrongMethod,
    ],
    ['kind of token before Accept', () => ['/accounts', { token: client, headers: html }], [401]],
    ['consent state before interaction id', () => ['/accounts', { token: revoked.token, headers: notUuid }], [401]],
    ['kind of token before scope', () => ['/accounts', { token: unscoped }], [401]],
    [
      '4 where nothing else is wrong: a consent-bound token manages no consents',
      () => [consents, post(fresh.token, '{"Data":{"Permissions":["ReadAccountsBasic"]},"Risk":{}}')],
      noScope,
    ],
    ...['GET', 'DELETE'].map((method): [string, () => [string, Request], ExpectedAnswer] => [
      `4 before 5: kind of token before the headers of a ${method} of a consent`,
      () => [oneConsent(), { method, token: fresh.token, headers: { ...html, ...notUuid } }],
      noScope,
    ]),
    [
      'kind of token before the body of a DELETE of a consent',
      () => [oneConsent(), { ...post(fresh.token, '{"Data":', { 'content-type': 'text/plain' }), method: 'DELETE' }],
      noScope,
    ],
    ...(
      [
        ['Accept', '{}', html],
        ['interaction id', '{}', notUuid],
        ['content type', '{}', { 'content-type': 'text/plain' }],
        ['a body that is not JSON', '{"Data":', {}],
        ['a body that is not JSON, under another content type', '{"Data":', { 'content-type': 'text/plain' }],
        ['a body that is too large', ' '.repeat(65_537), {}],
        ['an empty body', '', {}],
        ['the shape of the body', '{"Data":{"Permissions":[]}}', {}],
        ['the terms of the body', '{"Data":{"Permissions":["ReadPAN"]},"Risk":{}}', {}],
      ] as const
    ).map(([what, body, headers]): [string, () => [string, Request], ExpectedAnswer] => [
      `4 before 5: kind of token on consents before ${what}`,
      () => [consents, post(fresh.token, body, headers)],
      noScope,
    ]),
    [
      'kind of token on consents before the state of its consent and a missing content type',
      () => [consents, { method: 'POST', token: revoked.token, payload: '{' }],
      noScope,
    ],
    ['Accept before permission', () => [of(fresh, '/balances'), { token: narrow.token, headers: html }], notAcceptable],
    [
      'interaction id before permission',
      () => [of(fresh, '/balances'), { token: narrow.token, headers: notUuid }],
      badId,
    ],
    ['interaction id before scope', () => ['/accounts', { token: unscopedOfConsent, headers: notUuid }], badId],
    ['content type before scope', () => [consents, post(unscoped, 'x', { 'content-type': 'text/plain' })], mediaType],
    ['size of the body before scope', () => [consents, post(unscoped, ' '.repeat(65_537))], tooLarge],
    ['JSON before scope', () => [consents, post(unscoped, '{"Data":')], notJson],
    [
      'shape of the body before scope',
      () => [consents, post(unscoped, '{"Data":{"Permissions":["ReadAccountsBasic"]}}')],
      noRisk,
    ],
    [
      'terms of the body before scope',
      () => [consents, post(unscoped, '{"Data":{"Permissions":[]},"Risk":{}}')],
      noPermissions,
    ],
    [
      'terms of the body where nothing else is wrong',
      () => [consents, post(client, '{"Data":{"Permissions":["ReadPAN","ReadAccountsBasic"]},"Risk":{}}')],
      refusedPermission,
    ],
    ['scope before permission', () => [of(fresh, '/balances'), { token: unscopedOfConsent }], noScope],
    ['permission before account', () => [of(fresh, '/balances'), { token: narrow.token }], noPermission],
    [
      'permission before query',
      () => [of(fresh, '/transactions?fromBookingDateTime=x'), { token: narrow.token }],
      noPermission,
    ],
    [
      'account before query',
      () => ['/accounts/any/transactions?fromBookingDateTime=x', { token: fresh.token }],
      notSelected,
    ],
    ['account before window', () => ['/accounts/any/offers', { token: stale.token }], notSelected],
    ['date before window', () => [of(stale, '/transactions?fromBookingDateTime=x'), { token: stale.token }], badDate],
    ['page before window', () => [of(stale, '/transactions?page=x'), { token: stale.token }], badPage],
    [
      'date before account state',
      () => [of(barred, '/transactions?fromBookingDateTime='), { token: barred.token }],
      badDate,
    ],
    ['window before account state', () => [of(staleBarred, '/party'), { token: staleBarred.token }], reauthenticate],
    ['window where the answer would be empty', () => [of(stale, '/offers'), { token: stale.token }], reauthenticate],
  ];

  it.each(table)('%s', async (_name, request, answer) => {
    const [path, options] = request();
    const got = await stack.ask(path, options);
    expect(told(got)).toEqual(answer);
    expect(got.headers['x-fapi-interaction-id']).toMatch(anyUuid);
    expect(asked).toEqual([]);
  });

  it('account state before a product that is not listed, with one read of the core', async () => {
    expect(told(await stack.ask(of(barred, '/offers'), { token: barred.token }))).toEqual(invalidAccount);
    expect(asked).toEqual([{ read: 'account', customerRef: 'C1005', accountRef: 'A100501' }]);
  });

  it('a product that is not listed is empty, with one read of the core and none of its data', async () => {
    expect(told(await stack.ask(of(fresh, '/offers'), { token: fresh.token }))).toEqual([200, 'Offer']);
    expect(asked).toEqual([{ read: 'account', customerRef: 'C1001', accountRef: 'A100101' }]);
  });

  it('access state before the data of a listed product, which comes with the account in one read', async () => {
    expect(told(await stack.ask(of(fresh, '/balances'), { token: fresh.token }))).toEqual([200, 'Balance']);
    expect(told(await stack.ask(of(fresh, '/direct-debits'), { token: fresh.token }))[0]).toBe(500);
    expect(asked).toEqual([
      { read: 'balances', customerRef: 'C1001', accountRef: 'A100101' },
      { read: 'directDebits', customerRef: 'C1001', accountRef: 'A100101' },
    ]);
  });

  it('interaction id before token: a valid one is repeated, and an invalid one is replaced', async () => {
    const given = '93BAC548-D2DE-4546-B106-880A5018460D';
    expect((await stack.ask('/accounts', { headers: { 'x-fapi-interaction-id': given } })).headers).toMatchObject({
      'x-fapi-interaction-id': given,
    });
    const refused = await stack.ask('/accounts', { headers: notUuid });
    expect([refused.status, refused.headers['x-fapi-interaction-id']]).toEqual([401, expect.stringMatching(anyUuid)]);
  });
});
