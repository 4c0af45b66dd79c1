import { monotonicMs } from '../clock/monotonic.js';
import type { Waiting } from './event-queue.js';
import type { AnyEvent } from './event.js';

type UnwrittenEvent = Pick<Waiting, 'event' | 'done'>;

/** Counts the events that the writer lost, and keeps the withdrawals that it could not write, for its next attempt. */
export class UnwrittenEvents {
  lost = 0;
  /** Lost events that no line counts yet. */
  untold = 0;
  private readonly overdue: AnyEvent[] = [];
  private overdueSinceMs: number | undefined;

  /** For how long a withdrawal has waited since it could not be written. */
  get lagMs(): number {
    return this.overdueSinceMs === undefined ? 0 : monotonicMs() - this.overdueSinceMs;
  }

  /** The withdrawals to be written again. The writer gives them a callback, so that it forces them to the disk at once. */
  take(): readonly AnyEvent[] {
    return this.overdue.splice(0);
  }

  reject(unwritten: readonly UnwrittenEvent[], error: Error): void {
    const lost = unwritten.length - this.keep(unwritten);
    this.lost += lost;
    this.untold += lost;
    for (const { done } of unwritten) done?.(error);
  }

  /** The lines of the events are in the file. @param fault of their fsync: after it the lines may be lost or not */
  settle(written: readonly UnwrittenEvent[], fault: Error | undefined): void {
    if (fault !== undefined) this.keep(written);
    else if (this.overdue.length === 0) this.overdueSinceMs = undefined;
    for (const { done } of written) done?.(fault);
  }

  /** @returns how many of the events are withdrawals */
  private keep(unwritten: readonly UnwrittenEvent[]): number {
    const withdrawals = unwritten.filter(isWithdrawal);
    this.overdue.push(...withdrawals.map(({ event }) => event));
    if (withdrawals.length > 0) this.overdueSinceMs ??= monotonicMs();
    return withdrawals.length;
  }
}

export function isWithdrawal({ event }: Pick<UnwrittenEvent, 'event'>): boolean {
  return event.kind === 'withdrawal';
}
