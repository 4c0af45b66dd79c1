import { RowFault } from './core-rows.js';
import type { CalendarDate } from './core.records.js';
import { zoneOffsetMs } from './zone-offsets.js';

const dayMs = 86_400_000;

/** The day that a core writes as `2026-03-29`. @throws RowFault if it is not a day of the years 0001 to 9999 */
export function calendarDate(text: unknown, field: string): CalendarDate {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(utcMs(text, '00:00:00')))
    throw new RowFault(field, 'not a day');
  return { date: text };
}

/**
 * The instant at which the clocks of a time zone show `2026-03-29T09:30:00` or `2026-03-29T09:30:00.250`. A time that
 * they show twice, when they are put back, is the first of the two.
 *
 * @param timeZone an IANA name, such as `Europe/London`
 * @throws RowFault if it is not such a time, or one that the clocks skip when they are put forward
 */
export function instantOf(localDateTime: unknown, timeZone: string, field: string): Date {
  const [, day = '', time = ''] =
    (typeof localDateTime === 'string' && /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d{3})?)$/.exec(localDateTime)) || [];
  const localMs = utcMs(day, time);
  if (Number.isNaN(localMs)) throw new RowFault(field, 'not a local time');
  const atMs = firstInstantMs(localMs, timeZone);
  if (atMs === undefined) throw new RowFault(field, 'a time that the clocks skip');
  return new Date(atMs);
}

/**
 * The first instant of a day in a time zone. It is not midnight where the clocks skip midnight.
 *
 * @throws RowFault if it is not a day, or one that the zone skipped
 */
export function startOfLocalDay({ date }: CalendarDate, timeZone: string, field: string): Date {
  const at = new Date(localMidnightMs(utcMs(calendarDate(date, field).date, '00:00:00'), timeZone));
  if (localDayOf(at, timeZone) !== date) throw new RowFault(field, 'a day that the calendar skips');
  return at;
}

/** The first instant of the day that begins at `utcDayMs` in UTC; where the calendar skips it, of the next day. */
export function localMidnightMs(utcDayMs: number, timeZone: string): number {
  // Clocks that skip midnight omit it at the very instant at which the day begins.
  return firstInstantMs(utcDayMs, timeZone) ?? utcDayMs - zoneOffsetMs(utcDayMs - dayMs, timeZone);
}

/** The day `YYYY-MM-DD` that it is at the instant in a time zone. */
export function localDayOf(instant: Date, timeZone: string): string {
  const ms = instant.getTime();
  return new Date(ms + zoneOffsetMs(ms, timeZone)).toISOString().slice(0, 10);
}

/** The time as if it were UTC; NaN if it does not exist. The runtime's own parser rolls 30 February and 24:00 over. */
function utcMs(day: string, time: string): number {
  const ms = Date.parse(`${day}T${time}Z`);
  return !Number.isNaN(ms) && day >= '0001-01-01' && new Date(ms).toISOString().startsWith(`${day}T${time}`)
    ? ms
    : Number.NaN;
}

/** Clocks that change within a day of the time have one offset a day before it, and a second one a day after it. */
function firstInstantMs(localMs: number, timeZone: string): number | undefined {
  const instants = [localMs - dayMs, localMs + dayMs].map((nearMs) => localMs - zoneOffsetMs(nearMs, timeZone));
  return instants.sort((a, b) => a - b).find((ms) => ms + zoneOffsetMs(ms, timeZone) === localMs);
}
