import { monotonicMs } from '../clock/monotonic.js';
import { recentlyUsed } from './recently-used.js';

/** How long a row is used after its read began. */
export const cachedForMs = 1_000;
/** A row of this age is read again while it serves requests, so that those of a busy TPP seldom wait for the database. */
const readAgainAfterMs = 750;
/** More rows than one process reads in that time. */
const mostRows = 10_000;

interface Read<Row> {
  readonly beganMs: number;
  readonly row: Promise<Row | undefined>;
  /** Begins when this read ends. It serves the requests that came after this read began and that its row does not permit. */
  next?: Promise<Row | undefined>;
}

/**
 * Rows in memory, each for one second after its read began. So a request that comes more than a second after a change at
 * another process sees the change, also behind a pooler that connects to the primary, and also after a pause of this
 * process: each use compares the age of the row by monotonic time.
 *
 * A cached row can only permit a request. Before a refusal the row is read again, so that a permission which another process gave is
 * valid here at once. At most one read of a row is under way, and requests share it.
 */
export class CachedRows<Row extends object> {
  private readonly cache = recentlyUsed<{ readonly row: Row; readonly beganMs: number }>(mostRows);
  private readonly reads = new Map<string, Read<Row>>();

  constructor(
    private readonly read: (key: string) => Promise<Row | undefined>,
    private readonly nowMs: () => number = monotonicMs,
  ) {}

  /** A row of the last second, if `permits` accepts it. */
  cached(key: string, permits: (row: Row) => boolean): Row | undefined {
    const cached = this.cache.get(key);
    if (cached === undefined || !this.isYounger(cached.beganMs, cachedForMs) || !permits(cached.row)) return undefined;
    // Where this read fails, the requests of the next second meet the failure.
    if (!this.isYounger(cached.beganMs, readAgainAfterMs) && !this.reads.has(key)) void this.begin(key);
    return cached.row;
  }

  /**
   * The same, or else the row as it is now, or `undefined` where it does not exist. Rejects with the error of the read.
   */
  async find(key: string, permits: (row: Row) => boolean): Promise<Row | undefined> {
    const cached = this.cached(key, permits);
    if (cached !== undefined) return cached;
    const underWay = this.reads.get(key);
    if (underWay === undefined) return this.begin(key);
    if (this.isYounger(underWay.beganMs, cachedForMs)) {
      const row = await underWay.row;
      if (row !== undefined && permits(row)) return row;
    }
    // Where the present read fails, the database is unreachable: start no other read.
    underWay.next ??= underWay.row.then(() => this.begin(key));
    return underWay.next;
  }

  /** Forgets a row that this process has changed, or may have changed: a read that began before is not used any more. */
  forget(key: string): void {
    this.cache.delete(key);
    this.reads.delete(key);
  }

  forgetAll(concerns: (row: Row) => boolean): void {
    for (const [key, { row }] of this.cache.entries()) if (concerns(row)) this.cache.delete(key);
    // The reads under way may bring any row, so forget them all.
    this.reads.clear();
  }

  private isYounger(beganMs: number, thanMs: number): boolean {
    return this.nowMs() - beganMs < thanMs;
  }

  private begin(key: string): Promise<Row | undefined> {
    const read: Read<Row> = { beganMs: this.nowMs(), row: this.read(key) };
    this.reads.set(key, read);
    const end = (row?: Row): void => {
      // Forgotten meanwhile: the row may be older than the change.
      if (this.reads.get(key) !== read) return;
      this.reads.delete(key);
      if (row !== undefined) this.cache.set(key, { row, beganMs: read.beganMs });
    };
    read.row.then(end, () => end());
    return read.row;
  }
}
