import type { CalendarDate } from '../../../../packages/core-adapter/core.records.js';

/** When a standing instruction is paid, in the terms of its record. */
export interface Recurrence {
  readonly every: 'day' | 'week' | 'month' | 'year';
  /** 1 or more. */
  readonly interval: number;
  /** For months the day, for years month and day. */
  readonly on?: { readonly month: number; readonly day: number };
  readonly validFrom: CalendarDate;
  /** The first day on which it is no longer paid. */
  readonly validTill?: CalendarDate | undefined;
}

export interface PaymentDays {
  readonly first?: CalendarDate;
  readonly next?: CalendarDate;
  readonly last?: CalendarDate;
  /** The first possible payment day, which fixes the weekday or day of the month of all later ones. */
  readonly start?: CalendarDate;
}

/**
 * The days on which Fineract's job pays an instruction; its API does not show them (apache/fineract 4198b0b,
 * ExecuteStandingInstructionsTasklet and DefaultScheduledDateGenerator.isDateFallsInSchedule). The job asks of each day
 * whether it is whole intervals after the start, to the day. An instruction that began on the 31st is not paid in a
 * shorter month, nor one that began on 29 February in a common year. It stops before `validTill`. A payment of `today`
 * counts as the next.
 */
export function paymentDays(recurrence: Recurrence, today: CalendarDate): PaymentDays {
  const startMs = startOf(recurrence);
  if (startMs === undefined) return {};
  const endMs = recurrence.validTill === undefined ? Infinity : msOf(recurrence.validTill);
  const next = nearest(startMs, recurrence, msOf(today), 1);
  const last = Number.isFinite(endMs) ? nearest(startMs, recurrence, endMs - dayMs, -1) : undefined;
  return {
    start: dateOf(startMs),
    ...(startMs < endMs && { first: dateOf(startMs) }),
    ...(next !== undefined && next < endMs && { next: dateOf(next) }),
    ...(last !== undefined && { last: dateOf(last) }),
  };
}

const dayMs = 86_400_000;
/** The longest gap, from 29 February to the next one that is a whole number of intervals later, is far below. */
const mostSteps = 100;

/** Undefined where the job itself cannot begin: 31 in a month of thirty days throws there. */
function startOf({ every, on, validFrom }: Recurrence): number | undefined {
  const validFromMs = msOf(validFrom);
  if (on === undefined || every === 'day' || every === 'week') return validFromMs;
  const at = new Date(validFromMs);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  if (on.day > daysIn(year, month)) return undefined;
  const start = every === 'month' ? clamped(year, month, on.day) : clamped(year, on.month - 1, on.day);
  if (start >= validFromMs) return start;
  const { year: y, month: m, day } = parts(start);
  return every === 'month' ? clamped(y, m + 1, day) : clamped(y + 1, m, day);
}

/** The first payment not before `ms`, or the last one not after it. */
function nearest(startMs: number, { every, interval }: Recurrence, ms: number, direction: 1 | -1): number | undefined {
  const months = every === 'year' ? 12 * interval : every === 'month' ? interval : 0;
  const stepMs = (every === 'week' ? 7 : 1) * interval * dayMs;
  const [from, to] = [parts(startMs), parts(ms)];
  const monthsBetween = (to.year - from.year) * 12 + to.month - from.month;
  // At most one off.
  const estimate = Math.floor(months === 0 ? (ms - startMs) / stepMs : monthsBetween / months);
  let index = direction === 1 ? Math.max(0, estimate) : estimate + 1;
  for (let steps = 0; steps < mostSteps && index >= 0; steps++, index += direction) {
    const at = months === 0 ? startMs + index * stepMs : clamped(from.year, from.month + index * months, from.day);
    if (months > 0 && parts(at).day !== from.day) continue;
    if (direction === 1 ? at >= ms : at <= ms) return at;
  }
  return undefined;
}

function parts(ms: number): { year: number; month: number; day: number } {
  const at = new Date(ms);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth(), day: at.getUTCDate() };
}

/** The day of that month, or its last one: as Java's `LocalDate` moves by months. Months count from 0 and may run over. */
function clamped(year: number, month: number, day: number): number {
  return Date.UTC(year, month, Math.min(day, daysIn(year, month)));
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
}

function msOf({ date }: CalendarDate): number {
  return Date.parse(date);
}

function dateOf(ms: number): CalendarDate {
  return { date: new Date(ms).toISOString().slice(0, 10) };
}
