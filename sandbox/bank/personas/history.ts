import type { EntryRow } from '../ledger.records.js';
import { dayMs, dayOf, startOfDay } from '../stamps.js';

/** Something that happened on an account. Every start of the bank makes the same one; only old ones drop out. */
export interface Posting {
  /** Unique in the account. */
  readonly key: string;
  readonly bookedMs: number;
  /** True where the core keeps the day only. */
  readonly dayOnly?: boolean;
  /** Before the booking, on the same day in London. */
  readonly madeMs?: number;
  readonly valueMs?: number;
  /** Minor units, positive in the customer's favour. */
  readonly amount: number;
  readonly text: string;
  readonly fx?: { readonly ccy: string; readonly rate: string };
  /** Facts that the core also has about the payment. */
  readonly details?: EntryDetails;
}

export type EntryDetails = Pick<EntryRow, 'iso' | 'cat' | 'purp' | 'own' | 'payer' | 'payee' | 'payerFor' | 'payeeFor'>;

/** Whole days: from the first one's 00:00 UTC up to, not including, the last one's. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export type Pattern = (span: Span) => Posting[];

interface Recurring {
  readonly name: string;
  /** UTC, `HH:MM`. Those that are `madeMinutesBefore` keep clear of midnight. */
  readonly time: string;
  readonly amount: number;
  /** By how much the amount differs from one time to the next, at the most. */
  readonly spread?: number;
  readonly text: string;
  readonly madeMinutesBefore?: number;
  readonly dayOnly?: boolean;
  /** Days after the booking. */
  readonly valueAfter?: number;
  readonly fx?: Posting['fx'];
  readonly details?: EntryDetails;
}

/** Every month on the day, or on its last one where the month is shorter. */
export function monthly(day: number, what: Recurring): Pattern {
  return ({ fromMs, toMs }) => {
    const postings: Posting[] = [];
    const first = new Date(fromMs);
    for (let month = first.getUTCMonth(); ; month++) {
      const monthEnd = new Date(Date.UTC(first.getUTCFullYear(), month + 1, 0));
      const dayStartMs = monthEnd.getTime() - Math.max(0, monthEnd.getUTCDate() - day) * dayMs;
      if (dayStartMs >= toMs) return postings;
      if (dayStartMs >= fromMs) postings.push(posting(dayStartMs, what));
    }
  };
}

/** Every week on the weekday, 1 for Monday to 7 for Sunday. */
export function weekly(weekday: number, what: Recurring): Pattern {
  return ({ fromMs, toMs }) => {
    const postings: Posting[] = [];
    for (let dayStartMs = fromMs; dayStartMs < toMs; dayStartMs += dayMs) {
      if ((new Date(dayStartMs).getUTCDay() || 7) === weekday) postings.push(posting(dayStartMs, what));
    }
    return postings;
  };
}

/** A number of times on every day, with equal times among them. */
export function daily(count: number, texts: readonly string[]): Pattern {
  return ({ fromMs, toMs }) => {
    const postings: Posting[] = [];
    for (let dayStartMs = fromMs; dayStartMs < toMs; dayStartMs += dayMs) {
      const day = dayOf(dayStartMs);
      for (let index = 0; index < count; index++) {
        const chance = hash(`${day}/${index}`);
        postings.push({
          key: `d${day}-${String(index).padStart(2, '0')}`,
          // Two by two at the same millisecond, so that only the key orders them.
          bookedMs: dayStartMs + (8 * 60 + (index >> 1) * 30) * 60_000,
          amount: chance % 5 === 0 ? (chance % 4000) + 1 : -((chance % 1000) + 1),
          text: texts[chance % texts.length] ?? '',
        });
      }
    }
    return postings;
  };
}

/** The given postings in the span. */
export function exactly(...postings: readonly Posting[]): Pattern {
  return ({ fromMs, toMs }) => postings.filter(({ bookedMs }) => bookedMs >= fromMs && bookedMs < toMs);
}

/** The last `days` whole days before today. */
export function spanBefore(nowMs: number, days: number): Span {
  const toMs = startOfDay(nowMs);
  return { fromMs: toMs - days * dayMs, toMs };
}

function posting(dayStartMs: number, what: Recurring): Posting {
  const key = `${what.name}-${dayOf(dayStartMs)}`;
  const bookedMs =
    what.dayOnly === true ? dayStartMs : dayStartMs + minutesOf(what.time) * 60_000 + (hash(key) % 60_000);
  const spread = what.spread ?? 0;
  return {
    key,
    bookedMs,
    dayOnly: what.dayOnly,
    madeMs: what.madeMinutesBefore === undefined ? undefined : bookedMs - what.madeMinutesBefore * 60_000,
    valueMs: what.valueAfter === undefined ? undefined : dayStartMs + what.valueAfter * dayMs,
    amount: what.amount + (spread === 0 ? 0 : (hash(key) % (2 * spread + 1)) - spread),
    text: what.text,
    fx: what.fx,
    details: what.details,
  };
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}

/** FNV-1a, 32 bits: deterministic, so that histories are the same at every start. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
}
