// Nightly: it loads 160,000 rows, and measures the memory of the process.
import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { loadDelivery } from '../../src/core-banking/adapters/feed/delivery.loader.js';
import { accounts, balances, holders, laterMs, manifest, SmallFeed } from './small-feed.js';

const [few, many] = [20_000, 160_000] as const;

/** A delivery with that number of transactions of one account. */
async function deliveryOf(feed: SmallFeed, rows: number): Promise<string> {
  const folder = join(feed.folder, `rows-${rows}`);
  mkdirSync(folder);
  const facts = manifest({ id: `rows-${rows}`, asOf: `2026-11-21T00:00:${rows === few ? '00' : '01'}Z` });
  const stated = facts.replace(/transactions: .*/, `transactions: { file: transactions.csv, rows: ${rows} }`);
  const small = { 'accounts.csv': accounts, 'holders.csv': holders, 'balances.csv': balances, 'delivery.yaml': stated };
  for (const [name, text] of Object.entries(small)) writeFileSync(join(folder, name), text);
  const file = createWriteStream(join(folder, 'transactions.csv'));
  file.write('ACC,ID,STATE,AT,AMOUNT,TEXT\n');
  for (let row = 0; row < rows; row++) {
    const at = new Date(1_700_000_000_000 + row * 60_000).toISOString();
    if (!file.write(`A1,t${row},POSTED,${at},-1.25,CARD PAYMENT ${row % 977}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
  return folder;
}

/** The most live memory of JavaScript during the load, beyond that before it. */
async function heapOf(feed: SmallFeed, delivery: string): Promise<number> {
  const heap = (): number => {
    globalThis.gc?.();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    return heapUsed + external + arrayBuffers;
  };
  const before = heap();
  let most = before;
  let reports = 0;
  const outcome = await loadDelivery(
    feed.settings,
    delivery,
    {
      file: () => {},
      rows: () => {
        if (reports++ % 8 === 0) most = Math.max(most, heap());
      },
      step: () => (most = Math.max(most, heap())),
      end: () => {},
    },
    laterMs,
  );
  expect(outcome).toMatchObject({ taken: true });
  return most - before;
}

it('a delivery eight times as large takes no more than twice the memory while it is loaded', async () => {
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  globalThis.gc = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
  const feed = new SmallFeed();
  const [small, large] = [await deliveryOf(feed, few), await deliveryOf(feed, many)];
  const ofFew = await heapOf(feed, small);
  const ofMany = await heapOf(feed, large);
  // Below a few megabytes the difference is that of the compiled code.
  expect(ofMany).toBeLessThan(2 * Math.max(ofFew, 8 * 1024 * 1024));
}, 300_000);
