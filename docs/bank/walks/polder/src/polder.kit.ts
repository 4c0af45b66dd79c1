import type { AccountTruth, AdapterUnderTest } from 'account-information-core-adapter/kit';
import type { CoreAccount, CoreMoney, CoreTransaction } from 'account-information-core-adapter';
import { createAdapter } from './polder.adapter.js';

/** The test core, with its tables. */
interface Polder {
  readonly url: string;
  readonly bank: {
    readonly rekeningen: { readonly rekening: string; status: number }[];
    readonly bezit: Readonly<Record<string, string[]>>;
    readonly saldi: Readonly<Record<string, { bedrag: string }[]>>;
    readonly mutaties: Readonly<Record<string, { id: string }[]>>;
  };
  readonly close: () => Promise<void>;
}

// A text, and no literal: the core is JavaScript, without types.
const core: string = '../core.mjs';
const { startCore } = (await import(core)) as { readonly startCore: () => Promise<Polder> };

const pounds = (minorUnits: bigint): CoreMoney => ({ minorUnits, currency: 'GBP' });
const at = new Date('2026-11-20T11:00:17Z');
const anna = { ref: '1001', name: 'Anna de Vries' };
const lukasz = {
  ref: '1002',
  name: 'Łukasz Żółć, Ofﬁce of 𠮷野家, Wholesale Purveyor of Fruit and Vegetables, Llanfairpwll',
};

const account = (ref: string, more: Partial<CoreAccount> = {}): CoreAccount => ({
  ref,
  product: 'Savings',
  currency: 'GBP',
  permitted: true,
  holder: 'personal',
  sortCode: '089999',
  accountNumber: '10010010',
  ...more,
});

type Row = [id: string, day: string, minorUnits: bigint, balance?: bigint, more?: Partial<CoreTransaction>];
const rows = (currency: string, list: Row[]): CoreTransaction[] =>
  list.map(([id, date, minorUnits, balance, more]) => ({
    id,
    status: 'booked',
    at: { date },
    amount: { minorUnits, currency },
    description: `BETALING ${id}`,
    ...(balance !== undefined && { runningBalance: { minorUnits: balance, currency } }),
    ...more,
  }));

const made = (time: string) => ({ madeAt: new Date(time) });
const household = rows('GBP', [
  ['m-01', '2024-02-29', -500n, 9500n, { valueAt: { date: '2024-02-29' } }],
  ['m-02', '2026-03-28', 1000n, 10500n, made('2026-03-28T22:10:00Z')],
  ['m-03', '2026-03-29', -100n, 10400n, made('2026-03-29T01:10:00Z')],
  ['m-04', '2026-07-01', 0n, 10400n],
  ['m-05', '2026-10-24', -300n, 10100n, made('2026-10-24T23:10:00.123Z')],
  ['m-06', '2026-10-25', 400n, 10500n, made('2026-10-25T03:10:00Z')],
  ['m-07', '2026-11-01', -700n, 9800n],
  ['m-08', '2026-11-01', -800n, 9000n],
  ['m-12', '2026-11-01', 0n, 9000n, { description: 'RENTE' }],
  ['m-13', '2026-11-01', 0n, 9000n, { description: 'RENTE' }],
  ['m-09', '2026-11-02', 900n, 9900n, { description: '茶館 — Ενοίκιο' }],
  ['m-10', '2026-11-19', -400n, undefined, { status: 'pending' }],
  ['m-11', '2026-09-19', -500n, undefined, { status: 'pending' }],
]);
const firstMs = Date.UTC(2019, 0, 1);
const crowded = rows(
  'GBP',
  Array.from({ length: 2_500 }, (_, n): Row => [
    `v-${String(n).padStart(5, '0')}`,
    new Date(firstMs + n * 86_400_000).toISOString().slice(0, 10),
    -1n,
  ]),
);

const booked = (amount: CoreMoney) => ({ kind: 'booked' as const, amount, at });
const truths: Record<string, AccountTruth> = {
  'R-1': {
    account: account('R-1', { product: 'CurrentAccount', description: 'Huishouden' }),
    balances: [
      booked(pounds(1_234_567_89n)),
      { kind: 'available', amount: pounds(100_00n), at, creditLimit: pounds(50_00n) },
    ],
    transactions: household,
  },
  'R-2': {
    account: account('R-2', { currency: 'JPY' }),
    balances: [
      booked({ minorUnits: -1234n, currency: 'JPY' }),
      {
        kind: 'available',
        amount: { minorUnits: 100n, currency: 'JPY' },
        at,
        creditLimit: { minorUnits: 50n, currency: 'JPY' },
      },
    ],
    transactions: rows('JPY', [['j-1', '2026-06-01', 1234n, 1234n]]),
  },
  'R-3': {
    account: account('R-3', { currency: 'BHD' }),
    balances: [
      booked({ minorUnits: 1234n, currency: 'BHD' }),
      { kind: 'available', amount: { minorUnits: 1234n, currency: 'BHD' }, at },
    ],
    transactions: rows('BHD', [['b-1', '2026-06-01', 1234n, 1234n]]),
  },
  'R-4': { account: account('R-4', { permitted: false }), balances: [booked(pounds(0n))], transactions: [] },
  'R-5': {
    account: account('R-5', { product: 'CurrentAccount' }),
    balances: [booked(pounds(0n))],
    transactions: crowded,
  },
  'R-6': {
    account: account('R-6'),
    balances: [booked(pounds(700n))],
    transactions: rows('GBP', [
      ['g-1', '2026-05-01', -2000n, 8000n],
      ['g-2', '2026-05-02', 500n, 8500n],
    ]),
  },
  'R-7': {
    account: account('R-7', { product: 'CurrentAccount', holder: 'business', description: 'Ενοίκιο' }),
    balances: [booked(pounds(-5n)), { kind: 'available', amount: pounds(-5n), at, creditLimit: pounds(0n) }],
    transactions: rows('GBP', [['h-1', '2026-05-01', -5n, -5n]]),
  },
};

/** The description of the adapter polder for the kit: see docs/bank/port.md. */
export const kit: AdapterUnderTest = {
  core: async () => {
    const { url, bank, close } = await startCore();
    let booked = 0;
    return {
      url,
      variables: { CORE_KEY: 'sleutel-1' },
      change: (what, _, accountRef) => {
        const account = bank.rekeningen.find(({ rekening }) => rekening === accountRef);
        const [balance] = bank.saldi[accountRef] ?? [];
        if (what === 'access' && account !== undefined) account.status = 9;
        if (what === 'balance' && balance !== undefined) balance.bedrag = '3.00';
        return Promise.resolve();
      },
      open: (customerRef, count) => {
        const [like] = bank.rekeningen;
        for (let index = 0; index < count && like !== undefined; index++) {
          const rekening = `N-${index}`;
          bank.rekeningen.push({ ...like, rekening });
          bank.bezit[customerRef]?.push(rekening);
        }
        return Promise.resolve();
      },
      book: (_, accountRef) => {
        const row = { id: `x-${++booked}`, datum: 20261201, bedrag: '0.05', cd: 'C', status: 'V', tekst: 'NIEUW' };
        bank.mutaties[accountRef]?.push(row);
        return Promise.resolve();
      },
      settle: (_, accountRef, transactionId) => {
        const row = bank.mutaties[accountRef]?.find(({ id }) => id === transactionId);
        if (row !== undefined) Object.assign(row, { status: 'V', datum: 20261201 });
        return Promise.resolve();
      },
      close,
    };
  },
  create: createAdapter,
  personas: () => [
    { customerRef: '1001', accountRefs: ['R-1', 'R-2', 'R-3', 'R-4', 'R-5', 'R-6'] },
    { customerRef: '1002', accountRefs: ['R-6', 'R-7'] },
  ],
  truth: (customerRef, accountRef) => ({
    ...(truths[accountRef] as AccountTruth),
    party: [customerRef === '1001' ? anna : lukasz],
  }),
  without: {
    'CORE-26': 'transactions have days, which have no hour that could be wrong',
    'CORE-41': 'the core has no cards',
    'CORE-82': 'the core sends no error under status 200',
  },
  codes: {
    accounts: { permitted: 'status', product: 'soort', holder: 'houder' },
    balances: { kind: 'soort', sign: 'cd' },
    transactions: { status: 'status', sign: 'cd' },
  },
  badSettings: { CORE_KEY: [undefined, '', 'two words'] },
};
