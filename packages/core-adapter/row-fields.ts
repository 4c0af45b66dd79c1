import { isRow, RowFault, type Row } from './core-rows.js';
import { isCurrency } from './currencies.js';

// How cores write one value. A value that is omitted, null or blank is absent; blanks around a text do not count.

/** @throws RowFault if it is absent or no text */
export function textOf(row: Row, field: string): string {
  return present(optionalTextOf(row, field), field);
}

/** @throws RowFault if it is not a text */
export function optionalTextOf(row: Row, field: string): string | undefined {
  const value = row[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new RowFault(field, 'not a text');
  const text = value.trim();
  return text === '' ? undefined : text;
}

/** A text of one form, such as a sort code. @throws RowFault if it has another form */
export function optionalMatchOf(row: Row, field: string, form: RegExp): string | undefined {
  const text = optionalTextOf(row, field);
  if (text !== undefined && !form.test(text)) throw new RowFault(field, 'not of its form');
  return text;
}

/** A text in a form that `check` knows, such as `lei`. @throws RowFault if it has another form */
export function optionalCodeOf(
  row: Row,
  field: string,
  check: (text: string) => string | undefined,
): string | undefined {
  const text = optionalTextOf(row, field);
  if (text !== undefined && check(text) === undefined) throw new RowFault(field, 'not of its form');
  return text;
}

/** An ISO 4217 currency with a minor unit. @throws RowFault for everything else */
export function currencyOf(row: Row, field: string): string {
  const code = textOf(row, field);
  if (!isCurrency(code)) throw new RowFault(field, 'not a currency with a minor unit');
  return code;
}

/**
 * A whole number, such as minor units: a number, or digits in a text.
 * @throws RowFault if it is absent or no such number
 */
export function integerOf(row: Row, field: string): bigint {
  return present(optionalIntegerOf(row, field), field);
}

/** @throws RowFault if it is not a whole number, or one that JSON may have rounded */
export function optionalIntegerOf(row: Row, field: string): bigint | undefined {
  const value = row[field];
  if (Number.isSafeInteger(value) || typeof value === 'bigint') return BigInt(value as number | bigint);
  const digits = typeof value === 'number' ? '' : optionalTextOf(row, field);
  if (digits === undefined) return undefined;
  if (!/^-?\d{1,38}$/.test(digits)) throw new RowFault(field, 'not a whole number');
  return BigInt(digits);
}

/** The same minor units. @throws RowFault if they are below zero */
export function notNegative(minorUnits: bigint, field: string): bigint {
  if (minorUnits < 0n) throw new RowFault(field, 'negative');
  return minorUnits;
}

/**
 * The meaning of a code word or a whole-number code of the core. A code that `meanings` does not list is a bad record:
 * it must never count as the permissive one.
 *
 * @param meanings by the core's words, exactly as the core writes them; a number by its digits
 * @throws RowFault for every other value
 */
export function wordOf<const T>(row: Row, field: string, meanings: Readonly<Record<string, T>>): T {
  const value = row[field];
  const word = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof word !== 'string' || !Object.hasOwn(meanings, word)) throw new RowFault(field, 'not a known word');
  return meanings[word] as T;
}

/**
 * Reads a record inside the record; the name of a field in a fault begins with its name.
 * @throws RowFault if it is absent
 */
export function partOf<T>(row: Row, field: string, read: (part: Row) => T): T {
  const part = row[field];
  if (!isRow(part)) throw new RowFault(field, 'not a record');
  try {
    return read(part);
  } catch (error) {
    throw error instanceof RowFault ? new RowFault(`${field}.${error.field}`, error.fault) : error;
  }
}

function present<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw new RowFault(field, 'missing');
  return value;
}
