import { CommandFailed, UsageError } from '../../src/command-line/command.js';

/** The time of a report: from an instant, up to another that does not belong to it; in milliseconds since 1970. */
export interface Period {
  /** As the caller named it: `2026Q4`, `2026-11`. */
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Its end is not over: the report ends with the last whole day before now. */
  readonly isIncomplete: boolean;
}

export const dayMs = 86_400_000;

/** @param text `2026Q4` @throws UsageError for another form @throws CommandFailed where none of its days has ended */
export function quarterOf(text: string, nowMs: number): Period {
  const [, year, quarter] = /^(20\d\d)Q([1-4])$/.exec(text) ?? [];
  if (year === undefined || quarter === undefined)
    throw new UsageError('--quarter is not a quarter: write it like 2026Q4');
  const first = (Number(quarter) - 1) * 3;
  return upToYesterday(text, Date.UTC(Number(year), first), Date.UTC(Number(year), first + 3), nowMs);
}

/** @param text `2026-11` @throws UsageError for another form @throws CommandFailed where none of its days has ended */
export function monthOf(text: string, nowMs: number): Period {
  const [, year, month] = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (year === undefined || month === undefined) throw new UsageError('--month is not a month: write it like 2026-11');
  return upToYesterday(text, Date.UTC(Number(year), Number(month) - 1), Date.UTC(Number(year), Number(month)), nowMs);
}

/** @param text `2026-11-24` @throws UsageError for another form, and for a day that has not begun */
export function dayOf(option: string, text: string, nowMs: number): Period {
  const fromMs = /^20\d\d-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
  // JavaScript takes 31 February for 3 March.
  if (Number.isNaN(fromMs) || dayName(fromMs) !== text)
    throw new UsageError(`--${option} is not a day: write it like 2026-11-24`);
  if (fromMs > nowMs) throw new UsageError(`--${option} has not begun yet`);
  return { name: text, fromMs, toMs: fromMs + dayMs, isIncomplete: false };
}

/** @throws UsageError for days of another form, in the wrong order, or of more than a year */
export function daysOf(from: string, to: string, nowMs: number): Period {
  const [{ fromMs }, { toMs }] = [dayOf('from', from, nowMs), dayOf('to', to, nowMs)];
  if (toMs <= fromMs) throw new UsageError('--to is before --from');
  if (toMs - fromMs > 366 * dayMs) throw new UsageError('--from and --to are more than a year apart');
  return { name: `${from} to ${to}`, fromMs, toMs, isIncomplete: false };
}

/** The UTC day of an instant: `2026-11-24`. */
export function dayName(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

function upToYesterday(name: string, fromMs: number, endMs: number, nowMs: number): Period {
  const todayMs = Math.floor(nowMs / dayMs) * dayMs;
  const toMs = Math.min(endMs, todayMs);
  if (toMs <= fromMs) throw new CommandFailed(`no day of ${name} has ended: a report ends with the last complete day`);
  return { name, fromMs, toMs, isIncomplete: toMs < endMs };
}

/** A time that may begin and end within a day, and the days in which it is. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  readonly days: Period;
}

/** @throws UsageError for a time that has not begun, or of more than a year */
export function spanOf({ from = '', to = '' }: { readonly from?: string; readonly to?: string }, nowMs: number): Span {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  if (toMs <= fromMs) throw new UsageError('--to is not after --from');
  if (fromMs > nowMs) throw new UsageError('--from has not begun yet');
  if (toMs - fromMs > 366 * dayMs) throw new UsageError('--from and --to are more than a year apart');
  const [firstMs, lastMs] = [Math.floor(fromMs / dayMs) * dayMs, Math.ceil(toMs / dayMs) * dayMs];
  return { fromMs, toMs, days: { name: `${from} to ${to}`, fromMs: firstMs, toMs: lastMs, isIncomplete: false } };
}
