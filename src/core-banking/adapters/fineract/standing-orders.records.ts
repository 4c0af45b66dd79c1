import type { CoreAccountIdentification } from '../../../../packages/core-adapter/core.parties.js';
import type { CalendarDate, CoreFrequency, CoreStandingOrder } from '../../../../packages/core-adapter/core.records.js';
import {
  day,
  enumId,
  key,
  moneyOrNone,
  optionalDay,
  optionalEnumId,
  optionalText,
  requiredRow,
  integerOf,
} from './fineract.fields.js';
import { optionalField, RowFault, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { notNegative, partOf, wordOf } from '../../../../packages/core-adapter/row-fields.js';
import { paymentDays, type Recurrence } from './standing-schedule.js';

const states = { 1: 'active', 2: 'disabled', 3: 'deleted' } as const;
const periodic = 1;
const accountTransfer = 1;
const fixedAmount = 1;
const savingsAccount = 2;

/** A row that is a standing order of the account: not deleted, and not the repayment of a loan as it falls due. */
export function isStandingOrder(row: Row): boolean {
  return (
    stateOf(row) !== 'deleted' &&
    enumId(row.transferType, 'transferType') === accountTransfer &&
    enumId(row.recurrenceType, 'recurrenceType') === periodic
  );
}

function stateOf(row: Row): (typeof states)[keyof typeof states] {
  return partOf(row, 'status', (status) => wordOf(status, 'id', states));
}

/** The paid savings account, which is always in the same Fineract. The ids of loans are others, and may be equal to its. */
export function payeeRef(row: Row): string {
  if (enumId(row.toAccountType, 'toAccountType') !== savingsAccount)
    throw new RowFault('toAccountType.id', 'not that of a savings account');
  return key(requiredRow(row.toAccount, 'toAccount').id, 'toAccount.id');
}

export interface OrderView {
  readonly accountRef: string;
  /** In the account's currency, because the instruction has none. */
  readonly currency: string;
  readonly today: CalendarDate;
  readonly creditor: (payeeRef: string, name: string | undefined) => CoreAccountIdentification | undefined;
}

export function toStandingOrder(row: Row, view: OrderView): CoreStandingOrder {
  if (key(requiredRow(row.fromAccount, 'fromAccount').id, 'fromAccount.id') !== view.accountRef)
    throw new RowFault('fromAccount.id', 'not the account that was asked for');
  const recurrence = toRecurrence(row);
  const days = paymentDays(recurrence, view.today);
  const ended = recurrence.validTill !== undefined && recurrence.validTill.date <= view.today.date;
  const status = ended ? 'expired' : stateOf(row) === 'active' ? 'active' : 'suspended';
  const payeeName = optionalField('creditor.name', () =>
    optionalText(requiredRow(row.toClient, 'toClient').displayName, 'toClient.displayName'),
  );
  const creditor = view.creditor(payeeRef(row), payeeName);
  if (creditor === undefined) throw new RowFault('toAccount', 'without a sort code or an IBAN in the data table');
  return {
    id: key(row.id, 'id'),
    frequency: toFrequency(recurrence, days.start),
    reference: optionalField('reference', () => optionalText(row.name, 'name')),
    firstPaymentAt: days.first,
    nextPaymentAt: status === 'active' ? days.next : undefined,
    finalPaymentAt: days.last,
    status,
    nextPaymentAmount: optionalField('nextPaymentAmount', () => amountOf(row, view.currency)),
    creditor,
  };
}

/** Only a fixed amount is known before the day on which it is due. */
function amountOf(row: Row, currency: string): CoreStandingOrder['nextPaymentAmount'] {
  if (optionalEnumId(row.instructionType, 'instructionType') !== fixedAmount) return undefined;
  const amount = moneyOrNone(row.amount, currency, 'amount');
  if (amount !== undefined) notNegative(amount.minorUnits, 'amount');
  return amount;
}

const periods = { 0: 'day', 1: 'week', 2: 'month', 3: 'year' } as const;

function toRecurrence(row: Row): Recurrence {
  const every = partOf(row, 'recurrenceFrequency', (period) => wordOf(period, 'id', periods));
  const interval = integerOf(row.recurrenceInterval, 'recurrenceInterval');
  if (interval < 1 || interval > 10_000) throw new RowFault('recurrenceInterval', 'not from 1 to 10000');
  const on = every === 'month' || every === 'year' ? { on: monthDay(row.recurrenceOnMonthDay) } : {};
  const validTill = optionalDay(row.validTill, 'validTill');
  return { every, interval, ...on, validFrom: day(row.validFrom, 'validFrom'), validTill };
}

/** `[6,30]`; both numbers also where the instruction is monthly. */
function monthDay(value: unknown): { month: number; day: number } {
  const field = 'recurrenceOnMonthDay';
  if (!Array.isArray(value) || value.length !== 2) throw new RowFault(field, 'not a month and a day');
  const [month, dayOfMonth] = [integerOf(value[0], field), integerOf(value[1], field)];
  if (month < 1 || month > 12 || dayOfMonth < 1 || dayOfMonth > 31) throw new RowFault(field, 'not a month and a day');
  return { month, day: dayOfMonth };
}

function toFrequency({ every, interval }: Recurrence, start: CalendarDate | undefined): CoreFrequency {
  if (every === 'day') return { every, interval };
  if (start === undefined) return { every: 'other' };
  const at = new Date(start.date);
  if (every === 'week') return { every, interval, weekday: at.getUTCDay() || 7 };
  return { every: 'month', interval: every === 'year' ? 12 * interval : interval, day: at.getUTCDate() };
}
