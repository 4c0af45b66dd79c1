import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endpoints } from '../../src/resources/endpoints.js';
import { Stack, type Answer, type ConsentedCustomer } from '../support/stack.js';

describe('a misspelt query parameter', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  beforeAll(async () => {
    stack = await Stack.start();
    customer = await stack.consent({ persona: 'complete' });
  });
  afterAll(() => stack.close());

  const transactions = (query: string): Promise<Answer> =>
    stack.ask(`/accounts/${customer.accountId('CurrentAccount')}/transactions${query}`, { token: customer.token });

  it.each([
    ['fromDate', 'The parameter fromDate is ignored: its name is fromBookingDateTime'],
    ['FromDate', 'The parameter fromDate is ignored: its name is fromBookingDateTime'],
    ['from_date', 'The parameter fromDate is ignored: its name is fromBookingDateTime'],
    ['frombookingdatetime', 'A parameter is ignored because it is not spelt exactly fromBookingDateTime'],
    ['fromBookingDateTime[]', 'A parameter is ignored because it is not spelt exactly fromBookingDateTime'],
    ['to', 'The parameter to is ignored: its name is toBookingDateTime'],
    ['x=1&amp;toBookingDateTime', 'The parameter amp;toBookingDateTime is ignored: its name is toBookingDateTime'],
    ['x=1&amp;page', 'The parameter amp;page is ignored: its name is page'],
    ['x=1&amp;fromdate', 'The parameter amp;fromDate is ignored: its name is fromBookingDateTime'],
    ['cursor', 'The parameter cursor is ignored: its name is page'],
  ])('%s is ignored, and a header says so and names the right one', async (asked, warning) => {
    const right = await transactions('');
    const near = await transactions(`?${asked}=2020-01-01`);
    expect([near.status, near.json.Data]).toEqual([200, right.json.Data]);
    expect(near.headers['warning']).toBe(`299 - "${warning}"`);
    expect(right.headers).not.toHaveProperty('warning');
  });

  it('is named in the access record, without its value', async () => {
    await transactions('?fromDate=2020-01-01&toDate=2020-02-02');
    const record = stack.log.findLast((line) => line.includes('"access"')) ?? '';
    expect(JSON.parse(record)).toMatchObject({ access: { ignoredParameters: ['fromDate', 'toDate'] } });
    expect(record).not.toContain('2020-0');
  });

  it.each([
    ['a stranger', '?limit=3'],
    ['hostile bytes', '?from%0d%0aSet-Cookie:x=1'],
    ['a near name with a tail of hostile bytes', '?fromDate%22%0d%0aX-Evil:%201=1'],
    ['a name of 10,000 letters', `?${'fromDate'.repeat(1_250)}=1`],
    ['a right one', '?fromBookingDateTime=2026-06-01'],
  ])('is not seen in %s', async (_what, query) => {
    const { status, headers } = await transactions(query);
    expect([status, headers['warning'], headers['set-cookie'], headers['x-evil']]).toEqual([
      200,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is never the name of a real parameter', () => {
    for (const { query } of endpoints) {
      if (query === undefined) continue;
      expect(Object.keys(query.parameters)).toEqual(expect.arrayContaining(Object.keys(query.nearMisses)));
      const misses = Object.values(query.nearMisses).flat();
      expect(misses.filter((miss) => Object.hasOwn(query.parameters, miss))).toEqual([]);
      expect(new Set(misses).size).toBe(misses.length);
    }
  });
});
