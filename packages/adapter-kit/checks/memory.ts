import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { CoreAdapter, CoreTransactionsRead } from '../../core-adapter/core.adapter.js';
import type { TransactionQuery } from '../../core-adapter/core.records.js';
import type { Strike } from '../core-proxy.js';
import { edgeOf, history, type Subject } from '../reads.js';
import type { World } from '../world.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const page = { read: 'older', limit: 1000 } as const;
const longHistory = 50_000;
/** The bytes that an adapter may hold beyond those it held before: a page and its JSON, several times over. */
const memoryLimit = 8 * 1024 * 1024;
/** The bytes that an adapter may hold when all rows are read; 50,000 ids alone take five times as much. */
const heldLimit = 512 * 1024;
/** Pages of the history that an adapter may still hold after it has answered the last one. */
const pageLimit = 8;

/** Other work in this process may take or free memory in between. An adapter that holds rows holds them every time. */
const attempts = 3;

/** Live memory while 50,000 rows are read page by page, and the pages that the adapter holds after it. */
export async function memoryIsBounded(world: World): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readInBoundedMemory(world);
    } catch (error) {
      if (!(error instanceof MemoryFault) || attempt === attempts) throw error;
    }
  }
}

class MemoryFault extends assert.AssertionError {}

async function readInBoundedMemory(world: World): Promise<void> {
  const subject = world.need(
    `account with ${longHistory.toLocaleString('en')} transactions`,
    ({ truth }) => truth.account.permitted && (truth.transactions?.length ?? 0) >= longHistory,
  );
  let withAdapter = 0;
  // A new adapter, which has not read this account yet.
  await world.with(async (adapter) => {
    // Reads another account first, so that code loaded and compiled by a read is part of the baseline.
    const small = world.richest('transactions');
    for (let time = 0; time < 20; time++) await history(adapter, small, page);
    const memory = new LiveMemory();
    const pages = new HandedOut();
    const rows = await readMeasured(world, adapter, subject, memory, pages);
    assert.equal(rows, subject.truth.transactions?.length, 'rows read');
    memory.sample();
    const kept = await pages.kept();
    // A page that is still held is held every time.
    assert.ok(
      kept <= pageLimit,
      `${kept} pages of ${longHistory} transactions are still held after the last was read: at most ${pageLimit} may be`,
    );
    need(
      memory.grown < memoryLimit,
      `memory grew by ${Math.round(memory.grown / 1024 / 1024)} MiB while ${longHistory} transactions were read: ` +
        `at most ${memoryLimit / 1024 / 1024} are a page`,
    );
    // Once, after that for the pages.
    withAdapter = live(1);
  });
  // The adapter has gone, and all that it held with it.
  await nextTurn();
  const held = withAdapter - live();
  need(
    held < heldLimit,
    `the adapter holds ${Math.round(held / 1024)} KiB after it has read ${longHistory} transactions, such as their ids: ` +
      `at most ${heldLimit / 1024} KiB may stay`,
  );
}

function need(holds: boolean, message: string): void {
  if (!holds) throw new MemoryFault({ message });
}

/** Reads the whole history. Measures at a few of its pages, and in the middle of reading. @returns how many rows there were */
async function readMeasured(
  world: World,
  adapter: CoreAdapter,
  subject: Subject,
  memory: LiveMemory,
  handedOut: HandedOut,
): Promise<number> {
  let answers = 0;
  let pages = 0;
  let rows = 0;
  // Each sample collects all garbage of the process. The last one within a read sees at least half of its memory.
  const isSampled = (index: number, base: 2 | 4): boolean => Number.isInteger(Math.log2(index) / Math.log2(base));
  const strike = (): Strike => {
    if (isSampled(++answers, 2)) setImmediate(() => memory.sample());
    return { kind: 'pass' };
  };
  await world.under({ strike }, async () => {
    const ends = new Set<string>();
    // The check keeps no page, so any page that stays is held by the adapter.
    for (let position: TransactionQuery['position']; ;) {
      const found = await history(adapter, subject, { ...page, position });
      handedOut.add(found);
      rows += found.items.length;
      if (isSampled(++pages, 4)) memory.sample();
      const last = edgeOf(found, 'older');
      if (!found.more || last === undefined) break;
      assert.ok(!ends.has(last.id), 'a page ends where an earlier one ended');
      ends.add(last.id);
      position = last;
    }
  });
  return rows;
}

/** The pages that an adapter answered. It says which of them still exist, whatever else takes or frees memory. */
class HandedOut {
  private readonly pages: (readonly WeakRef<object>[])[] = [];

  add(read: CoreTransactionsRead): void {
    const [first] = read.items;
    const parts = [read, read.items, ...(first === undefined ? [] : [first])];
    this.pages.push(parts.map((part) => new WeakRef(part)));
  }

  async kept(): Promise<number> {
    // The language keeps the target of a WeakRef until the turn in which the program last used it ends.
    await nextTurn();
    collectGarbage();
    return this.pages.filter((parts) => parts.some((part) => part.deref() !== undefined)).length;
  }
}

/**
 * By how much this process holds more than it held at any moment before. Other things in it free memory meanwhile, such
 * as code that the engine has not used for a while: against the first moment alone that would hide as much growth.
 */
class LiveMemory {
  private least = live();
  grown = 0;

  sample(): void {
    let now = live(1);
    // The second collection takes as long as the first, and matters where the first would say that memory has grown too far.
    if (now - this.least >= memoryLimit) now = live(1);
    this.least = Math.min(this.least, now);
    this.grown = Math.max(this.grown, now - this.least);
  }
}

/** @param collections two, unless the caller repeats: the objects that the first frees may have held others */
function live(collections: 1 | 2 = 2): number {
  for (let time = 0; time < collections; time++) collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
