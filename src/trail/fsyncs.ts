import { monotonicMs } from '../clock/monotonic.js';
import type { OpenSegment } from './open-segment.js';

/** A little less than two turns of the writer, so that it is due at every second one. */
const everyMs = 350;

/** Forces a segment to the disk in groups of lines, and knows how late that is. */
export class Fsyncs {
  underWay: Promise<Error | undefined> | undefined;
  /** Since when the oldest line is written, or being written, that no fsync has covered. */
  private unsyncedSinceMs: number | undefined;
  /** The same for the fsync that is under way. */
  private syncingSinceMs: number | undefined;
  /** When the last one began. */
  private lastMs = 0;

  get isDue(): boolean {
    return monotonicMs() - this.lastMs >= everyMs;
  }

  get lateMs(): number {
    const sinceMs = this.syncingSinceMs ?? this.unsyncedSinceMs;
    return sinceMs === undefined ? 0 : monotonicMs() - sinceMs;
  }

  /** A line is being written. */
  wrote(): void {
    this.unsyncedSinceMs ??= monotonicMs();
  }

  /** Every line was forced to the disk, with the end of its segment. */
  done(): void {
    this.unsyncedSinceMs = undefined;
  }

  /** Forces all lines up to now, or joins the fsync that is under way. @returns its error */
  force(segment: OpenSegment): Promise<Error | undefined> {
    this.underWay ??= this.run(segment).finally(() => (this.underWay = undefined));
    return this.underWay;
  }

  private async run(segment: OpenSegment): Promise<Error | undefined> {
    if (this.unsyncedSinceMs === undefined) return undefined;
    this.lastMs = monotonicMs();
    this.syncingSinceMs = this.unsyncedSinceMs;
    this.unsyncedSinceMs = undefined;
    try {
      await segment.sync();
      return undefined;
    } catch (error) {
      return error as Error;
    } finally {
      this.syncingSinceMs = undefined;
    }
  }
}
