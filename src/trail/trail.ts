import type { AnyEvent } from './event.js';

/** What the trail does while it cannot be written: count what is lost, or refuse requests. */
export type TrailFault = 'count' | 'refuse';

/** Takes the events of the whole gateway. */
export abstract class Trail {
  abstract readonly fault: TrailFault;

  /** Milliseconds since 1970 of the clock by which events are dated. */
  abstract nowMs(): number;

  /** Writes the event within a second; never fails. */
  abstract record(event: AnyEvent): void;

  /** Resolves when the event is in its segment; rejects when it could not be written, and counts it as lost. */
  abstract written(event: AnyEvent): Promise<void>;

  /** With `refuse`: whether no request may be answered now, because its event would not be kept. */
  abstract get isAway(): boolean;
}
