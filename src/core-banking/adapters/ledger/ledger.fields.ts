import type { CalendarDate, CoreMoney, CoreTime } from '../../../../packages/core-adapter/core.records.js';
import { RowFault, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { notNegative, optionalIntegerOf } from '../../../../packages/core-adapter/row-fields.js';

// How the ledger writes one value. It writes an absent value as the empty string.

export function money(minorUnits: bigint, inCurrency: string): CoreMoney {
  return { minorUnits, currency: inCurrency };
}

export function optionalMoney(row: Row, field: string, inCurrency: string): CoreMoney | undefined {
  const minorUnits = optionalIntegerOf(row, field);
  return minorUnits === undefined ? undefined : money(minorUnits, inCurrency);
}

/** Not negative. */
export function optionalMagnitude(row: Row, field: string, inCurrency: string): CoreMoney | undefined {
  const found = optionalMoney(row, field, inCurrency);
  if (found !== undefined) notNegative(found.minorUnits, field);
  return found;
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
 * `20261120T231500.123Z`, always UTC, or `20261120`. Read digit by digit: docs/operate/performance.md has the figure.
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
  const isValidTime = hour <= 23 && minute <= 59 && second <= 59 && millisecond >= 0;
  if (value.length !== 20 || value[8] !== 'T' || value[15] !== '.' || value[19] !== 'Z' || !isValidTime) {
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
