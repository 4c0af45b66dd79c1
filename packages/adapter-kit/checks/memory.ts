import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { CoreAdapter } from '../../core-adapter/core.adapter.js';
import type { TransactionQuery } from '../../core-adapter/core.records.js';
import type { Strike } from '../core-proxy.js';
import { edgeOf, history, type Subject } from '../reads.js';
import type { World } from '../world.js';

const page = { read: 'older', limit: 1000 } as const;
const longHistory = 50_000;
/** The bytes that an adapter may hold beyond those at rest: a page and its JSON, several times over. */
const memoryLimit = 8 * 1024 * 1024;

/** Live memory while 50,000 rows are read page by page. */
export async function memoryIsBounded(world: World): Promise<void> {
  const subject = world.need(
    `account with ${longHistory.toLocaleString('en')} transactions`,
    ({ truth }) => truth.account.permitted && (truth.transactions?.length ?? 0) >= longHistory,
  );
  // One that has not yet read this account.
  await world.with(async (adapter) => {
    // Another account first, so that what is loaded and compiled on the way is there at rest.
    const small = world.richest('transactions');
    for (let time = 0; time < 20; time++) await history(adapter, small, page);
    const memory = new LiveMemory();
    const rows = await readMeasured(world, adapter, subject, memory);
    assert.equal(rows, subject.truth.transactions?.length, 'rows read');
    memory.sample();
    assert.ok(
      memory.grown < memoryLimit,
      `${Math.round(memory.grown / 1024 / 1024)} MiB more than at rest while reading ${longHistory} transactions: ` +
        `at most ${memoryLimit / 1024 / 1024} are a page`,
    );
  });
}

/** Reads the whole history. Measures at a few of its pages, and in the middle of reading. @returns how many rows there were */
async function readMeasured(world: World, adapter: CoreAdapter, subject: Subject, memory: LiveMemory): Promise<number> {
  let answers = 0;
  let pages = 0;
  let rows = 0;
  const isSampled = (index: number): boolean => Number.isInteger(Math.log2(index));
  const strike = (): Strike => {
    if (isSampled(++answers)) setImmediate(() => memory.sample());
    return { kind: 'pass' };
  };
  await world.under({ strike }, async () => {
    const ends = new Set<string>();
    // The pages themselves are not kept: what stays is the adapter's.
    for (let position: TransactionQuery['position']; ;) {
      const found = await history(adapter, subject, { ...page, position });
      rows += found.items.length;
      if (isSampled(++pages)) memory.sample();
      const last = edgeOf(found, 'older');
      if (!found.more || last === undefined) break;
      assert.ok(!ends.has(last.id), 'a page ends where an earlier one ended');
      ends.add(last.id);
      position = last;
    }
  });
  return rows;
}

/** The memory of this process after a garbage collection, less the memory at first. */
class LiveMemory {
  private readonly collectGarbage = garbageCollector();
  private readonly atRest = this.live();
  private most = this.atRest;

  sample(): void {
    this.most = Math.max(this.most, this.live());
  }

  get grown(): number {
    return this.most - this.atRest;
  }

  private live(): number {
    // Twice: what the first has found to be unreachable may have held more.
    this.collectGarbage();
    this.collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  }
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
