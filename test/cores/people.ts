import type { AccountTruth } from '../../packages/adapter-kit/adapter-kit.js';
import type {
  CoreAccount,
  CoreBeneficiary,
  CoreDirectDebit,
  CoreMoney,
  CoreScheduledPayment,
  CoreStandingOrder,
  CoreStatement,
  CoreTransaction,
} from '../../packages/core-adapter/core.records.js';

// A bank that has every case of the kit. All references are digits, which a column of texts and one of numbers can hold. No
// time is one that the clocks of London, Los Angeles, Auckland or Kolkata show a second time.

/** Longer than 70 characters, with letters that NFKC folds (ﬁ) and a character beyond U+FFFF (𠮷). */
const awkward = 'Reﬁned Żaneta Gęślą-Jaźń and 𠮷野家, Wholesale Purveyors of Fruit and Vegetables, Llanfairpwll';
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
const anna = { ref: '500001', name: `Anna ${awkward}`, address: agent.address };
const boris = { ref: '500002', name: 'Борис Іваненко', lei };

/** An account with only the records that every account has. */
function plain(account: Pick<CoreAccount, 'ref'> & Partial<CoreAccount>): AccountTruth {
  const whole: CoreAccount = {
    product: 'Savings',
    currency: 'GBP',
    permitted: true,
    holder: 'personal',
    sortCode: '089999',
    accountNumber: account.ref.padStart(8, '0'),
    ...account,
  };
  return {
    account: whole,
    balances: (['booked', 'available'] as const).map((kind) => ({
      kind,
      amount: { minorUnits: 0n, currency: whole.currency },
      at: time('2026-11-20T12:00:00'),
    })),
    transactions: [],
    party: [anna],
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

const scheduledPayment = (id: string): CoreScheduledPayment => ({
  id,
  dueAt: time('2026-12-01T09:00:00'),
  type: 'execution',
  reference: 'Dentist',
  amount: pounds(85_00n),
  creditor: friend,
});
const beneficiary = (id: string): CoreBeneficiary => ({ id, kind: 'third-party', creditor: friend });
const directDebit = (id: string): CoreDirectDebit => ({ id, mandate: 'M-1', status: 'active', name: 'Energy' });
const standingOrder = (id: string): CoreStandingOrder => ({
  id,
  frequency: { every: 'month', interval: 1, day: 1 },
  status: 'active',
  nextPaymentAt: { date: '2026-12-01' },
  nextPaymentAmount: pounds(10_00n),
  creditor: friend,
});

const everyday: AccountTruth = {
  ...plain({
    ref: '10001',
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
  transactions: [
    ...withBalances([
      booked('900000', '1999-06-05T04:03:02.001', -1_00n, { description: awkward }),
      booked('900001', '2024-02-29T10:00:00', -5_00n, { valueAt: { date: '2024-02-29' } }),
      booked('900002', '2026-03-29T00:30:00', 10_00n, { madeAt: time('2026-03-29T00:10:00') }),
      booked('900003', '2026-03-29T01:30:00', -1_00n, { madeAt: time('2026-03-29T01:10:00') }),
      booked('900004', '2026-07-01T08:00:00', 0n),
      booked('900013', '2026-07-01T23:30:00', -6_00n),
      booked('900005', '2026-07-02T08:00:00', -2_00n, { at: { date: '2026-07-02' }, valueAt: { date: '2026-07-03' } }),
      booked('900006', '2026-10-25T00:30:00', -3_00n, { madeAt: time('2026-10-25T00:10:00.123') }),
      booked('900007', '2026-10-25T02:30:00', 4_00n, { madeAt: time('2026-10-25T02:10:00') }),
      booked('900008', '2026-11-01T08:00:00', -7_00n, { madeAt: time('2026-10-31T23:59:59.999') }),
      booked('900009', '2026-11-01T08:00:00', -8_00n, { exchange: { sourceCurrency: 'EUR', rate: '1.17' } }),
      booked('900010', '2026-11-02T08:00:00', 9_00n, { description: '茶館 — Ενοίκιο' }),
      booked('900017', '2026-11-02T09:00:00', 7_00n, {
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
      booked('900014', '2026-11-03T08:00:00', -3_00n, { description: 'COFFEE' }),
      booked('900015', '2026-11-03T08:00:00', -3_00n, { description: 'COFFEE' }),
      booked('900016', '2036-02-28T12:00:00.999', 1_00n),
    ]),
    {
      id: '900011',
      status: 'pending',
      at: time('2026-11-19T08:00:00'),
      madeAt: time('2026-11-19T08:00:00'),
      expectedBookingAt: time('2026-11-22T08:00:00'),
      amount: pounds(-4_00n),
    },
    { id: '900012', status: 'pending', at: time('2026-09-19T09:00:00'), amount: pounds(-5_00n) },
  ],
  scheduledPayments: [
    scheduledPayment('700001'),
    { ...scheduledPayment('700002'), dueAt: time('2026-12-02T09:00:00'), creditorAgent: agent },
  ],
  beneficiaries: [beneficiary('600001'), { ...beneficiary('600002'), kind: 'nominated', creditorAgent: agent }],
  directDebits: [
    directDebit('710001'),
    {
      id: '710002',
      mandate: 'M-2',
      status: 'cancelled',
      name: 'Gym',
      frequency: { every: 'month', interval: 1, day: 1 },
      classification: 'fixed',
      categoryPurpose: 'SUPP',
      firstPaymentAt: { date: '2026-01-01' },
      finalPaymentAt: { date: '2026-12-01' },
      reason: 'Membership',
    },
  ],
  standingOrders: [
    standingOrder('720001'),
    { ...standingOrder('720002'), categoryPurpose: 'CASH', creditorAgent: agent },
  ],
};

/** Below zero in every figure, with an overdraft of 0.00. */
const overdrawn: Partial<AccountTruth> = {
  balances: [
    { kind: 'booked', amount: pounds(-20_00n), at: time('2026-11-20T12:00:00') },
    { kind: 'available', amount: pounds(-20_00n), at: time('2026-11-20T12:00:00'), creditLimit: pounds(0n) },
  ],
  transactions: [booked('920001', '2026-05-01T10:00:00', -20_00n, { runningBalance: pounds(-20_00n) })],
};

const card: AccountTruth = {
  ...plain({ ref: '10002', product: 'CreditCard', cardLastFour: '4321' }),
  account: {
    ref: '10002',
    product: 'CreditCard',
    currency: 'GBP',
    permitted: true,
    holder: 'personal',
    cardLastFour: '4321',
  },
  balances: [
    { kind: 'booked', amount: pounds(-30_00n), at: time('2026-11-20T12:00:00') },
    { kind: 'available', amount: pounds(70_00n), at: time('2026-11-20T12:00:00') },
  ],
  transactions: withBalances([
    booked('910001', '2026-05-01T10:00:00', -20_00n),
    booked('910002', '2026-05-02T10:00:00', 5_00n),
  ]),
  offers: [
    {
      endMonth: '2027-06',
      feePercentage: '2.99',
      maxTransferPercentage: '95.25',
      minTransferAmount: pounds(100_00n),
      minFeeAmount: pounds(3_00n),
      annualRatePercentage: '21.95',
    },
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
    offers: [{ endMonth: '2027-06', minTransferAmount: amount, minFeeAmount: amount }],
    statements: (card.statements ?? []).map((row) => ({ ...row, closingBalance: amount, minimumPayment: amount })),
    transactions: [booked(`9${ref}`, '2026-06-01T10:00:00', 1n, { amount, runningBalance: amount })],
    scheduledPayments: (everyday.scheduledPayments ?? []).map((row) => ({ ...row, id: `${ref}${row.id}`, amount })),
    standingOrders: (everyday.standingOrders ?? []).map((row) => ({
      ...row,
      id: `${ref}${row.id}`,
      nextPaymentAmount: amount,
    })),
  };
};

/** The account with a history of three pages, a transaction every four hours. */
const firstMs = Date.parse('2025-06-01T00:00:00Z');
const crowded: AccountTruth = {
  ...plain({ ref: '10006', accountNumber: '10010060' }),
  transactions: Array.from({ length: 2_500 }, (_, index) => ({
    id: String(1_000_000 + index),
    status: 'booked',
    at: new Date(firstMs + index * 4 * 3_600_000),
    amount: pounds(-1n),
  })),
};

/** Lists with the ids of `numbers`, which begin with digits that no other list of the account has. */
const withLists = (truth: AccountTruth, numbers: readonly string[]): AccountTruth => ({
  ...truth,
  scheduledPayments: numbers.map((number) => scheduledPayment(`73${number}`)),
  beneficiaries: numbers.map((number) => beneficiary(`74${number}`)),
  directDebits: numbers.map((number) => directDebit(`75${number}`)),
  standingOrders: numbers.map((number) => standingOrder(`76${number}`)),
});

/** The account whose lists are longer than any limit that a query sets by habit: one that is cut short is not the truth. */
const longLists = withLists(
  plain({ ref: '10007', accountNumber: '10010070' }),
  Array.from({ length: 1_001 }, (_, index) => String(1_000 + index)),
);

/** The account of two customers: a query that joins its holders has each record twice. */
const shared: AccountTruth = {
  ...withLists(plain({ ref: '30001', accountNumber: '10030010' }), ['0001']),
  transactions: withBalances([booked('930001', '2026-05-01T10:00:00', -20_00n)]),
};

/** The accounts of each customer. */
export type People = ReadonlyMap<string, readonly AccountTruth[]>;

export const people: People = new Map([
  [
    '4001',
    [
      everyday,
      card,
      plain({ ref: '10003', permitted: false }),
      inCurrency('10004', 'JPY'),
      inCurrency('10005', 'BHD'),
      crowded,
      longLists,
      shared,
    ],
  ],
  [
    '4002',
    [
      {
        // It begins with the reference of the first account.
        ...plain({ ref: '100012', description: 'Борис', holder: 'business' }),
        ...overdrawn,
        party: [boris],
      },
      { ...shared, party: [boris] },
    ],
  ],
]);

/** The statements of an account with the earlier ones, which no adapter gives: the latest stands neither first nor last. */
export function cyclesOf({ statements = [], earlierStatements = [] }: AccountTruth): CoreStatement[] {
  const earlier = earlierStatements.flatMap((endAt) => statements.map((row) => ({ ...row, startAt: endAt, endAt })));
  return [...earlier.slice(0, 1), ...statements, ...earlier.slice(1)];
}
