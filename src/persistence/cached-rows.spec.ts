import { beforeEach, describe, expect, it } from '@jest/globals';
import { FedChanges } from './change-feed.js';
import { CachedRows } from './cached-rows.js';

interface Row {
  readonly version: number;
}

/** Rows of one version, which the test raises, each read counted; a read can be held back. */
class Table {
  version = 1;
  reads = 0;
  gate: Promise<void> | undefined;

  readonly read = async (key: string): Promise<Row | undefined> => {
    this.reads++;
    const { version } = this;
    await this.gate;
    return key === 'unknown' ? undefined : { version };
  };
}

describe('kept rows', () => {
  let feed: FedChanges;
  let table: Table;
  let rows: CachedRows<Row>;
  let nowMs: number;

  beforeEach(() => {
    nowMs = 100_000;
    feed = new FedChanges();
    feed.trustUpTo(nowMs);
    table = new Table();
    rows = new CachedRows(feed, table.read, 10, () => nowMs);
  });

  const version = async (): Promise<number | undefined> => (await rows.find('a'))?.version;

  it('are at hand while the feed is trusted', async () => {
    await rows.find('a');
    nowMs += 1_999;
    expect(await rows.find('a')).toEqual({ version: 1 });
    expect(table.reads).toBe(1);
  });

  it('are read by each request from the moment at which the feed is no longer trusted, though nobody said so', async () => {
    await rows.find('a');
    nowMs += 2_000;
    table.version = 2;
    expect([await version(), await version(), table.reads]).toEqual([2, 2, 3]);
  });

  it('are good again when the feed proves that it missed nothing', async () => {
    await rows.find('a');
    nowMs += 5_000;
    await rows.find('a');
    feed.trustUpTo(nowMs - 1_000);
    expect([await version(), table.reads]).toEqual([1, 2]);
  });

  it('are not good by an echo that was sent too long ago, as a paused process hears it', async () => {
    await rows.find('a');
    nowMs += 60_000;
    feed.trustUpTo(nowMs - 2_000);
    table.version = 2;
    expect(await version()).toBe(2);
  });

  it('of an earlier session of the feed are read anew', async () => {
    await rows.find('a');
    feed.distrust();
    feed.trustUpTo(nowMs);
    table.version = 2;
    expect([await version(), await version(), table.reads]).toEqual([2, 2, 2]);
  });

  it('are read again after 60 seconds, counted from when they were asked for', async () => {
    const readFromMs = nowMs;
    let release = (): void => undefined;
    table.gate = new Promise((resolve) => (release = resolve));
    const reading = rows.find('a');
    nowMs += 1_000;
    release();
    await reading;
    feed.trustUpTo(Number.POSITIVE_INFINITY);
    table.version = 2;
    nowMs = readFromMs + 59_999;
    expect(await version()).toBe(1);
    nowMs = readFromMs + 60_000;
    expect([await version(), table.reads]).toEqual([2, 2]);
  });

  it.each<[string, () => void]>([
    ['a row was changed', () => rows.forget('b')],
    ['another session began', () => (feed.distrust(), feed.trustUpTo(nowMs))],
  ])('are not kept when %s while they were read', async (_what, happen) => {
    let release = (): void => undefined;
    table.gate = new Promise((resolve) => (release = resolve));
    const reading = rows.find('a');
    happen();
    release();
    await reading;
    await rows.find('a');
    expect(table.reads).toBe(2);
  });

  it('are not kept when their reading began before the feed was trusted', async () => {
    nowMs += 2_000;
    let release = (): void => undefined;
    table.gate = new Promise((resolve) => (release = resolve));
    const reading = rows.find('a');
    feed.trustUpTo(nowMs);
    release();
    await reading;
    await rows.find('a');
    expect(table.reads).toBe(2);
  });

  it('that are not there are looked for each time', async () => {
    expect([await rows.find('unknown'), await rows.find('unknown'), table.reads]).toEqual([undefined, undefined, 2]);
  });
});
