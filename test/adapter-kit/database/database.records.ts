import type {
  CoreAccount,
  CoreBalance,
  CoreMoney,
  CoreParty,
  CoreProduct,
  CoreTime,
  CoreTransaction,
} from '../../../packages/core-adapter/core.records.js';
import { RowFault, type Row } from '../../../packages/core-adapter/core-rows.js';

const products: Readonly<Record<string, CoreProduct>> = { CA: 'CurrentAccount', SA: 'Savings', CC: 'CreditCard' };

export function toAccount(row: Row): CoreAccount {
  return {
    ref: text(row, 'account_ref'),
    product: word(products, row, 'product'),
    currency: text(row, 'currency'),
    permitted: word({ OPEN: true, BLOCKED: false }, row, 'state'),
    holder: word({ P: 'personal', B: 'business' } as const, row, 'holder'),
    description: optionalText(row, 'label'),
    sortCode: optionalText(row, 'sort_code'),
    accountNumber: optionalText(row, 'account_number'),
    iban: optionalText(row, 'iban'),
    cardLastFour: optionalText(row, 'card_number')?.slice(-4),
  };
}

export function toBalance(row: Row): CoreBalance {
  return {
    kind: word({ BOOKED: 'booked', AVAILABLE: 'available' } as const, row, 'kind'),
    amount: money(row, 'amount'),
    at: time(row, 'as_of'),
    overdraftLimit: optional(row, 'overdraft', money),
  };
}

export function toParty(row: Row): CoreParty {
  return { ref: text(row, 'person_ref'), name: optionalText(row, 'name') };
}

export function toTransaction(row: Row): CoreTransaction {
  return {
    id: text(row, 'id'),
    status: word({ BOOKED: 'booked', HELD: 'pending' } as const, row, 'status'),
    at: timeOrDay(row, 'at'),
    madeAt: optional(row, 'made_at', time),
    expectedBookingAt: optional(row, 'expected_at', time),
    valueAt: optional(row, 'value_at', time) ?? optional(row, 'value_at_day', day),
    amount: money(row, 'amount'),
    description: optionalText(row, 'text'),
    runningBalance: optional(row, 'balance', money),
    exchange: optional(row, 'fx_currency', (_, field) => ({
      sourceCurrency: text(row, field),
      rate: optionalText(row, 'fx_rate'),
    })),
  };
}

/** A `bigint` comes as a text, because not every one of them is a number of JavaScript. */
function money(row: Row, field: string): CoreMoney {
  const value = row[field];
  if (typeof value !== 'string' || !/^-?\d+$/.test(value)) throw new RowFault(field, 'not a whole number');
  return { minorUnits: BigInt(value), currency: text(row, 'currency') };
}

/** A `timestamptz` has its zone, whichever the session has; a `timestamp` would not. `infinity` is no Date. */
function time(row: Row, field: string): Date {
  const value = row[field];
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) throw new RowFault(field, 'not a time');
  return value;
}

function day(row: Row, field: string): CoreTime {
  const value = row[field];
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) throw new RowFault(field, 'not a day');
  return { date: value };
}

/** The core knows only the day of an entry made by hand. */
function timeOrDay(row: Row, field: string): CoreTime {
  return optional(row, `${field}_day`, day) ?? time(row, field);
}

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

function optionalText(row: Row, field: string): string | undefined {
  return optional(row, field, text);
}

function optional<T>(row: Row, field: string, read: (row: Row, field: string) => T): T | undefined {
  return row[field] === null ? undefined : read(row, field);
}
