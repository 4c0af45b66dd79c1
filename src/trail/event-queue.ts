import { monotonicMs } from '../clock/monotonic.js';
import type { AnyEvent } from './event.js';
import { EventLines, type Done } from './event-lines.js';

/** Events that wait for a disk that stands still; later ones are lost. */
const mostWaiting = 20_000;

/** The events that are not written yet, as lines. */
export class EventQueue {
  private waiting: EventLines;
  /** Those of the last write, whose memory the next one uses. */
  private taken: EventLines;
  private sinceMs = 0;

  constructor(instance: string, release: string) {
    this.waiting = new EventLines(instance, release);
    this.taken = new EventLines(instance, release);
  }

  get length(): number {
    return this.waiting.count;
  }

  /** For how long events have waited without one being taken, in milliseconds. */
  get lagMs(): number {
    return this.length === 0 ? 0 : monotonicMs() - this.sinceMs;
  }

  /** False where no more events can wait. */
  add(event: AnyEvent, done?: Done): boolean {
    if (this.length >= mostWaiting) return false;
    if (this.length === 0) this.sinceMs = monotonicMs();
    this.waiting.add(event, done);
    return true;
  }

  /** Takes the first ones. Those that were taken before must be settled. */
  take(most: number): EventLines {
    [this.waiting, this.taken] = [this.taken, this.waiting];
    this.taken.keep(most, this.waiting);
    this.sinceMs = monotonicMs();
    return this.taken;
  }
}
