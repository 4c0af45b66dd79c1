import { LRUCache } from 'lru-cache';
import { monotonicMs } from '../clock/monotonic.js';

/** A row is used for so long after its read began, and no longer. */
export const keptForMs = 1_000;
/** More rows than one process reads in that time. */
const mostRows = 10_000;

/** A read that is under way. */
interface Read<Row> {
  readonly beganMs: number;
  readonly row: Promise<Row | undefined>;
  /** Begins when this one ends, for the requests that came after this one had begun and that its row does not permit. */
  next?: Promise<Row | undefined>;
}

/**
 * Rows in memory, each for one second after its read began. A change at another process is therefore seen by every request
 * that comes more than a second after it, whatever lies between this process and the database, and also after a pause of
 * this process: the age of a row is judged at each use, by monotonic time.
 *
 * A kept row only ever permits. For a refusal the row is read again, so that a permission given at another process is good
 * here at once. A row has at most one read under way, which requests share.
 */
export class KeptRows<Row extends object> {
  private readonly kept = new LRUCache<string, { readonly row: Row; readonly beganMs: number }>({ max: mostRows });
  private readonly reads = new Map<string, Read<Row>>();

  constructor(
    private readonly read: (key: string) => Promise<Row | undefined>,
    private readonly nowMs: () => number = monotonicMs,
  ) {}

  /**
   * A row of the last second, if `permits` holds of it; otherwise the row as it is now, or `undefined` where there is none.
   * Rejects with the error of the read.
   */
  async find(key: string, permits: (row: Row) => boolean): Promise<Row | undefined> {
    const kept = this.kept.get(key);
    if (kept !== undefined && this.isYoung(kept.beganMs) && permits(kept.row)) return kept.row;
    const underWay = this.reads.get(key);
    if (underWay === undefined) return this.begin(key);
    if (this.isYoung(underWay.beganMs)) {
      const row = await underWay.row;
      if (row !== undefined && permits(row)) return row;
    }
    // Where the read under way fails, no other is tried: the database is away.
    underWay.next ??= underWay.row.then(() => this.begin(key));
    return underWay.next;
  }

  /** This process has changed the row, or may have: no read that began before counts any more. */
  forget(key: string): void {
    this.kept.delete(key);
    this.reads.delete(key);
  }

  /** The same for every row of which `concerns` holds. */
  forgetAll(concerns: (row: Row) => boolean): void {
    for (const [key, { row }] of this.kept.entries()) if (concerns(row)) this.kept.delete(key);
    // Which rows they bring is not known yet.
    this.reads.clear();
  }

  private isYoung(beganMs: number): boolean {
    return this.nowMs() - beganMs < keptForMs;
  }

  private begin(key: string): Promise<Row | undefined> {
    const read: Read<Row> = { beganMs: this.nowMs(), row: this.read(key) };
    this.reads.set(key, read);
    const end = (row?: Row): void => {
      // Forgotten meanwhile: the row may be that of before the change.
      if (this.reads.get(key) !== read) return;
      this.reads.delete(key);
      if (row !== undefined) this.kept.set(key, { row, beganMs: read.beganMs });
    };
    read.row.then(end, () => end());
    return read.row;
  }
}
