import type { CalendarDate, CoreMoney } from '../../../../packages/core-adapter/core.records.js';
import { isRow, RowFault, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { moneyOf } from '../../../../packages/core-adapter/minor-units.js';
import { currencyOf, partOf } from '../../../../packages/core-adapter/row-fields.js';
import { decimalText, mark } from './exact-json.js';
import { plainDecimal } from './fineract.money.js';

/** A record inside a record; `undefined` when absent, because Fineract omits empty members. */
export function optionalRow(value: unknown, field: string): Row | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isRow(value)) throw new RowFault(field, 'not a record');
  return value;
}

export function requiredRow(value: unknown, field: string): Row {
  const row = optionalRow(value, field);
  if (row === undefined) throw new RowFault(field, 'missing');
  return row;
}

/** Absent, null and blank alike are not a text. */
export function optionalText(value: unknown, field: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.startsWith(mark)) throw new RowFault(field, 'not a text');
  const trimmed = value.trim();
  return trimmed === '' ? undefined : trimmed;
}

export function flag(value: unknown, field: string): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw new RowFault(field, 'not a yes or no');
  return value;
}

/** A key of a row, of which a `bigint` column can hold nineteen digits. */
export function key(value: unknown, field: string): string {
  const digits = decimalText(value);
  if (digits === undefined || !/^[1-9]\d{0,18}$/.test(digits)) throw new RowFault(field, 'not a key');
  return digits;
}

/** The `id` of an enumeration such as `{"id":300,"code":"…","value":"Active"}`; `undefined` where it is absent. */
export function optionalEnumId(value: unknown, field: string): number | undefined {
  const row = optionalRow(value, field);
  if (row === undefined) return undefined;
  return integerOf(row.id, `${field}.id`);
}

export function enumId(value: unknown, field: string): number {
  return integerOf(requiredRow(value, field).id, `${field}.id`);
}

export function integerOf(value: unknown, field: string): number {
  if (!Number.isSafeInteger(value)) throw new RowFault(field, 'not a whole number');
  return value as number;
}

/** `[2026,3,1]`: a day of the tenant's calendar. */
export function day(value: unknown, field: string): CalendarDate {
  if (!Array.isArray(value) || value.length !== 3 || !value.every(Number.isSafeInteger))
    throw new RowFault(field, 'not a day');
  const [year, month, dayOfMonth] = value as [number, number, number];
  const at = new Date(Date.UTC(year, month - 1, dayOfMonth));
  // `Date` turns 30 February into March, and takes years below 100 for others.
  if (year < 1000 || year > 9999 || at.getUTCMonth() !== month - 1 || at.getUTCDate() !== dayOfMonth)
    throw new RowFault(field, 'not a day');
  return { date: at.toISOString().slice(0, 10) };
}

export function optionalDay(value: unknown, field: string): CalendarDate | undefined {
  return value === undefined || value === null ? undefined : day(value, field);
}

/** The code of the row's currency, such as `{"code":"GBP","decimalPlaces":2}`. */
export function currencyCode(row: Row): string {
  return partOf(row, 'currency', (currency) => currencyOf(currency, 'code'));
}

export function money(value: unknown, currency: string, field: string): CoreMoney {
  const decimal = decimalText(value);
  if (decimal === undefined) throw new RowFault(field, value === undefined ? 'missing' : 'not a number');
  return moneyOf(plainDecimal(decimal), currency, field);
}

/** Fineract leaves amounts out that are zero, where its mapper reads them with `DefaultToNullIfZero`. */
export function moneyOrNone(value: unknown, currency: string, field: string): CoreMoney | undefined {
  return value === undefined || value === null ? undefined : money(value, currency, field);
}
