import { monotonicMs } from '../clock/monotonic.js';
import type { AnyEvent } from './event.js';

/** Events that wait for a disk that stands still; later ones are lost. */
const mostWaiting = 20_000;

export interface Waiting {
  readonly event: AnyEvent;
  readonly done: ((error?: Error) => void) | undefined;
}

/** The events that are not written yet. */
export class EventQueue {
  private events: Waiting[] = [];
  private sinceMs = 0;

  get length(): number {
    return this.events.length;
  }

  /** For how long events have waited without one being taken, in milliseconds. */
  get lagMs(): number {
    return this.events.length === 0 ? 0 : monotonicMs() - this.sinceMs;
  }

  /** False where no more events can wait. */
  add(event: AnyEvent, done: Waiting['done']): boolean {
    if (this.events.length >= mostWaiting) return false;
    if (this.events.length === 0) this.sinceMs = monotonicMs();
    this.events.push({ event, done });
    return true;
  }

  first(count: number): readonly Waiting[] {
    return this.events.slice(0, count);
  }

  remove(count: number): void {
    this.events.splice(0, count);
    this.sinceMs = monotonicMs();
  }
}
