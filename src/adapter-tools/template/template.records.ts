import type { BadRecord, CoreItems } from '../../core-banking/core.adapter.js';
import type { CoreAccount, CoreProduct } from '../../core-banking/core.records.js';

/** A record as the core sent it: nothing about it is believed before it is read. */
export type Row = Readonly<Record<string, unknown>>;

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Why one row cannot be read: the field and the fault, never its value. */
class RowFault extends Error {}

/** Translates each row; one that cannot be read is named in `bad` and left out. */
export function translateRows<T>(name: string, rows: readonly unknown[], translate: (row: Row) => T): CoreItems<T> {
  const items: T[] = [];
  const bad: BadRecord[] = [];
  for (const [index, row] of rows.entries()) {
    const where = `${name}[${index}]`;
    try {
      if (!isRow(row)) throw new RowFault('not a record');
      items.push(translate(row));
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      bad.push({ where, fault: error.message });
    }
  }
  return { items, bad };
}

const products: Readonly<Record<string, CoreProduct>> = { CURRENT: 'CurrentAccount', SAVINGS: 'Savings' };

export function toAccount(row: Row): CoreAccount {
  return {
    ref: text(row, 'id'),
    product: word(products, row, 'product'),
    currency: text(row, 'currency'),
    permitted: word({ OPEN: true, BLOCKED: false }, row, 'status'),
    holder: word({ PERSON: 'personal', COMPANY: 'business' } as const, row, 'holder'),
  };
}

/** Meaning of a code word of the core. */
function word<T>(meanings: Readonly<Record<string, T>>, row: Row, field: string): T {
  const value = row[field];
  if (typeof value !== 'string' || !Object.hasOwn(meanings, value)) throw new RowFault(`${field}: not a known word`);
  return meanings[value] as T;
}

function text(row: Row, field: string): string {
  const value = row[field];
  if (typeof value !== 'string' || value === '') throw new RowFault(`${field}: missing`);
  return value;
}
