import type { CalendarDate, CoreMoney, CoreTime } from '../../../../packages/core-adapter/core.records.js';
import { RowFault } from '../../../../packages/core-adapter/core-rows.js';

// How the ledger writes one value. It pads with blanks and writes an absent value as the empty string.

/** Meaning of a code word of the ledger. */
export function word<T>(meanings: Readonly<Record<string, T>>, value: unknown, field: string): T {
  if (typeof value !== 'string' || !Object.hasOwn(meanings, value)) throw new RowFault(field, 'not a known word');
  return meanings[value] as T;
}

export function optionalText(value: unknown, field: string): string | undefined {
  if (typeof value !== 'string') throw new RowFault(field, 'not a text');
  const trimmed = value.trim();
  return trimmed === '' ? undefined : trimmed;
}

export function text(value: unknown, field: string): string {
  const read = optionalText(value, field);
  if (read === undefined) throw new RowFault(field, 'missing');
  return read;
}

export function matching(form: RegExp, value: unknown, field: string): string | undefined {
  if (value === '') return undefined;
  if (typeof value !== 'string' || !form.test(value)) throw new RowFault(field, 'not of its form');
  return value;
}

export function currency(value: unknown, field: string): string {
  if (typeof value !== 'string' || !/^[A-Z]{3}$/.test(value)) throw new RowFault(field, 'not a currency code');
  return value;
}

export function whole(value: unknown, field: string): bigint {
  if (!Number.isSafeInteger(value)) throw new RowFault(field, 'not a whole number');
  return BigInt(value as number);
}

export function optionalWhole(value: unknown, field: string): bigint | undefined {
  return value === '' ? undefined : whole(value, field);
}

export function notNegative(value: bigint, field: string): bigint {
  if (value < 0n) throw new RowFault(field, 'negative');
  return value;
}

export function money(minorUnits: bigint, inCurrency: string): CoreMoney {
  return { minorUnits, currency: inCurrency };
}

export function day(value: unknown, field: string): CalendarDate {
  const read = time(value, field);
  if (read instanceof Date) throw new RowFault(field, 'not a day');
  return read;
}

export function optionalTime(value: unknown, field: string): CoreTime | undefined {
  return value === '' ? undefined : time(value, field);
}

/**
 * `20261120T231500.123Z`, always UTC, or `20261120`. Read digit by digit: docs/performance.md has the figure.
 */
export function time(value: unknown, field: string): CoreTime {
  if (typeof value !== 'string') throw new RowFault(field, 'not a time');
  const year = digits(value, 0, 4);
  const month = digits(value, 4, 2);
  const dayOfMonth = digits(value, 6, 2);
  if (!(year >= 1000 && month >= 1 && month <= 12 && dayOfMonth >= 1 && dayOfMonth <= daysIn(year, month))) {
    throw new RowFault(field, 'not a time');
  }
  if (value.length === 8) return { date: `${value.slice(0, 4)}-${value.slice(4, 6)}-${value.slice(6)}` };
  const hour = digits(value, 9, 2);
  const minute = digits(value, 11, 2);
  const second = digits(value, 13, 2);
  const millisecond = digits(value, 16, 3);
  const whole = hour <= 23 && minute <= 59 && second <= 59 && millisecond >= 0;
  if (value.length !== 20 || value[8] !== 'T' || value[15] !== '.' || value[19] !== 'Z' || !whole) {
    throw new RowFault(field, 'not a time');
  }
  return new Date(Date.UTC(year, month - 1, dayOfMonth, hour, minute, second, millisecond));
}

/** The number written in `count` digits from `start`; NaN where one is not a digit, so that every comparison fails. */
function digits(value: string, start: number, count: number): number {
  let number = 0;
  for (let index = start; index < start + count; index++) {
    const digit = value.charCodeAt(index) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
