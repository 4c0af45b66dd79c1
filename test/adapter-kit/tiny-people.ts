import type { AccountTruth, GivenCustomer } from '../../packages/adapter-kit/adapter-kit.js';
import {
  type CoreAccount,
  type CoreMoney,
  type CoreTransaction,
  type MandateStatus,
  mandateStatuses,
} from '../../packages/core-adapter/core.records.js';
import { awkward } from '../support/awkward-text.js';

const time = (text: string): Date => new Date(`${text}Z`);
const pounds = (minorUnits: bigint): CoreMoney => ({ minorUnits, currency: 'GBP' });
const friend = { scheme: 'sort-code', identification: '20000055779911', name: awkward } as const;
const lei = '2138SANDBOXENERGY129';
const agent = {
  bic: 'NWBKGB2LXXX',
  name: 'A Bank',
  lei,
  address: { townName: 'London', country: 'GB', streetName: 'Poultry', buildingNumber: '1', postCode: 'EC2R 8EJ' },
} as const;
/** More than a page of a core has. */
const many = 60;
const manyOf = <T>(make: (number: number) => T): T[] => Array.from({ length: many }, (_, index) => make(index + 1));

/** An account with only the records that every account has. */
function plain(account: Pick<CoreAccount, 'ref'> & Partial<CoreAccount>): AccountTruth {
  const whole: CoreAccount = {
    product: 'Savings',
    currency: 'GBP',
    permitted: true,
    holder: 'personal',
    sortCode: '089999',
    accountNumber: account.ref.replace(/\D/g, '').slice(-8).padStart(8, '0'),
    ...account,
  };
  return {
    account: whole,
    balances: [
      { kind: 'booked', amount: { minorUnits: 0n, currency: whole.currency }, at: time('2026-11-20T12:00:00') },
    ],
    transactions: [],
    party: [{ ref: 'P-1', name: `Anna ${awkward}` }],
    holderNames: [`Anna ${awkward}`],
    offers: [],
    scheduledPayments: [],
    beneficiaries: [],
    statements: [],
    directDebits: [],
    standingOrders: [],
    product: [{ code: 'P1', name: 'Plain', type: 'other' }],
  };
}

/** Oldest first, with running balances from 100.00. */
function withBalances(rows: readonly CoreTransaction[]): CoreTransaction[] {
  let balance = 100_00n;
  return rows.map((row) => {
    balance += row.amount.minorUnits;
    return { ...row, runningBalance: { ...row.amount, minorUnits: balance } };
  });
}

const booked = (id: string, at: string, minorUnits: bigint, more: Partial<CoreTransaction> = {}): CoreTransaction => ({
  id,
  status: 'booked',
  at: time(at),
  amount: pounds(minorUnits),
  description: `PAYMENT ${id}`,
  ...more,
});

const everyday: AccountTruth = {
  ...plain({
    ref: 'A-10001',
    product: 'CurrentAccount',
    description: 'Everyday',
    accountNumber: '10010010',
    iban: 'GB33BUKB20201555555555',
    lei,
  }),
  balances: [
    { kind: 'booked', amount: pounds(1_234_567_89n), at: time('2026-11-20T12:00:17.250') },
    { kind: 'available', amount: pounds(100_00n), at: time('2026-11-20T12:00:00'), creditLimit: pounds(50_00n) },
  ],
  funds: { spendable: pounds(100_00n), overdraft: pounds(50_00n) },
  transactions: [
    ...withBalances([
      booked('t00', '1987-06-05T04:03:02.001', -1_00n, { description: awkward }),
      booked('t01', '2024-03-02T10:00:00', -5_00n, { valueAt: time('2024-02-29T10:00:00') }),
      booked('t02', '2026-03-29T00:30:00', 10_00n, { madeAt: time('2026-03-29T00:10:00') }),
      booked('t03', '2026-03-29T01:30:00', -1_00n, { madeAt: time('2026-03-29T01:10:00') }),
      booked('t04', '2026-07-01T08:00:00', 0n),
      booked('t041', '2026-07-01T23:30:00', -6_00n),
      booked('t05', '2026-07-02T08:00:00', -2_00n, { at: { date: '2026-07-02' }, valueAt: { date: '2026-07-03' } }),
      booked('t06', '2026-10-25T00:30:00', -3_00n, { madeAt: time('2026-10-25T00:10:00.123') }),
      booked('t07', '2026-10-25T01:30:00', 4_00n, { madeAt: time('2026-10-25T01:10:00') }),
      booked('t08', '2026-11-01T08:00:00', -7_00n, { madeAt: time('2026-10-31T23:59:59.999') }),
      booked('t09', '2026-11-01T08:00:00', -8_00n, { exchange: { sourceCurrency: 'EUR', rate: '1.17' } }),
      booked('t10', '2026-11-02T08:00:00', 9_00n, { description: '茶館 — Ενοίκιο' }),
      booked('t100', '2026-11-02T09:00:00', 7_00n, {
        isoTransactionCode: { family: 'RCDT', subFamily: 'SALA' },
        bankTransactionCode: { code: 'BGC', issuer: 'A Bank' },
        categoryPurpose: 'SALA',
        paymentPurpose: 'BONU',
        creditor: { ...friend, proxy: { code: 'EMAL', identification: 'friend@example.org' } },
        creditorAgent: agent,
        ultimateCreditor: { name: 'Anna' },
        debtor: friend,
        debtorAgent: { bic: 'NWBKGB2L' },
        ultimateDebtor: { name: 'An Employer', lei },
      }),
      booked('t101', '2026-11-03T08:00:00', -3_00n, { description: 'COFFEE' }),
      booked('t102', '2026-11-03T08:00:00', -3_00n, { description: 'COFFEE' }),
      booked('t103', '2036-02-29T12:00:00.999', 1_00n),
    ]),
    {
      id: 't11',
      status: 'pending',
      at: time('2026-11-19T08:00:00'),
      madeAt: time('2026-11-19T08:00:00'),
      expectedBookingAt: time('2026-11-22T08:00:00'),
      amount: pounds(-4_00n),
    },
    { id: 't12', status: 'pending', at: time('2026-09-19T09:00:00'), amount: pounds(-5_00n) },
  ],
  scheduledPayments: manyOf((number) => ({
    id: `s${number}`,
    dueAt: time(`2026-12-0${1 + (number % 2)}T00:00:00.500`),
    type: 'execution',
    reference: number === 1 ? awkward : 'Dentist',
    amount: pounds(85_00n),
    creditor: friend,
    ...(number === 2 && { creditorAgent: agent }),
  })),
  beneficiaries: manyOf((number) => ({
    id: `b${number}`,
    kind: number % 2 === 1 ? 'third-party' : 'nominated',
    creditor: friend,
    ...(number === 2 && { creditorAgent: agent }),
  })),
  directDebits: manyOf((number) => ({
    id: `d${number}`,
    mandate: `M-${number % 3}`,
    status: mandateStatuses[number % 4] as MandateStatus,
    name: number % 3 === 1 ? awkward : 'Gym',
    ...(number === 2 && {
      frequency: { every: 'month', interval: 1, day: 1 },
      classification: 'fixed',
      categoryPurpose: 'SUPP',
      firstPaymentAt: { date: '2026-01-01' },
      finalPaymentAt: { date: '2026-12-01' },
      reason: 'Membership',
    }),
  })),
  standingOrders: manyOf((number) => ({
    id: `o${number}`,
    frequency: { every: 'month', interval: 1, day: 1 },
    status: 'active',
    nextPaymentAt: { date: '2026-12-01' },
    nextPaymentAmount: pounds(10_00n),
    creditor: friend,
    ...(number === 2 && { categoryPurpose: 'CASH', creditorAgent: agent }),
  })),
  international: ['x1'],
};

/** Below zero in every figure, with an overdraft of 0.00. */
const overdrawn: Partial<AccountTruth> = {
  balances: [
    { kind: 'booked', amount: pounds(-20_00n), at: time('2026-11-20T12:00:00') },
    { kind: 'available', amount: pounds(-20_00n), at: time('2026-11-20T12:00:00'), creditLimit: pounds(0n) },
  ],
  funds: { spendable: pounds(-20_00n), overdraft: pounds(0n) },
  holderNames: ['Борис Іваненко'],
  transactions: [booked('k1', '2026-05-01T10:00:00', -20_00n, { runningBalance: pounds(-20_00n) })],
};

const card: AccountTruth = {
  ...plain({
    ref: 'A-10002',
    product: 'CreditCard',
    cardLastFour: '4321',
    sortCode: undefined,
    accountNumber: undefined,
  }),
  balances: [
    { kind: 'booked', amount: pounds(-30_00n), at: time('2026-11-20T12:00:00') },
    { kind: 'available', amount: pounds(70_00n), at: time('2026-11-20T12:00:00') },
  ],
  funds: { spendable: pounds(70_00n) },
  transactions: withBalances([
    booked('c1', '2026-05-01T10:00:00', -20_00n),
    booked('c2', '2026-05-02T10:00:00', 5_00n),
  ]),
  offers: [
    { endMonth: '2027-06', feePercentage: '2.99', minFeeAmount: pounds(3_00n) },
    { endMonth: '2027-09', takeUpEndDate: { date: '2026-12-31' } },
  ],
  statements: [
    {
      startAt: { date: '2026-10-01' },
      endAt: { date: '2026-10-31' },
      createdAt: time('2026-11-01T03:00:00.250'),
      type: 'regular',
      closingBalance: pounds(-30_00n),
      minimumPayment: pounds(0n),
    },
  ],
  earlierStatements: [{ date: '2026-09-30' }, { date: '2026-08-31' }],
};

const inCurrency = (ref: string, currency: string): AccountTruth => {
  const amount = { minorUnits: 1234n, currency };
  return {
    ...plain({ ref, currency }),
    balances: [
      { kind: 'booked', amount, at: time('2026-11-20T12:00:00') },
      { kind: 'available', amount, at: time('2026-11-20T12:00:00'), creditLimit: amount },
    ],
    funds: { spendable: amount, overdraft: amount },
    offers: [{ endMonth: '2027-06', minFeeAmount: amount }],
    statements: (card.statements ?? []).map((row) => ({ ...row, closingBalance: amount, minimumPayment: amount })),
    transactions: [booked(`${ref}-t`, '2026-06-01T10:00:00', 1n, { amount, runningBalance: amount })],
    scheduledPayments: (everyday.scheduledPayments ?? []).map((row) => ({ ...row, id: `${ref}-${row.id}`, amount })),
    standingOrders: (everyday.standingOrders ?? []).map((row) => ({
      ...row,
      id: `${ref}-${row.id}`,
      nextPaymentAmount: amount,
    })),
  };
};

const firstMs = Date.parse('2020-06-01T00:00:00Z');
const crowded: AccountTruth = {
  ...plain({ ref: 'A-10006', accountNumber: '10010060' }),
  transactions: Array.from({ length: 2_500 }, (_, index) => ({
    id: `n${index}`,
    status: 'booked',
    at: new Date(firstMs + index * 3_600_000),
    amount: pounds(-1n),
  })),
};

const boris = { ref: 'P-2', name: 'Борис Іваненко' };
/** The account of two customers. */
export const sharedRef = 'A-30001';
const shared: AccountTruth = {
  ...plain({ ref: sharedRef, accountNumber: '10030010' }),
  holderNames: [`Anna ${awkward}`, boris.name],
  funds: { spendable: pounds(0n) },
  transactions: withBalances([booked('j1', '2026-05-01T10:00:00', -20_00n)]),
};

export type People = ReadonlyMap<string, ReadonlyMap<string, AccountTruth>>;

/** Generated people, each account with the given records and those that every account has. */
export function filled(customers: readonly GivenCustomer[]): People {
  return new Map(
    customers.map(({ customerRef, accounts }) => [
      customerRef,
      new Map(
        accounts.map(({ ref, currency, booked: minorUnits, transactions }) => [
          ref,
          {
            ...plain({ ref, currency }),
            balances: [{ kind: 'booked', amount: { minorUnits, currency }, at: time('2026-11-20T12:00:00') }],
            transactions,
          },
        ]),
      ),
    ]),
  );
}

/** The people, and more accounts of one of them, as one of theirs is. */
export function opened(known: People, customerRef: string, count: number): People {
  const accounts = [...(known.get(customerRef)?.values() ?? [])];
  const [like] = accounts;
  if (like === undefined) throw new Error(`there is no customer ${customerRef}`);
  const more = Array.from({ length: count }, (_, index): AccountTruth => ({
    account: { ...like.account, ref: String(400_000 + index), iban: undefined },
    balances: like.balances ?? [],
  }));
  return new Map(known).set(customerRef, new Map([...accounts, ...more].map((truth) => [truth.account.ref, truth])));
}

/** By customer, by account. */
export const people: People = new Map(
  Object.entries({
    'anna-0001': [
      everyday,
      card,
      plain({ ref: 'A-10003', permitted: false }),
      inCurrency('A-10004', 'JPY'),
      inCurrency('A-10005', 'KWD'),
      crowded,
      shared,
    ],
    'boris-0002': [
      { ...plain({ ref: 'A-20001', description: 'Борис' }), ...overdrawn, party: [boris] },
      { ...shared, party: [boris] },
    ],
  }).map(([customerRef, accounts]) => [customerRef, new Map(accounts.map((truth) => [truth.account.ref, truth]))]),
);
