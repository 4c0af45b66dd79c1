import { beforeEach, describe, expect, it } from '@jest/globals';
import { CachedRows } from './cached-rows.js';

interface Row {
  readonly version: number;
}

/**
 * A table whose rows have one version, which the test raises. It counts each read, which gives the version at its
 * beginning, and can hold it.
 */
class Table {
  version = 1;
  reads = 0;
  private readonly held: (() => void)[] = [];
  private holds = false;
  fault: Error | undefined;

  readonly read = async (key: string): Promise<Row | undefined> => {
    this.reads++;
    const { version } = this;
    if (this.holds) await new Promise<void>((resolve) => this.held.push(resolve));
    if (this.fault !== undefined) throw this.fault;
    return key === 'unknown' ? undefined : { version };
  };

  /** Reads that begin from now on wait for {@link release}. */
  hold(): void {
    this.holds = true;
  }

  /** Ends one of the reads that are held. */
  release(which: 'oldest' | 'newest' = 'oldest'): void {
    (which === 'oldest' ? this.held.shift() : this.held.pop())?.();
  }

  flow(): void {
    this.holds = false;
    while (this.held.length > 0) this.release();
  }
}

const any = (): boolean => true;
const none = (): boolean => false;

describe('cached rows', () => {
  let table: Table;
  let rows: CachedRows<Row>;
  let nowMs: number;
  beforeEach(() => {
    nowMs = 100_000;
    table = new Table();
    rows = new CachedRows(table.read, () => nowMs);
  });

  const version = async (permits: (row: Row) => boolean = any, key = 'a'): Promise<number | undefined> =>
    (await rows.find(key, permits))?.version;
  const atLeast =
    (least: number) =>
    (row: Row): boolean =>
      row.version >= least;
  /** Lets all work continue that waits for nothing. */
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  describe('that permit', () => {
    it('are used until one second after their read began, to the millisecond', async () => {
      expect(await version()).toBe(1);
      table.version = 2;
      table.hold();
      nowMs += 999;
      expect(await version()).toBe(1);
      nowMs += 1;
      table.flow();
      expect(await version()).toBe(2);
    });

    it('are read again, once, while they serve the last quarter of their second', async () => {
      await version();
      table.version = 2;
      table.hold();
      nowMs += 749;
      expect([await version(), table.reads]).toEqual([1, 1]);
      nowMs += 1;
      expect([await version(), await version(), table.reads]).toEqual([1, 1, 2]);
      table.flow();
      await settle();
      nowMs += 749;
      expect([await version(), table.reads]).toEqual([2, 2]);
    });

    it('are as old as their read is long', async () => {
      table.hold();
      const reading = version();
      table.version = 2;
      nowMs += 999;
      table.flow();
      expect([await reading, await version()]).toEqual([1, 1]);
      nowMs += 1;
      expect(await version()).toBe(2);
    });

    it('are too old after a pause of the process of any length', async () => {
      await version();
      table.version = 2;
      nowMs += 60_000;
      expect(await version()).toBe(2);
    });
  });

  describe('that do not permit', () => {
    it('are read once more, and no row is read twice for one request', async () => {
      await version();
      table.version = 2;
      expect([await version(atLeast(2)), table.reads]).toEqual([2, 2]);
      expect([await version(none), table.reads]).toEqual([2, 3]);
    });

    it('are replaced by the row of the new read', async () => {
      await version();
      table.version = 2;
      await version(atLeast(2));
      expect([await version(), table.reads]).toEqual([2, 2]);
    });
  });

  it('that do not exist are read each time', async () => {
    expect([await version(any, 'unknown'), await version(any, 'unknown'), table.reads]).toEqual([
      undefined,
      undefined,
      2,
    ]);
  });

  describe('that are being read', () => {
    it('are shared by all requests for the same row', async () => {
      table.hold();
      const asked = [version(), version(), version(), version(any, 'b')];
      table.flow();
      expect([await Promise.all(asked), table.reads]).toEqual([[1, 1, 1, 1], 2]);
    });

    it('are not shared one second after they began', async () => {
      table.hold();
      const first = version();
      table.version = 2;
      nowMs += 999;
      const young = version();
      nowMs += 1;
      const old = version();
      table.flow();
      expect([await first, await young, await old, table.reads]).toEqual([1, 1, 2, 2]);
    });

    it('refuse no request that came after their read began: one further read serves all of those', async () => {
      table.hold();
      const first = version(none);
      table.version = 2;
      const later = [version(atLeast(2)), version(none), version(atLeast(2))];
      table.release();
      await settle();
      table.release();
      expect([await first, await Promise.all(later), table.reads]).toEqual([1, [2, 2, 2], 2]);
    });

    it('have one read at a time, also when many requests are refused', async () => {
      await version();
      table.hold();
      let most = 0;
      const asked: Promise<unknown>[] = [];
      for (let round = 0; round < 5; round++) {
        for (let request = 0; request < 100; request++) asked.push(version(none));
        const before = table.reads;
        table.release();
        await settle();
        most = Math.max(most, table.reads - before);
      }
      table.flow();
      await Promise.all(asked);
      expect(most).toBe(1);
      expect(table.reads).toBeLessThanOrEqual(7);
    });

    it('fail for all waiting requests and are not cached, so that the next request reads again', async () => {
      table.hold();
      table.fault = new Error('unreachable');
      const asked = [version(), version(none)].map((asking) => asking.catch((error: Error) => error.message));
      table.flow();
      expect(await Promise.all(asked)).toEqual(['unreachable', 'unreachable']);
      table.fault = undefined;
      expect(await version()).toBe(1);
    });
  });

  it('stay usable for their second while the database is unreachable, and then fail', async () => {
    await version();
    table.fault = new Error('unreachable');
    nowMs += 999;
    expect(await version()).toBe(1);
    nowMs += 1;
    await expect(version()).rejects.toThrow('unreachable');
  });

  describe.each<[string, () => void]>([
    ['are forgotten one by one', () => rows.forget('a')],
    ['are forgotten by their content', () => rows.forgetAll(({ version: of }) => of === 1)],
  ])('that %s', (_name, forget) => {
    it('are read again', async () => {
      await Promise.all([version(), version(any, 'b')]);
      table.version = 2;
      forget();
      expect(await version()).toBe(2);
    });

    it('during their read are neither shared nor cached', async () => {
      table.hold();
      const before = version();
      table.version = 2;
      forget();
      const after = version();
      table.flow();
      expect([await before, await after, await version(), table.reads]).toEqual([1, 2, 2, 2]);
    });

    it('are not replaced by an earlier read that ends last', async () => {
      table.hold();
      const before = version();
      table.version = 2;
      forget();
      const after = version();
      table.release('newest');
      await after;
      table.release();
      expect([await before, await version(), table.reads]).toEqual([1, 2, 2]);
    });
  });

  it('stay when other rows are forgotten', async () => {
    await version();
    rows.forget('b');
    rows.forgetAll(none);
    await version();
    expect(table.reads).toBe(1);
  });
});
