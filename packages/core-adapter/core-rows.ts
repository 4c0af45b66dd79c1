import type { BadRecord, CoreItems, UnreadField } from './core.adapter.js';
import { CoreError } from './core-error.js';
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

/** The order of an account's transactions is by these. */
export type TimeAndId = Pick<CoreTransaction, 'at' | 'id'>;

/** The optional fields that one record lacks because they could not be read. */
export type UnreadOfRecord = readonly Omit<UnreadField, 'where'>[];

const allRead: UnreadOfRecord = [];

/** The unread fields of the record that is translated now: a translation is synchronous. */
let current: UnreadOfRecord | undefined;

/** Translates one record, and names the optional fields that it omits: see {@link optionalField}. */
export function notingUnread<T>(translate: () => T): { item: T; unread: UnreadOfRecord } {
  const outer = current;
  current = allRead;
  try {
    return { item: translate(), unread: current };
  } finally {
    current = outer;
  }
}

/**
 * A field without which a record is still true, such as the exchange rate of a payment: where it cannot be read, it is
 * omitted and named in `unread`. Never for a field whose absence changes the meaning of a second field.
 *
 * @param field its name in the port's record
 * @throws RowFault where no record is translated that could name it
 */
export function optionalField<T>(field: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined || current === undefined) throw error;
    current = [...current, { field, fault }];
    return undefined;
  }
}

/** A code that is not of its form is omitted and counted: a record is true without it. */
export function optionalCode<Code extends string>(
  field: string,
  code: Code | undefined,
  check: (code: string) => string | undefined,
): Code | undefined {
  return optionalField(field, () => {
    if (code !== undefined && check(code) === undefined) throw new RowFault(field, 'not of its form');
    return code;
  });
}

/** The fault of a record: a reader that received an id twice would count the same money twice. */
export const repeatedId = 'it has the id of a record before it';

/** Why a record or a field cannot be read, without its value; `undefined` for an error that is not about a value. */
export function faultOf(error: unknown): string | undefined {
  if (error instanceof RowFault) return error.message;
  return error instanceof RangeError ? 'a value that the standard cannot express' : undefined;
}
/** An answer with more rows is a mistake in the question: it would take the memory and the time of a whole history. */
const mostRows = 10_000;

/**
 * Translates each row of the list `name`. A row that cannot be read ({@link RowFault}) is named in `bad` and omitted.
 * A row that `translate` turns into `undefined` is omitted silently.
 *
 * @param timeAndIdOf of transactions: reads the time and the id alone, which a bad one may have
 * @throws CoreError where the core has sent more rows than any one answer needs
 */
export function translateRows<T>(
  name: string,
  rows: readonly unknown[],
  translate: (row: Row) => T | undefined,
  timeAndIdOf?: (row: Row) => TimeAndId,
): CoreItems<T> {
  if (rows.length > mostRows)
    throw new CoreError(
      'bad-record',
      `${name}: the core sent ${rows.length} rows in one answer, and at most ${mostRows} are read: ask it for a page`,
    );
  const items: T[] = [];
  const bad: BadRecord[] = [];
  const unread: UnreadField[] = [];
  for (let index = 0; index < rows.length; index++) {
    const read = tryRow(rows[index], translate);
    if ('fault' in read) bad.push(badRecord(`${name}[${index}]`, rows[index], read.fault, timeAndIdOf));
    else if (read.item !== undefined) {
      items.push(read.item);
      if (read.unread.length > 0)
        unread.push(...read.unread.map((field) => ({ where: `${name}[${index}]`, ...field })));
    }
  }
  return { items, bad, ...(unread.length > 0 && { unread }) };
}

export interface TranslatedItem<T> {
  readonly item: T;
  /** Absent where each optional field could be read. */
  readonly unread?: readonly UnreadField[];
}

/**
 * @param where the name of the row in the report of a bad record: its place, never its content
 * @param timeAndIdOf see {@link translateRows}
 */
export function translateRow<T>(
  where: string,
  row: unknown,
  translate: (row: Row) => T,
  timeAndIdOf?: (row: Row) => TimeAndId,
): TranslatedItem<T> | BadRecord {
  const read = tryRow(row, translate);
  if ('fault' in read) return badRecord(where, row, read.fault, timeAndIdOf);
  const { item, unread } = read;
  return unread.length === 0 ? { item } : { item, unread: unread.map((field) => ({ where, ...field })) };
}

function badRecord(where: string, row: unknown, fault: string, timeAndIdOf?: (row: Row) => TimeAndId): BadRecord {
  const read = timeAndIdOf && translated(row, timeAndIdOf);
  if (read === undefined || 'fault' in read) return { where, fault };
  return { where, fault, position: { atMs: timeMs(read.item.at), id: read.item.id } };
}

type ReadRow<T> = { item: T; unread: UnreadOfRecord } | { fault: string };

function tryRow<T>(row: unknown, translate: (row: Row) => T): ReadRow<T> {
  const read = translated(row, translate);
  if (rowsChannel.hasSubscribers) rowsChannel.publish({ row, ...read } satisfies TranslatedRow);
  return read;
}

function translated<T>(row: unknown, translate: (row: Row) => T): ReadRow<T> {
  if (!isRow(row)) return { fault: 'not a record' };
  try {
    const read = notingUnread(() => translate(row));
    const fault = read.unread[0];
    return fault !== undefined && isEmpty(read.item) ? { fault: fault.fault } : read;
  } catch (error) {
    if (error instanceof RowFault) return { fault: error.message };
    throw error;
  }
}

/** A record that lacks each of its fields says nothing: an offer, which needs none, would be an empty one. */
function isEmpty(item: unknown): boolean {
  return isRow(item) && Object.values(item).every((value) => value === undefined);
}
