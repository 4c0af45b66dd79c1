import { RowFault, type CoreAccount, type CoreProduct, type Row } from '../../packages/core-adapter/published-port.js';

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
  if (typeof value !== 'string' || !Object.hasOwn(meanings, value)) throw new RowFault(field, 'not a known word');
  return meanings[value] as T;
}

function text(row: Row, field: string): string {
  const value = row[field];
  if (typeof value !== 'string' || value === '') throw new RowFault(field, 'missing');
  return value;
}
