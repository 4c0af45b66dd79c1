import { LRUCache } from 'lru-cache';
import { monotonicMs } from '../clock/monotonic.js';
import { isTrusted, type ChangeFeed } from './change-feed.js';

/** A row is read again when it was kept for so long, whatever the feed said meanwhile. */
export const keptForMs = 60_000;

interface Kept<Row> {
  readonly row: Row;
  /** When its reading began. */
  readonly readMs: number;
  readonly session: number;
}

/**
 * Rows in memory, each for a minute and only while the feed of their changes is trusted. Otherwise each request reads the
 * row from the store, and nothing is kept.
 */
export class CachedRows<Row extends object> {
  private readonly kept: LRUCache<string, Kept<Row>>;
  /** Rises with every change: what was read before a change must not be kept after it. */
  private generation = 0;

  constructor(
    private readonly feed: ChangeFeed,
    private readonly read: (key: string) => Promise<Row | undefined>,
    max: number,
    private readonly nowMs: () => number = monotonicMs,
  ) {
    this.kept = new LRUCache({ max });
  }

  /** The row, or `undefined` when there is none. */
  async find(key: string): Promise<Row | undefined> {
    const nowMs = this.nowMs();
    if (!isTrusted(this.feed, nowMs)) return this.read(key);
    const kept = this.kept.get(key);
    const isGood = kept !== undefined && kept.session === this.feed.session && nowMs - kept.readMs < keptForMs;
    return isGood ? kept.row : this.readAndKeep(key, nowMs);
  }

  /** The row was changed: by any process, of which the feed told, or by this one, which need not wait for the feed. */
  forget(key: string): void {
    this.generation++;
    this.kept.delete(key);
  }

  /** The same of all rows at hand that `concerns` picks. */
  forgetAll(concerns: (row: Row) => boolean): void {
    this.generation++;
    for (const [key, { row }] of this.kept.entries()) if (concerns(row)) this.kept.delete(key);
  }

  /** Begun while the feed is trusted: each later change of the row is told, or the session ends. */
  private async readAndKeep(key: string, readMs: number): Promise<Row | undefined> {
    const { generation } = this;
    const { session } = this.feed;
    const row = await this.read(key);
    const isUnchanged = generation === this.generation && session === this.feed.session;
    if (row !== undefined && isUnchanged) this.kept.set(key, { row, readMs, session });
    return row;
  }
}
