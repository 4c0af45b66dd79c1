import { randomUUID } from 'node:crypto';
import { causingRequest } from './cause.js';
import type { AnyEvent, AuthorisationEvent, ConsentEvent, RequestEvent, TppEvent } from './event.js';
import type { OperatorEvent, OutageEvent } from './operator-event.js';

/** While the trail cannot be written, the gateway counts lost events, or refuses requests. */
export type TrailFault = 'count' | 'refuse';

type UnnamedEvent<Event> = Event extends unknown ? Omit<Event, 'id' | 'at' | 'interactionId'> : never;

/** An event that happens now, before it has an id. */
export type Happening = UnnamedEvent<ConsentEvent | AuthorisationEvent | OperatorEvent | TppEvent | OutageEvent>;

/** Takes the events of the whole gateway. */
export abstract class Trail {
  abstract readonly fault: TrailFault;

  /** Milliseconds since 1970 of the clock by which events are dated. */
  abstract nowMs(): number;

  /**
   * Writes the event, which changes no more, within a second; never fails.
   * @param isProven false for the event of a caller who has proven nothing: it takes no other event's place
   */
  abstract record(event: AnyEvent, isProven?: boolean): void;

  /** Resolves when the event is on the disk; rejects when it could not be written, or forced to the disk. */
  abstract written(event: AnyEvent, isProven?: boolean): Promise<void>;

  /** The event of a caller who has proven nothing; `undefined` where it is counted with others of its second. */
  unlessCounted(event: RequestEvent): RequestEvent | undefined {
    return event;
  }

  /** Writes the event of a caller who has proven nothing, or counts it. */
  recordUnproven(event: RequestEvent): void {
    const alone = this.unlessCounted(event);
    if (alone !== undefined) this.record(alone, false);
  }

  /** With `refuse`: whether no request may be answered now, because its event would not be kept. */
  abstract get mustRefuse(): boolean;

  /** Records what happens now, caused by the request that is being answered, if one is. */
  happened(happening: Happening): void {
    const at = new Date(this.nowMs()).toISOString();
    this.record({ id: randomUUID(), at, interactionId: causingRequest.getStore(), ...happening });
  }
}
