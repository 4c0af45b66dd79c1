import { zoneOffsetMs } from '../../packages/core-adapter/zone-offsets.js';

/** A day for which no time is known, `YYYY-MM-DD`. */
export interface DayOnly {
  readonly date: string;
}

const dayMs = 86_400_000;

/** The first and the last instant that a date-time with a four-digit year can write, in milliseconds since 1970. */
export const earliestInstantMs = Date.parse('0001-01-01T00:00:00.000Z');
export const latestInstantMs = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Milliseconds since 1970; a day without a time counts as its 00:00 UTC.
 *
 * @throws RangeError when it is not a real date, or not of the years 0001 to 9999.
 */
export function instantOf(at: Date | DayOnly): number {
  const ms = 'date' in at ? startOfDay(at.date) : at.getTime();
  if (ms >= earliestInstantMs && ms <= latestInstantMs) {
    return ms;
  }
  throw new RangeError('A date is not a real one of the years 0001 to 9999.');
}

/**
 * The date-time of the wire: UTC with the offset `+00:00`, milliseconds only where there are some. A day without a
 * time is 00:00 of that same calendar day, whatever the bank's zone (the standard's "Date Formats").
 *
 * @throws RangeError as {@link instantOf}.
 */
export function formatDateTime(at: Date | DayOnly): string {
  const ms = instantOf(at);
  const day = Math.floor(ms / dayMs);
  const msOfDay = ms - day * dayMs;
  const millis = msOfDay % 1000;
  const seconds = Math.floor(msOfDay / 1000);
  const hour = twoDigits[Math.floor(seconds / 3600)];
  const minute = twoDigits[Math.floor(seconds / 60) % 60];
  const time = `${hour}:${minute}:${twoDigits[seconds % 60]}`;
  return `${dayText(day)}T${time}${millis === 0 ? '' : `.${String(millis).padStart(3, '0')}`}+00:00`;
}

/**
 * The calendar day `YYYY-MM-DD` that it is at `at` in an IANA time zone; a day without a time is itself.
 *
 * @throws RangeError as {@link instantOf}, or when the runtime does not know the zone.
 */
export function calendarDay(at: Date | DayOnly, timeZone: string): string {
  const ms = instantOf(at);
  return dayText(Math.floor(('date' in at ? ms : ms + zoneOffsetMs(ms, timeZone)) / dayMs));
}

const twoDigits: readonly string[] = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));

// Two caches: docs/operate/performance.md has their figures. Entries are small and never go stale; a full cache is emptied.
const dayTexts = new Map<number, string>();
const startsOfDays = new Map<string, number>();
const mostDays = 8192;

/** 00:00 UTC of a day; NaN if the text is not a real one. */
function startOfDay(date: string): number {
  let ms = startsOfDays.get(date);
  if (ms === undefined) {
    ms = readDay(date);
    if (startsOfDays.size >= mostDays) startsOfDays.clear();
    startsOfDays.set(date, ms);
  }
  return ms;
}

/** The runtime's own parser rolls 30 February over. */
function readDay(date: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date) : Number.NaN;
  return new Date(ms).getUTCDate() === Number(date.slice(8)) ? ms : Number.NaN;
}

/** `YYYY-MM-DD` of a day counted from 1970-01-01. */
function dayText(day: number): string {
  let text = dayTexts.get(day);
  if (text === undefined) {
    text = new Date(day * dayMs).toISOString().slice(0, 10);
    if (dayTexts.size >= mostDays) dayTexts.clear();
    dayTexts.set(day, text);
  }
  return text;
}
