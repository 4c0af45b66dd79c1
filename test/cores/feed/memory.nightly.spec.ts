// Nightly: it loads 50,000 records, and measures the memory of the process.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { kitServices } from '../../../packages/adapter-kit/kit-services.js';
import type { CoreAdapter } from '../../../packages/core-adapter/core.adapter.js';
import { createAdapter } from '../../../src/core-banking/adapters/feed/feed.adapter.js';
import { people } from '../../adapter-kit/tiny-people.js';
import { memoryOfHistory } from '../../support/live-memory.js';
import { FeedBank } from './feed-bank.js';
import { writtenShape } from './written-shape.js';

const customerRef = 'boris-0002';
const accountRef = 'A-20001';
const count = 50_000;
const firstMs = Date.parse('2020-06-01T00:00:00Z');

let bank: FeedBank;
let adapter: CoreAdapter;
beforeAll(async () => {
  const accounts = new Map(people.get(customerRef));
  const transactions = Array.from({ length: count }, (_, index) => ({
    id: `n${index}`,
    status: 'booked' as const,
    at: new Date(firstMs + index * 3_600_000),
    amount: { minorUnits: -1n, currency: 'GBP' },
  }));
  const truth = accounts.get(accountRef);
  if (truth === undefined) throw new Error('the customer has no such account');
  accounts.set(accountRef, { ...truth, transactions });
  bank = new FeedBank({ ...writtenShape('Etc/UTC'), people: new Map([[customerRef, accounts]]) });
  await bank.mustDeliver();
  const { url, variables = {}, replica } = bank.core;
  const clock = { nowMs: () => replica?.asOfMs() ?? 0 };
  adapter = await createAdapter({ url, connections: 1, variables }, { ...kitServices, clock });
});
afterAll(async () => {
  await adapter.close();
  await bank.core.close();
});

it('a history of 50,000 transactions is read with the memory of a few pages', async () => {
  const { rows, grown } = await memoryOfHistory(adapter, { customerRef, accountRef });
  expect(rows).toBe(count);
  // The rows of the whole history take several times as much.
  expect(grown).toBeLessThan(4 * 1024 * 1024);
});
