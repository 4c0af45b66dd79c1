import {
  calendarDate,
  currencyOf,
  instantOf,
  minorUnitsOf,
  moneyOf,
  optionalMatchOf,
  optionalTextOf,
  textOf,
  integerOf,
  wordOf,
  type CalendarDate,
  type CoreAccount,
  type CoreBalance,
  type CoreMoney,
  type CoreParty,
  type CoreTransaction,
  type Row,
  type TimeAndId,
} from 'account-information-core-adapter';

/** The zone of the core's clocks. */
const timeZone = 'Europe/Amsterdam';

export function toAccount(row: Row): CoreAccount {
  const description = optionalTextOf(row, 'label');
  const sortCode = optionalMatchOf(row, 'sortcode', /^\d{6}$/);
  const accountNumber = optionalMatchOf(row, 'extern', /^\d{8}$/);
  return {
    ref: textOf(row, 'rekening'),
    product: wordOf(row, 'soort', { 10: 'CurrentAccount', 20: 'Savings' }),
    currency: currencyOf(row, 'valuta'),
    permitted: wordOf(row, 'status', { 1: true, 9: false }),
    holder: wordOf(row, 'houder', { P: 'personal', Z: 'business' }),
    ...(description !== undefined && { description }),
    ...(sortCode !== undefined && { sortCode }),
    ...(accountNumber !== undefined && { accountNumber }),
  };
}

export function toBalance(row: Row, currency: string): CoreBalance {
  const limit = optionalTextOf(row, 'limiet');
  return {
    kind: wordOf(row, 'soort', { B: 'booked', D: 'available' }),
    amount: signed(row, currency),
    at: instantOf(row.stand, timeZone, 'stand'),
    ...(limit !== undefined && { creditLimit: moneyOf(limit, currency, 'limiet') }),
  };
}

export function toParty(row: Row): CoreParty {
  const name = optionalTextOf(row, 'naam');
  return { ref: String(integerOf(row, 'nummer')), ...(name !== undefined && { name }) };
}

export function timeAndIdOf(row: Row): TimeAndId {
  return { id: textOf(row, 'id'), at: dayOf(row, 'datum') };
}

export function toTransaction(row: Row, currency: string): CoreTransaction {
  const { rente, tijd, na } = row;
  const status = wordOf(row, 'status', { V: 'booked', R: 'pending' });
  const description = optionalTextOf(row, 'tekst');
  return {
    ...timeAndIdOf(row),
    status,
    // The day of a pending transaction is the day on which it was made.
    ...(tijd !== undefined && status === 'booked' && { madeAt: instantOf(tijd, timeZone, 'tijd') }),
    ...(rente !== undefined && { valueAt: dayOf(row, 'rente') }),
    amount: signed(row, currency),
    ...(description !== undefined && { description }),
    ...(na !== undefined && { runningBalance: moneyOf(na, currency, 'na') }),
  };
}

/** `bedrag` has no sign: `cd` has it. */
function signed(row: Row, currency: string): CoreMoney {
  const minorUnits = minorUnitsOf(row.bedrag, currency, 'bedrag');
  return { minorUnits: wordOf(row, 'cd', { C: minorUnits, D: -minorUnits }), currency };
}

/** A day as the number 20261120. */
function dayOf(row: Row, field: string): CalendarDate {
  const digits = String(integerOf(row, field));
  return calendarDate(digits.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'), field);
}
