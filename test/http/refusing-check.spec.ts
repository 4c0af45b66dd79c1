import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checks } from '../../src/open-banking/checks.js';
import { WatchedDatabase } from '../support/watched-database.js';
import { dayMs, minuteMs, Stack, type ConsentedCustomer, type Request } from '../support/stack.js';
import { until } from '../support/until.js';

const consents = '/account-access-consents';

describe('the access record of a refused request', () => {
  const database = new WatchedDatabase();
  let stack: Stack;
  let customer: ConsentedCustomer;
  let stale: ConsentedCustomer;
  let narrow: ConsentedCustomer;
  let barred: ConsentedCustomer;
  let revoked: ConsentedCustomer;
  let client: string;

  beforeAll(async () => {
    stack = await Stack.start({
      persistence: database.module,
      rules: { unattendedAccess: { mode: 'enforce', limit: 1 } },
      config: {
        rateLimits: {
          requests: { perSecond: 1_000_000, burst: 1_000_000 },
          consents: { perSecond: 0.000_001, burst: 8 },
        },
      },
    });
    customer = await stack.consent({ persona: 'complete' });
    stale = await stack.consent({ persona: 'complete', authenticatedAgoMs: dayMs });
    narrow = await stack.consent({ persona: 'complete', permissions: ['ReadAccountsBasic'] });
    barred = await stack.consent({ persona: 'blocked' });
    revoked = await stack.consent({ persona: 'complete' });
    await stack.report(`/consents/${revoked.consentId}/revoke`, {});
    client = await stack.clientToken();
  });
  afterAll(() => stack.close());

  /** The record of one request. */
  async function recordOf(path: string, request: Request): Promise<Record<string, unknown>> {
    const before = stack.log.length;
    const { status } = await stack.ask(path, request);
    const records = () =>
      stack.log
        .slice(before)
        .map((line) => (JSON.parse(line) as { access?: Record<string, unknown> }).access)
        .filter((access) => access !== undefined);
    await until(() => records().length > 0);
    expect(records()).toHaveLength(1);
    expect(records()[0]).toMatchObject({ status });
    return records()[0] as Record<string, unknown>;
  }

  const account = (of: ConsentedCustomer): string => `/accounts/${of.accountId('CurrentAccount')}`;
  const json = { 'content-type': 'application/json' };
  const cases: [refusedBy: string, error: string, request: () => [string, Request]][] = [
    [
      'host',
      'header-invalid',
      () => ['/accounts', { token: customer.token, headers: { host: ['gateway.example', 'other.example'] } }],
    ],
    ['token', 'unauthorised', () => ['/accounts', {}]],
    ['path', 'path-unknown', () => ['/nothing', { token: customer.token }]],
    ['method', 'method-not-allowed', () => ['/accounts', { method: 'PUT', token: customer.token }]],
    ['live consent', 'unauthorised', () => ['/accounts', { token: revoked.token }]],
    ['live consent', 'unauthorised', () => ['/accounts', { token: client }]],
    ['live consent', 'token-scope', () => [`${consents}/${customer.consentId}`, { token: customer.token }]],
    ['headers', 'not-acceptable', () => ['/accounts', { token: customer.token, headers: { accept: 'text/html' } }]],
    [
      'headers',
      'header-invalid',
      () => ['/accounts', { token: customer.token, headers: { 'x-fapi-interaction-id': 'none' } }],
    ],
    ['body', 'format-invalid', () => [consents, { method: 'POST', token: client, payload: '{', headers: json }]],
    [
      'body',
      'field-invalid',
      () => [
        consents,
        { method: 'POST', token: client, payload: '{"Data":{"Permissions":["ReadPAN"]},"Risk":{}}', headers: json },
      ],
    ],
    ['permission', 'permission-missing', () => [`${account(customer)}/balances`, { token: narrow.token }]],
    ['account', 'account-not-selected', () => ['/accounts/any/balances', { token: customer.token }]],
    [
      'query',
      'field-date',
      () => [`${account(customer)}/transactions?fromBookingDateTime=x`, { token: customer.token }],
    ],
    ['query', 'field-invalid', () => [`${account(customer)}/transactions?page=x`, { token: customer.token }]],
    ['authentication window', 'reauthentication', () => [`${account(stale)}/direct-debits`, { token: stale.token }]],
    ['access state', 'invalid-account', () => [`${account(barred)}/balances`, { token: barred.token }]],
  ];

  it.each(cases)('names the check "%s", and the error %s', async (refusedBy, error, request) => {
    expect(await recordOf(...request())).toMatchObject({ refusedBy, error });
  });

  it('names the check "scope" where the token has a different scope', async () => {
    const token = await stack.bank.mintToken({ clientId: 'tpp-one', scope: 'payments', consentId: customer.consentId });
    expect(await recordOf('/accounts', { token })).toMatchObject({ refusedBy: 'scope', error: 'token-scope' });
  });

  it('names the check "consent version" where a later version of the API created the consent', async () => {
    const { consentId, token } = await stack.consent({ persona: 'saver' });
    await database.prisma.consent.update({ where: { consentId }, data: { createdIn: 'v9.0' } });
    const record = await recordOf('/accounts', { token });
    expect(record).toMatchObject({ refusedBy: 'consent version', error: 'consent-version' });
  });

  it('names the check "unattended access" where the TPP reads too often without the customer', async () => {
    stack.clock.advance(6 * minuteMs);
    const token = await stack.bank.mintToken({ clientId: 'tpp-one', consentId: customer.consentId });
    const path = `${account(customer)}/balances`;
    expect(await recordOf(path, { token })).toMatchObject({ status: 200 });
    expect(await recordOf(path, { token })).toMatchObject({
      refusedBy: 'unattended access',
      error: 'too-many-requests',
    });
  });

  it('names the check "rate limit" where the TPP creates consents too fast', async () => {
    const token = await stack.clientToken('tpp-hasty');
    const payload = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
    for (;;) {
      const record = await recordOf(consents, { method: 'POST', token, payload });
      if (record.status === 201) continue;
      expect(record).toMatchObject({ status: 429, refusedBy: 'rate limit', error: 'too-many-requests' });
      break;
    }
  });

  it('names no check where no check refused: a fault of the core, an unknown consent, an answer', async () => {
    const token = await stack.clientToken();
    expect(await recordOf(`${consents}/aac-unknown`, { token })).toMatchObject({ error: 'consent-not-found' });
    const own = await stack.bank.mintToken({ clientId: 'tpp-one', consentId: customer.consentId });
    stack.bank.setFault('down');
    const record = await recordOf('/accounts', { token: own });
    stack.bank.setFault('none');
    expect(record).toMatchObject({ status: 503, error: 'unavailable' });
    expect(record).not.toHaveProperty('refusedBy');
    let answered = await recordOf('/accounts', { token: own });
    // The failed read does not count any more a moment after its answer.
    while (answered.status === 429) answered = await recordOf('/accounts', { token: own });
    expect([answered.status, answered.error, answered.refusedBy]).toEqual([200, undefined, undefined]);
  });

  it('is tested here for every check', () => {
    const alone = ['scope', 'consent version', 'unattended access', 'rate limit'];
    expect(new Set([...cases.map(([check]) => check), ...alone])).toEqual(new Set(checks));
  });
});
