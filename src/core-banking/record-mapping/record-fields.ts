import type { AccountRead } from '../../../packages/core-adapter/core.adapter.js';
import {
  beneficiaryKinds,
  type CoreAccount,
  type CoreAccountIdentification,
  type CoreBalance,
  type CoreBeneficiary,
  type CoreDirectDebit,
  type CoreOffer,
  type CoreParty,
  type CoreProductDetail,
  type CoreScheduledPayment,
  type CoreStandingOrder,
  type CoreStatement,
  type CoreTransaction,
} from '../../../packages/core-adapter/core.records.js';
import { frequencyOf } from './frequencies.js';

/** A field of a record of the port, as the file of a bank maps it to columns. */
export type Field = Value | Group;

export interface Value {
  readonly kind:
    /** Any text. */
    | 'text'
    /** A text of one form. */
    | 'form'
    /** One of the port's words; without a list of them, any. */
    | 'word'
    /** True or false. */
    | 'flag'
    | 'currency'
    /** A decimal that is no money, such as a rate. */
    | 'decimal'
    /** A small whole number. */
    | 'whole'
    | 'money'
    /** Money that is not below zero. */
    | 'magnitude'
    /** An instant, or a day. */
    | 'time'
    | 'day';
  readonly optional: boolean;
  readonly form?: RegExp;
  readonly words?: readonly string[];
}

/** A record inside the record. It is absent where it is optional and its first field is absent. */
export interface Group {
  readonly kind: 'group';
  readonly optional: boolean;
  readonly fields: Fields;
  /** Makes the record of its parts, of which it needs all that are there; `column` is named in a fault. */
  readonly build?: (parts: Readonly<Record<string, unknown>>, column: string) => unknown;
}

export type Fields = Readonly<Record<string, Field>>;

/** The fields of a record of the port. One that the port needs, or does not have, does not compile. */
type FieldsOf<T> = { readonly [K in keyof T]: Field };

const value = (kind: Value['kind'], more: Partial<Value> = {}): Value => ({ kind, optional: false, ...more });
const optional = <T extends Field>(field: T): T => ({ ...field, optional: true });
const text = value('text');
const word = (words?: readonly string[]): Value => value('word', words && { words });
const form = (pattern: RegExp): Value => optional(value('form', { form: pattern }));
const flag = value('flag');
const time = value('time');
const money = value('money');
const magnitude = value('magnitude');
const decimal = optional(value('decimal'));
const group = <T>(fields: FieldsOf<T>): Group => ({ kind: 'group', optional: false, fields });

const creditor = group<CoreAccountIdentification>({
  scheme: word(['sort-code', 'iban', 'bban', 'card']),
  identification: text,
  name: optional(text),
});

export const accountFields = {
  ref: text,
  // A name of the profile's.
  product: word(),
  currency: value('currency'),
  description: optional(text),
  permitted: flag,
  holder: word(['personal', 'business']),
  sortCode: optional(text),
  accountNumber: optional(text),
  iban: optional(text),
  cardLastFour: form(/^\d{4}$/),
} satisfies FieldsOf<CoreAccount>;

const balance = {
  kind: word(['booked', 'available']),
  amount: money,
  at: time,
  creditLimit: optional(magnitude),
} satisfies FieldsOf<CoreBalance>;

const transaction = {
  id: text,
  status: word(['booked', 'pending']),
  at: time,
  madeAt: optional(time),
  expectedBookingAt: optional(time),
  valueAt: optional(time),
  amount: money,
  description: optional(text),
  runningBalance: optional(money),
  exchange: optional(
    group<NonNullable<CoreTransaction['exchange']>>({ sourceCurrency: value('currency'), rate: decimal }),
  ),
} satisfies FieldsOf<CoreTransaction>;

const party = { ref: text, name: optional(text) } satisfies FieldsOf<CoreParty>;

const offer = {
  endMonth: form(/^\d{4}-(0[1-9]|1[0-2])$/),
  feePercentage: decimal,
  maxTransferPercentage: decimal,
  minTransferAmount: optional(magnitude),
  minFeeAmount: optional(magnitude),
  annualRatePercentage: decimal,
  takeUpEndDate: optional(value('day')),
} satisfies FieldsOf<CoreOffer>;

const scheduledPayment = {
  id: text,
  dueAt: time,
  type: word(['execution', 'arrival']),
  reference: optional(text),
  amount: magnitude,
  creditor,
} satisfies FieldsOf<CoreScheduledPayment>;

const beneficiary = { id: text, kind: word(beneficiaryKinds), creditor } satisfies FieldsOf<CoreBeneficiary>;

const statement = {
  startAt: time,
  endAt: time,
  createdAt: time,
  type: word(['regular', 'annual', 'interim', 'opening', 'closing']),
  closingBalance: money,
  minimumPayment: optional(magnitude),
  paymentDueAt: optional(time),
} satisfies FieldsOf<CoreStatement>;

const directDebit = { id: text, mandate: text, active: flag, name: text } satisfies FieldsOf<CoreDirectDebit>;

/** The parts of every kind of frequency. */
const frequency: Group = {
  ...group<Record<'every' | 'interval' | 'weekday' | 'day' | 'weekOfMonth' | 'days', unknown>>({
    every: word(['day', 'working-day', 'week', 'month', 'quarter', 'other']),
    interval: optional(value('whole')),
    weekday: optional(value('whole')),
    day: optional(value('whole')),
    weekOfMonth: optional(value('whole')),
    days: optional(word(['english', 'scottish', 'received'])),
  }),
  build: frequencyOf,
};

const standingOrder = {
  id: text,
  frequency,
  reference: optional(text),
  firstPaymentAt: optional(time),
  nextPaymentAt: optional(time),
  finalPaymentAt: optional(time),
  active: flag,
  nextPaymentAmount: optional(magnitude),
  creditor,
} satisfies FieldsOf<CoreStandingOrder>;

const product = {
  code: optional(text),
  name: optional(text),
  type: word(['personal-current-account', 'business-current-account', 'other']),
} satisfies FieldsOf<CoreProductDetail>;

/** The fields of the records of each read that a file can map. */
export const fieldsOfReads: Readonly<Partial<Record<AccountRead, Fields>>> = {
  balances: balance,
  transactions: transaction,
  party,
  offers: offer,
  scheduledPayments: scheduledPayment,
  beneficiaries: beneficiary,
  statements: statement,
  directDebits: directDebit,
  standingOrders: standingOrder,
  product,
};
