import type { BadRecord, CoreItems } from './core.adapter.js';
import type { CoreTransaction } from './core.records.js';
import { timeMs } from './history-order.js';
import { rowsChannel, type TranslatedRow } from './rows-channel.js';

/** A record as the core sent it: nothing about it is believed before it is read. */
export type Row = Readonly<Record<string, unknown>>;

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Why one row cannot be read: the field and the fault, never its value. */
export class RowFault extends Error {
  override readonly name = 'RowFault';

  constructor(
    readonly field: string,
    readonly fault: string,
  ) {
    super(`${field}: ${fault}`);
  }
}

/** What orders an account's transactions. */
export type TransactionPlace = Pick<CoreTransaction, 'at' | 'id'>;

/**
 * Translates each row of the list `name`. A row that cannot be read ({@link RowFault}) is named in `bad` and left out. A
 * row that `translate` turns into `undefined` is left out silently.
 *
 * @param placeOf of transactions: reads the time and the id alone, which a bad one may have
 */
export function translateRows<T>(
  name: string,
  rows: readonly unknown[],
  translate: (row: Row) => T | undefined,
  placeOf?: (row: Row) => TransactionPlace,
): CoreItems<T> {
  const items: T[] = [];
  const bad: BadRecord[] = [];
  for (let index = 0; index < rows.length; index++) {
    const read = translateRow(`${name}[${index}]`, rows[index], translate, placeOf);
    if ('fault' in read) bad.push(read);
    else if (read.item !== undefined) items.push(read.item);
  }
  return { items, bad };
}

/**
 * @param where the name of the row in the report of a bad record: its place, never its content
 * @param placeOf see {@link translateRows}
 */
export function translateRow<T>(
  where: string,
  row: unknown,
  translate: (row: Row) => T,
  placeOf?: (row: Row) => TransactionPlace,
): { item: T } | BadRecord {
  const read = readRow(row, translate);
  if (!('fault' in read)) return read;
  const place = placeOf && tryRow(row, placeOf);
  if (place === undefined || 'fault' in place) return { where, fault: read.fault };
  return { where, fault: read.fault, position: { atMs: timeMs(place.item.at), id: place.item.id } };
}

function readRow<T>(row: unknown, translate: (row: Row) => T): { item: T } | { fault: string } {
  const read = tryRow(row, translate);
  if (rowsChannel.hasSubscribers) rowsChannel.publish({ row, ...read } satisfies TranslatedRow);
  return read;
}

function tryRow<T>(row: unknown, translate: (row: Row) => T): { item: T } | { fault: string } {
  if (!isRow(row)) return { fault: 'not a record' };
  try {
    return { item: translate(row) };
  } catch (error) {
    if (error instanceof RowFault) return { fault: error.message };
    throw error;
  }
}
