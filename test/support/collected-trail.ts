import type { AnyEvent } from '../../src/trail/event.js';
import { Trail } from '../../src/trail/trail.js';

/** Keeps the events in memory. */
export class CollectedTrail extends Trail {
  readonly events: AnyEvent[] = [];
  readonly fault = 'count';
  readonly mustRefuse = false;

  constructor(private readonly clock: { nowMs(): number } = { nowMs: () => 0 }) {
    super();
  }

  override nowMs(): number {
    return this.clock.nowMs();
  }

  override record(event: AnyEvent): void {
    this.events.push(event);
  }

  override written(event: AnyEvent): Promise<void> {
    this.record(event);
    return Promise.resolve();
  }
}
