import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConsentStore } from '../../src/consents/consent.store.js';
import { minuteMs, Stack, type ConsentedCustomer } from '../support/stack.js';
import { WatchedDatabase } from '../support/watched-database.js';

const present = { 'x-fapi-customer-ip-address': '203.0.113.7' };

describe('a consent that the gateway caches for a second', () => {
  const database = new WatchedDatabase();
  let stack: Stack;
  /** The store of another process. */
  let elsewhere: ConsentStore;
  let customer: ConsentedCustomer;
  beforeAll(async () => {
    const rules = { unattendedAccess: { mode: 'enforce' as const, limit: 1 } };
    stack = await Stack.start({ persistence: database.module, rules });
    elsewhere = new ConsentStore(database.prisma);
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    customer = await stack.consent({ persona: 'complete', authenticatedAgoMs: 10 * minuteMs });
    database.statements.length = 0;
  });

  const get = async (path: string, headers: Record<string, string> = present, token = customer.token) =>
    (await stack.ask(path, { token, headers })).status;
  const consentReads = (): number => database.statements.filter((sql) => sql.includes('FROM consents')).length;
  const authenticateElsewhere = async (): Promise<void> => {
    const now = new Date(stack.clock.nowMs());
    await elsewhere.reauthenticate(customer.consentId, customer.customerRef, now, now);
  };

  it('costs at most one statement a second, for any number of requests', async () => {
    const beganMs = performance.now();
    for (let round = 0; round < 50; round++) expect(await get('/accounts')).toBe(200);
    const seconds = (performance.now() - beganMs) / 1_000;
    expect(consentReads()).toBeLessThanOrEqual(1 + Math.floor(seconds));
  });

  it('costs one statement for a burst of six requests with different tokens', async () => {
    const { consentId } = customer;
    const tokens = await Promise.all(
      Array.from({ length: 6 }, () => stack.bank.mintToken({ clientId: 'tpp-one', consentId })),
    );
    const beganMs = performance.now();
    expect(await Promise.all(tokens.map((token) => get('/accounts', present, token)))).toEqual(Array(6).fill(200));
    const seconds = (performance.now() - beganMs) / 1_000;
    expect(consentReads()).toBeLessThanOrEqual(1 + Math.floor(seconds));
  });

  it('does not close the authentication window of a customer who has just authenticated at another process', async () => {
    const party = `/accounts/${customer.accountId('Savings')}/party`;
    expect([await get('/accounts'), await get(party)]).toEqual([200, 403]);
    await authenticateElsewhere();
    expect(await get(party)).toBe(200);
  });

  it('does not limit reads right after the customer authenticated at another process', async () => {
    const balances = `/accounts/${customer.accountId('Savings')}/balances`;
    expect([await get(balances, {}), await get(balances, {})]).toEqual([200, 429]);
    await authenticateElsewhere();
    expect([await get(balances, {}), await get(balances, {})]).toEqual([200, 200]);
  });

  it('refuses with 503, and not with a decision, where it cannot be read again', async () => {
    const party = `/accounts/${customer.accountId('Savings')}/party`;
    expect(await get('/accounts')).toBe(200);
    database.failing = true;
    const status = await get(party);
    database.failing = false;
    expect(status).toBe(503);
  });
});
