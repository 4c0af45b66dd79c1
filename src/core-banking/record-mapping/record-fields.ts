import type { AccountRead } from '../../../packages/core-adapter/core.adapter.js';
import {
  type CoreAccountIdentification,
  type CoreAgent,
  type CorePostalAddress,
  type CoreUltimateParty,
  proxyCodes,
} from '../../../packages/core-adapter/core.parties.js';
import {
  beneficiaryKinds,
  type CoreAccount,
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
  mandateStatuses,
} from '../../../packages/core-adapter/core.records.js';
import {
  decimal,
  flag,
  form,
  group,
  magnitude,
  money,
  optional,
  text,
  time,
  value,
  word,
  type Fields,
  type FieldsOf,
  type Group,
} from './field-kinds.js';
import { frequencyOf } from './frequencies.js';

const isoCode = form(/^[A-Z0-9]{4}$/);

const creditor = group<CoreAccountIdentification>({
  scheme: word(['sort-code', 'iban', 'bban', 'card']),
  identification: text,
  name: optional(text),
  proxy: optional(
    group<NonNullable<CoreAccountIdentification['proxy']>>({ code: word(proxyCodes), identification: text }),
  ),
});

const address = optional(
  group<CorePostalAddress>({
    townName: text,
    country: { ...form(/^[A-Z]{2}$/), optional: false },
    buildingName: optional(text),
    buildingNumber: optional(text),
    streetName: optional(text),
    postCode: optional(text),
  }),
);

const agent = optional(
  group<CoreAgent>({
    bic: { ...form(/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/), optional: false },
    name: optional(text),
    lei: form(/^[A-Z0-9]{18}\d{2}$/),
    address,
  }),
);

const ultimateParty = optional(group<CoreUltimateParty>({ name: text, lei: form(/^[A-Z0-9]{18}\d{2}$/) }));

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
  lei: form(/^[A-Z0-9]{18}\d{2}$/),
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
  status: word(['booked', 'pending', 'rejected']),
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
  isoTransactionCode: optional(
    group<NonNullable<CoreTransaction['isoTransactionCode']>>({
      family: { ...isoCode, optional: false },
      subFamily: { ...isoCode, optional: false },
    }),
  ),
  bankTransactionCode: optional(
    group<NonNullable<CoreTransaction['bankTransactionCode']>>({ code: text, issuer: optional(text) }),
  ),
  categoryPurpose: isoCode,
  paymentPurpose: isoCode,
  creditor: optional(creditor),
  creditorAgent: agent,
  ultimateCreditor: ultimateParty,
  debtor: optional(creditor),
  debtorAgent: agent,
  ultimateDebtor: ultimateParty,
} satisfies FieldsOf<CoreTransaction>;

const party = {
  ref: text,
  name: optional(text),
  lei: form(/^[A-Z0-9]{18}\d{2}$/),
  address,
} satisfies FieldsOf<CoreParty>;

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
  creditorAgent: agent,
} satisfies FieldsOf<CoreScheduledPayment>;

const beneficiary = {
  id: text,
  kind: word(beneficiaryKinds),
  creditor,
  creditorAgent: agent,
} satisfies FieldsOf<CoreBeneficiary>;

const statement = {
  startAt: time,
  endAt: time,
  createdAt: time,
  type: word(['regular', 'annual', 'interim', 'opening', 'closing']),
  closingBalance: money,
  minimumPayment: optional(magnitude),
  paymentDueAt: optional(time),
} satisfies FieldsOf<CoreStatement>;

/** The parts of every kind of frequency. */
const frequency: Group = {
  ...group<Record<'every' | 'interval' | 'weekday' | 'day' | 'weekOfMonth' | 'days', unknown>>({
    every: word(['day', 'working-day', 'week', 'month', 'quarter', 'other']),
    interval: optional(value('integer')),
    weekday: optional(value('integer')),
    day: optional(value('integer')),
    weekOfMonth: optional(value('integer')),
    days: optional(word(['english', 'scottish', 'received'])),
  }),
  build: frequencyOf,
};

const directDebit = {
  id: text,
  mandate: text,
  status: word(mandateStatuses),
  name: text,
  frequency: optional(frequency),
  classification: optional(word(['fixed', 'variable', 'usage-based'])),
  categoryPurpose: isoCode,
  firstPaymentAt: optional(time),
  finalPaymentAt: optional(time),
  reason: optional(text),
} satisfies FieldsOf<CoreDirectDebit>;

const standingOrder = {
  id: text,
  frequency,
  reference: optional(text),
  firstPaymentAt: optional(time),
  nextPaymentAt: optional(time),
  finalPaymentAt: optional(time),
  status: word(mandateStatuses),
  categoryPurpose: isoCode,
  nextPaymentAmount: optional(magnitude),
  creditor,
  creditorAgent: agent,
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
