import type { TransactionQuery } from './core.records.js';
import { localDayOf, localMidnightMs } from './local-times.js';

/** `YYYY-MM-DD`, inclusive; an absent day is open. */
export interface Days {
  readonly firstDay?: string | undefined;
  readonly lastDay?: string | undefined;
}

const dayMs = 86_400_000;
/** The days of databases, less one at each end, where a time zone can move a time into the next day. */
const [earliestMs, latestMs] = [Date.UTC(1000, 0, 2), Date.UTC(9999, 11, 30)];

/**
 * The core's days on which the transactions of a query can be; `undefined` where no time fits.
 *
 * @param timeZone of the core's days; absent where its transactions have a day and no time
 */
export function daysOf(query: TransactionQuery, timeZone: string | undefined): Days | undefined {
  const { from, to, position, read } = query;
  const edgeMs = position?.atMs;
  const firstMs = Math.max(from?.getTime() ?? -Infinity, (read === 'newer' ? edgeMs : undefined) ?? -Infinity);
  const lastMs = Math.min((to?.getTime() ?? Infinity) - 1, (read === 'older' ? edgeMs : undefined) ?? Infinity);
  if (firstMs > lastMs) return undefined;
  const firstDay = firstMs === -Infinity ? undefined : firstDayOf(clamped(firstMs), timeZone);
  const lastDay = lastMs === Infinity ? undefined : lastDayOf(clamped(lastMs), timeZone);
  if (firstDay !== undefined && lastDay !== undefined && firstDay > lastDay) return undefined;
  return { firstDay, lastDay };
}

/** A transaction with a day only is in its place by UTC, and one with a time by the core's time zone. */
function firstDayOf(ms: number, timeZone: string | undefined): string {
  const utcDay = dayOf(Math.ceil(ms / dayMs) * dayMs);
  const localDay = timeZone === undefined ? utcDay : localDayOf(new Date(ms), timeZone);
  return localDay < utcDay ? localDay : utcDay;
}

function lastDayOf(ms: number, timeZone: string | undefined): string {
  const utcDay = dayOf(ms);
  const localDay = timeZone === undefined ? utcDay : localDayOf(new Date(ms), timeZone);
  return localDay > utcDay ? localDay : utcDay;
}

/** Every transaction of the day, which begins at `utcDayMs` in UTC, and of later days is at this time or after it. */
export function startOfDayMs(utcDayMs: number, timeZone: string | undefined): number {
  return timeZone === undefined ? utcDayMs : Math.min(utcDayMs, localMidnightMs(utcDayMs, timeZone));
}

/** Every transaction of the day and of earlier days is before this time. */
export function endOfDayMs(utcDayMs: number, timeZone: string | undefined): number {
  return timeZone === undefined ? utcDayMs + 1 : localMidnightMs(utcDayMs + dayMs, timeZone);
}

export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

const clamped = (ms: number): number => Math.min(Math.max(ms, earliestMs), latestMs);
