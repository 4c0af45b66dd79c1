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
  const days = new Occurrences(startMs, recurrence);
  const before = (ms: number | undefined): { date: string } | undefined =>
    ms !== undefined && ms < endMs ? dateOf(ms) : undefined;
  const [first, next] = [before(startMs), before(days.from(msOf(today)))];
  const lastMs = Number.isFinite(endMs) ? days.upTo(endMs - dayMs) : undefined;
  return {
    start: dateOf(startMs),
    ...(first && { first }),
    ...(next && { next }),
    ...(lastMs !== undefined && { last: dateOf(lastMs) }),
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

class Occurrences {
  /** Whole months, or days in milliseconds, between two. */
  private readonly months: number;
  private readonly stepMs: number;

  constructor(
    private readonly startMs: number,
    { every, interval }: Recurrence,
  ) {
    this.months = every === 'year' ? 12 * interval : every === 'month' ? interval : 0;
    this.stepMs = (every === 'week' ? 7 : 1) * interval * dayMs;
  }

  /** The first not before `ms`. */
  from(ms: number): number | undefined {
    let index = Math.max(0, this.estimate(ms));
    for (let steps = 0; steps < mostSteps; steps++, index++) {
      const at = this.at(index);
      if (at !== undefined && at >= ms) return at;
    }
    return undefined;
  }

  /** The last not after `ms`. */
  upTo(ms: number): number | undefined {
    let index = this.estimate(ms) + 1;
    for (let steps = 0; steps < mostSteps && index >= 0; steps++, index--) {
      const at = this.at(index);
      if (at !== undefined && at <= ms) return at;
    }
    return undefined;
  }

  private at(index: number): number | undefined {
    if (this.months === 0) return this.startMs + index * this.stepMs;
    const { year, month, day } = parts(this.startMs);
    const ms = clamped(year, month + index * this.months, day);
    return parts(ms).day === day ? ms : undefined;
  }

  /** At most one off. */
  private estimate(ms: number): number {
    if (this.months === 0) return Math.floor((ms - this.startMs) / this.stepMs);
    const [from, to] = [parts(this.startMs), parts(ms)];
    return Math.floor(((to.year - from.year) * 12 + to.month - from.month) / this.months);
  }
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
