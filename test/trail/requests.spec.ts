import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MerkleTree } from '../../src/trail/merkle.js';
import { pseudonymOfAccount, pseudonymOfCustomer } from '../../src/trail/pseudonyms.js';
import { follows, isSignedBy, trailKey } from '../../src/trail/root-record.js';
import { explain } from '../../src/trail/explain.js';
import type { RequestEvent } from '../../src/trail/event.js';
import { linesOfFile, rootRecords, trailEvents, trailFiles, eventsOf } from '../support/read-trail.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { portOf, sendRaw } from '../support/raw-http.js';
import { minuteMs, Stack, type ConsentedCustomer } from '../support/stack.js';
import { trailKeys } from '../support/trail-keys.js';
import { until } from '../support/until.js';
import { WatchedDatabase } from '../support/watched-database.js';

const key = trailKeys.PSEUDONYM_KEY;
const ids = (last: number): string => `93bac548-d2de-4546-b106-880a5018${String(last).padStart(4, '0')}`;

describe('the trail of requests', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  let database: FreshDatabase;
  let asked = 0;
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

  beforeAll(async () => {
    database = await freshDatabase();
    stack = await Stack.start({ database });
    customer = await stack.consent({ persona: 'saver' });
  });
  afterAll(async () => {
    await stack.close();
    await database.drop();
  });

  const directory = (): string => stack.config.trail.directory;
  const eventOf = async (id: string): Promise<RequestEvent> => {
    let found: RequestEvent | undefined;
    await until(async () => {
      found = (await eventsOf(directory(), 'request')).find((event) => event.id === id);
      return found !== undefined;
    });
    return found as RequestEvent;
  };
  const ask = async (
    path: string,
    { token = customer.token, headers = {}, method = 'GET' }: Partial<Parameters<Stack['ask']>[1]> = {},
  ): Promise<RequestEvent> => {
    const id = ids(++asked);
    await stack.ask(path, { token, method, headers: { 'x-fapi-interaction-id': id, ...headers } });
    return eventOf(id);
  };

  it('has the bytes that were not HTTP, with their reason', async () => {
    await stack.gateway.listen();
    await sendRaw(portOf(stack.gateway.server), 'no HTTP\r\n\r\n');
    const broken = async () => (await eventsOf(directory(), 'request')).find(({ reason }) => reason === 'http-broken');
    await until(async () => (await broken()) !== undefined);
    expect(await broken()).toMatchObject({ listener: 'api', status: 400, id: expect.any(String) });
  });

  it('is written whatever the log omits', async () => {
    const quiet = await Stack.start({ config: { logLevel: 'warn' } });
    await quiet.ask('/accounts', { token: 'none' });
    await until(async () => (await eventsOf(quiet.config.trail.directory, 'request')).length === 1);
    expect(quiet.log).toEqual([]);
    await quiet.close();
  });

  it('has one event of an answered read, with all that the gateway knows but no name, number or reference', async () => {
    const customer = await stack.consent({ persona: 'saver' });
    stack.clock.advance(90_000);
    const accountId = customer.accountId('Savings');
    const [account] = customer.accounts.filter((one) => one.AccountId === accountId);
    const event = await ask(`/accounts/${accountId}/balances`, {
      token: customer.token,
      headers: { 'x-fapi-customer-ip-address': '203.0.113.77', traceparent },
    });
    expect(event).toEqual({
      v: 1,
      kind: 'request',
      id: ids(asked),
      seq: expect.any(Number),
      at: new Date(stack.clock.nowMs()).toISOString(),
      instance: expect.stringMatching(/^[a-z0-9-]+-\d+-[0-9a-f]{8}$/),
      release: expect.stringMatching(/^\d+\.\d+\.\d+/),
      listener: 'api',
      traceparent,
      method: 'GET',
      endpoint: 'balances',
      apiVersion: 'v3.1',
      status: 200,
      firstByteMs: expect.any(Number),
      lastByteMs: expect.any(Number),
      bytes: expect.any(Number),
      issuer: stack.bank.issuer,
      tpp: 'tpp-one',
      consent: customer.consentId,
      core: 'ledger',
      coreMs: expect.any(Number),
      attended: true,
      product: 'Savings',
      rows: expect.any(Number),
      customer: pseudonymOfCustomer(key, customer.customerRef),
      account: pseudonymOfAccount(key, undefined, account?.ref ?? ''),
      facts: { authenticationAgeS: 90, windowS: 300, permissionsNeeded: [['ReadBalances']] },
    });
    expect(event.bytes).toBeGreaterThan(100);
    expect(event.rows).toBeGreaterThan(0);
  });

  it('counts the bytes of the answer’s body and the rows in it', async () => {
    const id = ids(++asked);
    const { body, json } = await stack.ask('/accounts', {
      token: customer.token,
      headers: { 'x-fapi-interaction-id': id },
    });
    const event = await eventOf(id);
    expect([event.bytes, event.rows]).toEqual([Buffer.byteLength(body), json.Data.Account.length]);
    expect(event).not.toHaveProperty('account');
    expect(event).toMatchObject({ attended: false, customer: pseudonymOfCustomer(key, customer.customerRef) });
  });

  it('has the interaction id in small letters, which a search finds in any case, and echoes it as it was sent', async () => {
    const id = '41D5DA76-A1F1-45F9-8FB9-49211AA92109';
    const answer = await stack.ask('/accounts', { token: customer.token, headers: { 'x-fapi-interaction-id': id } });
    expect(answer.headers['x-fapi-interaction-id']).toBe(id);
    expect(await eventOf(id.toLowerCase())).toMatchObject({ status: 200 });
  });

  it('keeps a traceparent only where it is one', async () => {
    for (const given of ['00-x-y-01', `ff${traceparent.slice(2)}`, `${traceparent}-secret`, traceparent.toUpperCase()])
      expect(await ask('/accounts', { headers: { traceparent: given } })).not.toHaveProperty('traceparent');
  });

  it('names the check of a refused request, the reason and the facts that it checked', async () => {
    const basic = await stack.consent({ persona: 'saver', permissions: ['ReadAccountsBasic'] });
    const path = `/accounts/${customer.accountId('Savings')}`;
    expect(await ask(`${path}/balances`, { token: basic.token })).toMatchObject({
      status: 403,
      error: 'permission-missing',
      refusedBy: 'permission',
      reason: 'permission-missing',
      errorId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      facts: { permissionsHeld: ['ReadAccountsBasic'], permissionsNeeded: [['ReadBalances']] },
    });
    expect(await ask('/accounts/unknown/balances')).toMatchObject({
      status: 403,
      refusedBy: 'account',
      reason: 'account-not-selected',
    });
    stack.clock.advance(5 * minuteMs);
    expect(await ask(`${path}/transactions`)).toMatchObject({
      refusedBy: 'authentication window',
      reason: 'history-start-missing',
      facts: { windowS: 300, permissionsNeeded: expect.any(Array) },
    });
    expect(await ask(`${path}/transactions?fromBookingDateTime=2020-01-01T00:00:00`)).toMatchObject({
      reason: 'history-older-than-90-days',
      facts: { historyFromAgeDays: expect.any(Number) },
    });
    expect(await ask('/accounts', { token: 'not.a.token' })).toMatchObject({ status: 401, refusedBy: 'token' });
    expect(await ask('/nothing')).toMatchObject({ status: 404, reason: 'path-unknown' });
    expect(await ask('/accounts', { method: 'PUT' })).toMatchObject({ status: 405, reason: 'method-not-allowed' });
  });

  it('names the field that broke a rule, the rule and the right form, but no value of the request', async () => {
    const account = `/accounts/${customer.accountId('Savings')}`;
    const tellTale = 'tell-tale-4111111111111111';
    const token = await stack.clientToken();
    const consent = (data: object, more = {}) => ({
      method: 'POST',
      token,
      payload: { Data: { Permissions: ['ReadAccountsBasic'], ...data }, Risk: {}, ...more },
    });
    const seen: unknown[] = [];
    for (const [path, request] of [
      ['/accounts', { token: undefined }],
      ['/accounts', { token: undefined, headers: { authorization: tellTale } }],
      ['/accounts', { headers: { accept: `text/${tellTale}` } }],
      ['/accounts', { headers: { 'x-fapi-interaction-id': tellTale } }],
      [`${account}/transactions?fromBookingDateTime=${tellTale}`, {}],
      [`${account}/transactions?page=${tellTale}`, {}],
      ['/account-access-consents', consent({ ExpirationDateTime: tellTale })],
      ['/account-access-consents', consent({ Permissions: ['ReadAccountsBasic', tellTale] })],
      ['/account-access-consents', consent({ Permissions: undefined })],
      ['/account-access-consents', consent({ [tellTale]: 1 })],
      ['/account-access-consents', consent({}, { [tellTale]: 1 })],
      ['/account-access-consents', { ...consent({}), headers: { 'content-type': `text/${tellTale}` } }],
    ] as const) {
      const before = new Set((await eventsOf(directory(), 'request')).map(({ seq }) => seq));
      await stack.ask(path, { token: customer.token, ...request });
      let event: RequestEvent | undefined;
      await until(async () => {
        event = (await eventsOf(directory(), 'request')).find(({ seq }) => !before.has(seq));
        return event !== undefined;
      });
      expect(JSON.stringify(event)).not.toContain('tell-tale');
      const { reason, neededToPass } = explain(event as never);
      seen.push([reason?.name, event?.field, event?.rule, neededToPass]);
    }
    expect(seen).toEqual([
      ['token-missing', 'header:Authorization', 'required', 'the header Authorization'],
      ['token-missing', 'header:Authorization', 'bearer', expect.stringContaining('Authorization, as the word Bearer')],
      ['not-acceptable', 'header:Accept', 'accept-json', expect.stringContaining('the header Accept, in a form')],
      ['interaction-id-invalid', 'header:x-fapi-interaction-id', 'uuid', expect.stringContaining('as one UUID')],
      [
        'date-invalid',
        'query:fromBookingDateTime',
        'date',
        expect.stringContaining('the query parameter fromBookingDateTime, as an ISO 8601 date'),
      ],
      ['field-invalid', 'query:page', 'link', expect.stringContaining('the query parameter page, as the links')],
      [
        'date-invalid',
        'body:Data.ExpirationDateTime',
        'date-time',
        expect.stringContaining('the member of the body Data.ExpirationDateTime, as an ISO 8601 date-time'),
      ],
      ['field-invalid', 'body:Data.Permissions[1]', 'permission', expect.stringContaining('as a permission code')],
      ['field-missing', 'body:Data.Permissions', 'required', 'the member of the body Data.Permissions'],
      [
        'body-invalid',
        'body:Data',
        'declared-members',
        expect.stringContaining('the member of the body Data, with the'),
      ],
      ['body-invalid', 'body', 'declared-members', expect.stringContaining('a body, with the members')],
      ['media-type', 'header:Content-Type', 'media-type', 'the header Content-Type, as application/json in UTF-8'],
    ]);
  });

  it('has the same error id as the answer, also of a refusal', async () => {
    const id = ids(++asked);
    const { json } = await stack.ask('/accounts/unknown', {
      token: customer.token,
      headers: { 'x-fapi-interaction-id': id },
    });
    expect((await eventOf(id)).errorId).toBe(json.Id);
  });

  it('is kept for its owner alone', async () => {
    const [file] = await trailFiles(directory());
    expect((await stat(file?.path ?? '')).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(file?.path ?? ''))).mode & 0o777).toBe(0o700);
  });
});

it('closes its segment when the gateway stops, and the root is signed, chained and in the database', async () => {
  const database = await freshDatabase();
  const stack = await Stack.start({ database });
  await stack.consent({ persona: 'saver' });
  const directory = (): string => stack.config.trail.directory;
  const before = await trailEvents(directory());
  await stack.gateway.close();
  const [record, ...more] = await rootRecords(directory());
  const [closed, ...others] = (await trailFiles(directory())).filter(({ state }) => state === 'closed');
  expect([more, others]).toEqual([[], []]);
  const lines = await linesOfFile(closed?.path ?? '');
  expect(lines.length).toBeGreaterThanOrEqual(before.length);
  const tree = new MerkleTree();
  for (const line of lines) tree.add(line);
  expect(record).toMatchObject({
    segment: closed?.segment,
    events: lines.length,
    bytes: (await stat(closed?.path ?? '')).size,
    closed: 'stop',
    root: tree.root(),
    sequence: 1,
  });
  if (record === undefined) throw new Error('no root');
  expect(isSignedBy(record, trailKey(trailKeys.TRAIL_KEY).publicKey)).toBe(true);
  expect(follows(record, undefined)).toBe(true);
  expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(lines.map((_, index) => index + 1));
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ kind: 'segment', seq: 1, process: expect.any(String) });
  await stack.close();
  await database.drop();
});

describe('the trail of a request while the database does not answer', () => {
  it('names the database, and the checks that the request passed before', async () => {
    const database = new WatchedDatabase();
    const stack = await Stack.start({ persistence: database.module });
    const { token } = await stack.consent({ persona: 'saver' });
    database.failing = true;
    stack.clock.advance(10 * minuteMs);
    const { status } = await stack.ask('/accounts', { token, headers: { 'x-fapi-interaction-id': ids(1) } });
    let event: RequestEvent | undefined;
    await until(async () => {
      event = (await eventsOf(stack.config.trail.directory, 'request')).find(({ id }) => id === ids(1));
      return event !== undefined;
    });
    await stack.close();
    expect([status, event]).toEqual([503, expect.objectContaining({ reason: 'database-unreachable' })]);
    const { reason, checks } = explain(event as never);
    expect(reason?.meaning).toBe('The database did not answer.');
    expect(checks.filter(({ outcome }) => outcome === 'passed').map(({ name }) => name)).toContain('host');
  });
});
