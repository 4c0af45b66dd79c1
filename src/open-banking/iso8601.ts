import { earliestInstantMs, latestInstantMs } from './date-times.js';

/** [startMs, endMs), milliseconds since 1970: the whole of the unit that a text names, from a year to a millisecond. */
export interface TimeSpan {
  readonly startMs: number;
  readonly endMs: number;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;
const secondMs = 1000;

/** Nothing that is meant as a date is longer; a longer text is refused before any pattern sees it. */
const maxLength = 100;

/**
 * Reads a date or date-time of a query in any form of ISO 8601: calendar, ordinal or week date, basic or extended, a
 * complete date with or without a time, that with or without minutes, seconds and a fraction. A zone is ignored: the
 * value is taken as UTC (the standard's "Filtering"). A space where a zone's `+` belongs is that `+`, unescaped.
 *
 * The span is that of the unit named; `24:00`, the moment at which a day ends, is the one empty span. The end of the
 * year 9999 lies just beyond what {@link formatDateTime} can write.
 *
 * @returns undefined when the text has another form, or is not a real date of the years 0001 to 9999.
 */
export function parseQueryDateTime(text: string): TimeSpan | undefined {
  return read(text)?.span;
}

/**
 * Reads a date-time of a JSON body: a complete date and a time in any of the forms of {@link parseQueryDateTime}. The
 * zone holds; without one it is UTC.
 *
 * @returns `text`: unchanged where it is an RFC 3339 date-time, else `YYYY-MM-DDTHH:mm:ss[.fff]±hh:mm` in the same zone
 *   (`-00:00`, which the standard ruled out, becomes `+00:00`); `atMs`: the instant, in milliseconds since 1970.
 *   undefined when the text has another form, or the instant is not of the years 0001 to 9999.
 */
export function parseBodyDateTime(text: string): { text: string; atMs: number } | undefined {
  const reading = read(text);
  if (reading?.zone === undefined || reading.zone.startsWith(' ')) {
    return undefined;
  }
  const offset = offsetOf(reading.zone);
  const localMs = reading.span.startMs;
  const atMs = localMs - offset.ms;
  if (Math.min(localMs, atMs) < earliestInstantMs || Math.max(localMs, atMs) > latestInstantMs) {
    return undefined;
  }
  return {
    text: isRfc3339(text, atMs) ? text : new Date(localMs).toISOString().replace(/(?:\.000)?Z$/, offset.text),
    atMs,
  };
}

/** RFC 3339, section 5.7, has two limits that a pattern cannot say: `:60` is the last second of a UTC day. */
function isRfc3339(text: string, atMs: number): boolean {
  const fields = /^\d{4}-\d\d-\d\dt([01]\d|2[0-3]):\d\d:(\d\d)(?:\.\d+)?(?:z|(?!-00:00)[+-]\d\d:\d\d)$/i.exec(text);
  return fields !== null && (fields[2] !== '60' || ((atMs % dayMs) + dayMs) % dayMs < secondMs);
}

interface Reading {
  readonly span: TimeSpan;
  /** As written, empty where the time has none; absent where there is no time. */
  readonly zone?: string;
}

function read(text: string): Reading | undefined {
  if (text.length > maxLength) {
    return undefined;
  }
  const separator = text.search(/t/i);
  if (separator < 0) {
    const span = readDate(text);
    return span && { span };
  }
  const day = readDate(text.slice(0, separator));
  const time = readTime(text.slice(separator + 1));
  if (day === undefined || time === undefined || day.endMs - day.startMs !== dayMs) {
    return undefined;
  }
  const { startMs, endMs } = time.span;
  return { span: { startMs: day.startMs + startMs, endMs: day.startMs + endMs }, zone: time.zone };
}

function readDate(text: string): TimeSpan | undefined {
  const span = readCalendarDate(text) ?? readOrdinalDate(text) ?? readWeekDate(text);
  // Rules out the year 0000 and the last days of 9999-W52, which are of the year 10000.
  return span && span.startMs >= earliestInstantMs && span.startMs <= latestInstantMs ? span : undefined;
}

function readCalendarDate(text: string): TimeSpan | undefined {
  const fields = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(text);
  if (fields === null) {
    return undefined;
  }
  const year = Number(fields[1]);
  if (fields[2] === undefined) {
    return { startMs: utcDay(year, 1, 1), endMs: utcDay(year + 1, 1, 1) };
  }
  const month = Number(fields[2]);
  if (month < 1 || month > 12) {
    return undefined;
  }
  const nextMonth = utcDay(year, month + 1, 1);
  return fields[3] === undefined
    ? { startMs: utcDay(year, month, 1), endMs: nextMonth }
    : dayOfPeriod(utcDay(year, month, 1), Number(fields[3]), nextMonth);
}

function readOrdinalDate(text: string): TimeSpan | undefined {
  const fields = /^(\d{4})-?(\d{3})$/.exec(text);
  if (fields === null) {
    return undefined;
  }
  const year = Number(fields[1]);
  return dayOfPeriod(utcDay(year, 1, 1), Number(fields[2]), utcDay(year + 1, 1, 1));
}

function readWeekDate(text: string): TimeSpan | undefined {
  const fields = /^(\d{4})(-?)W(\d\d)(?:\2([1-7]))?$/i.exec(text);
  if (fields === null) {
    return undefined;
  }
  const year = Number(fields[1]);
  const week = Number(fields[3]);
  const monday = firstMonday(year) + (week - 1) * 7 * dayMs;
  if (week < 1 || monday >= firstMonday(year + 1)) {
    return undefined;
  }
  const nextMonday = monday + 7 * dayMs;
  return fields[4] === undefined
    ? { startMs: monday, endMs: nextMonday }
    : dayOfPeriod(monday, Number(fields[4]), nextMonday);
}

/** The `ordinal`th day, from 1, of a period. */
function dayOfPeriod(periodStartMs: number, ordinal: number, periodEndMs: number): TimeSpan | undefined {
  const startMs = periodStartMs + (ordinal - 1) * dayMs;
  return ordinal >= 1 && startMs < periodEndMs ? { startMs, endMs: startMs + dayMs } : undefined;
}

/** The Monday of week 1, which is the week that holds 4 January. */
function firstMonday(year: number): number {
  const fourth = utcDay(year, 1, 4);
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs;
}

/** Not `Date.UTC`, which reads the years 0 to 99 as 1900 to 1999. */
function utcDay(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

const timePattern =
  /^(\d\d)(?::(\d\d)(?::(\d\d))?|(\d\d)(\d\d)?)?(?:[.,](\d+))?(z|[+ -](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$/i;

/** The span within its day, from 0 to 24 hours. */
function readTime(text: string): Required<Reading> | undefined {
  const fields = timePattern.exec(text);
  if (fields === null) {
    return undefined;
  }
  const minuteText = fields[2] ?? fields[4];
  const secondText = fields[3] ?? fields[5];
  const [hour, minute, second] = [Number(fields[1]), Number(minuteText ?? 0), Number(secondText ?? 0)];
  const fraction = fields[6] ?? '';
  const zone = fields[7] ?? '';
  if (hour === 24 && minute === 0 && second === 0 && !/[1-9]/.test(fraction)) {
    return { span: { startMs: dayMs, endMs: dayMs }, zone };
  }
  // A leap second ends a minute 59 of some hour in every zone; it is taken as the second after it.
  if (hour > 23 || minute > 59 || second > (minute === 59 ? 60 : 59)) {
    return undefined;
  }
  const unitMs = secondText !== undefined ? secondMs : minuteText !== undefined ? minuteMs : hourMs;
  const baseMs = hour * hourMs + minute * minuteMs + second * secondMs;
  const startMs = baseMs + fractionMs(fraction, 0n, unitMs);
  return { span: { startMs, endMs: Math.max(startMs + 1, baseMs + fractionMs(fraction, 1n, unitMs)) }, zone };
}

/** Whole milliseconds of `0.digits` of a unit, with `extra` added to the last digit. Exact, however many digits. */
function fractionMs(digits: string, extra: bigint, unitMs: number): number {
  return Number(((BigInt(digits) + extra) * BigInt(unitMs)) / 10n ** BigInt(digits.length));
}

function offsetOf(zone: string): { ms: number; text: string } {
  const fields = /^([+-])(\d\d):?(\d\d)?$/.exec(zone);
  const ms = fields === null ? 0 : Number(fields[2]) * hourMs + Number(fields[3] ?? 0) * minuteMs;
  if (fields === null || ms === 0) {
    return { ms: 0, text: '+00:00' };
  }
  return { ms: fields[1] === '-' ? -ms : ms, text: `${fields[1]}${fields[2]}:${fields[3] ?? '00'}` };
}
