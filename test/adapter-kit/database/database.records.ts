import type {
  CoreAccount,
  CoreBalance,
  CoreMoney,
  CoreParty,
  CoreTime,
  CoreTransaction,
} from '../../../packages/core-adapter/core.records.js';
import { wordOf } from '../../../packages/core-adapter/code-words.js';
import { RowFault, type Row } from '../../../packages/core-adapter/core-rows.js';
import { calendarDate } from '../../../packages/core-adapter/local-times.js';
import { currencyOf, optionalTextOf, textOf, wholeOf } from '../../../packages/core-adapter/row-fields.js';

const products: Readonly<Record<string, string>> = { CA: 'CurrentAccount', SA: 'Savings', CC: 'CreditCard' };

export function toAccount(row: Row): CoreAccount {
  return {
    ref: textOf(row, 'account_ref'),
    product: wordOf(row, 'product', products),
    currency: currencyOf(row, 'currency'),
    permitted: wordOf(row, 'state', { OPEN: true, BLOCKED: false }),
    holder: wordOf(row, 'holder', { P: 'personal', B: 'business' }),
    description: optionalTextOf(row, 'label'),
    sortCode: optionalTextOf(row, 'sort_code'),
    accountNumber: optionalTextOf(row, 'account_number'),
    iban: optionalTextOf(row, 'iban'),
    cardLastFour: optionalTextOf(row, 'card_number')?.slice(-4),
  };
}

export function toBalance(row: Row): CoreBalance {
  return {
    kind: wordOf(row, 'kind', { BOOKED: 'booked', AVAILABLE: 'available' }),
    amount: money(row, 'amount'),
    at: time(row, 'as_of'),
    creditLimit: optional(row, 'overdraft', money),
  };
}

export function toParty(row: Row): CoreParty {
  return { ref: textOf(row, 'person_ref'), name: optionalTextOf(row, 'name') };
}

export function toTransaction(row: Row): CoreTransaction {
  return {
    id: textOf(row, 'id'),
    status: wordOf(row, 'status', { BOOKED: 'booked', HELD: 'pending' }),
    at: timeOrDay(row, 'at'),
    madeAt: optional(row, 'made_at', time),
    expectedBookingAt: optional(row, 'expected_at', time),
    valueAt: optional(row, 'value_at', time) ?? optional(row, 'value_at_day', day),
    amount: money(row, 'amount'),
    description: optionalTextOf(row, 'text'),
    runningBalance: optional(row, 'balance', money),
    exchange: optional(row, 'fx_currency', (_, field) => ({
      sourceCurrency: currencyOf(row, field),
      rate: optionalTextOf(row, 'fx_rate'),
    })),
  };
}

/** A `bigint` comes as a text, because not every one of them is a number of JavaScript. */
function money(row: Row, field: string): CoreMoney {
  return { minorUnits: wholeOf(row, field), currency: currencyOf(row, 'currency') };
}

/** A `timestamptz` has its zone, whichever the session has; a `timestamp` would not. `infinity` is no Date. */
function time(row: Row, field: string): Date {
  const value = row[field];
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) throw new RowFault(field, 'not a time');
  return value;
}

function day(row: Row, field: string): CoreTime {
  return calendarDate(row[field], field);
}

/** The core knows only the day of an entry made by hand. */
function timeOrDay(row: Row, field: string): CoreTime {
  return optional(row, `${field}_day`, day) ?? time(row, field);
}

function optional<T>(row: Row, field: string, read: (row: Row, field: string) => T): T | undefined {
  return row[field] === null ? undefined : read(row, field);
}
