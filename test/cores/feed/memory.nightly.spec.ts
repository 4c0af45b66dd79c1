// Nightly: it loads 50,000 records, and measures the memory of the process.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kitServices } from '../../../packages/adapter-kit/kit-services.js';
import type { CoreAdapter } from '../../../packages/core-adapter/core.adapter.js';
import { createAdapter } from '../../../src/core-banking/adapters/feed/feed.adapter.js';
import { memoryOfHistory } from '../../support/live-memory.js';
import { FeedBank } from './feed-bank.js';
import { MappedShape } from './mapped-shape.js';

const customerRef = '4002';
const accountRef = '100012';
const count = 50_000;
const firstMs = Date.parse('2020-06-01T00:00:00Z');

let bank: FeedBank;
let adapter: CoreAdapter;
beforeAll(async () => {
  const transactions = Array.from({ length: count }, (_, index) => ({
    id: `n${index}`,
    status: 'booked' as const,
    at: new Date(firstMs + index * 3_600_000),
    amount: { minorUnits: -1n, currency: 'GBP' },
  }));
  const shape = new MappedShape(readFileSync(join(import.meta.dirname, 'every-field.yaml'), 'utf8'));
  const [truth] = shape.people.get(customerRef) ?? [];
  if (truth === undefined) throw new Error('there is no such customer');
  const people = new Map([[customerRef, [{ ...truth, transactions }]]]);
  bank = new FeedBank(Object.assign(Object.create(shape) as MappedShape, { people }));
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
