import { monotonicMs } from '../clock/monotonic.js';
import type { EventAsJson } from './event-lines.js';

/** Events of each kind of caller that wait for a disk that hangs; later ones are lost. */
const mostWaiting = 20_000;

export interface Waiting extends EventAsJson {
  /** Whether its caller has proven who it is, or the gateway itself made it. */
  readonly isProven: boolean;
  readonly done?: ((error?: Error) => void) | undefined;
}

/** The events that are not written yet. Those of callers who prove nothing take no place of the others, and wait for them. */
export class EventQueue {
  private readonly proven: Waiting[] = [];
  private readonly unproven: Waiting[] = [];
  private sinceMs = 0;

  get length(): number {
    return this.proven.length + this.unproven.length;
  }

  /** For how long events have waited without one being taken, in milliseconds. */
  get lagMs(): number {
    return this.length === 0 ? 0 : monotonicMs() - this.sinceMs;
  }

  /** False where no more events can wait. */
  add(waiting: Waiting): boolean {
    const line = waiting.isProven ? this.proven : this.unproven;
    if (line.length >= mostWaiting) return false;
    if (this.length === 0) this.sinceMs = monotonicMs();
    line.push(waiting);
    return true;
  }

  first(count: number): readonly Waiting[] {
    const first = this.proven.slice(0, count);
    return [...first, ...this.unproven.slice(0, count - first.length)];
  }

  /** @param taken the first ones; others may have come since */
  remove(taken: readonly Waiting[]): void {
    const proven = taken.filter(({ isProven }) => isProven).length;
    this.proven.splice(0, proven);
    this.unproven.splice(0, taken.length - proven);
    this.sinceMs = monotonicMs();
  }
}
