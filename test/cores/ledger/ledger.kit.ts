import { makeIssuerKeys } from '../../../sandbox/bank/issuer.js';
import type { EntryRow, PayeeForm } from '../../../sandbox/bank/ledger.records.js';
import { cardCycles } from '../../../sandbox/bank/personas/card-cycles.js';
import { monthly } from '../../../sandbox/bank/personas/history.js';
import { makeAccount, type Persona, type PersonaAccount } from '../../../sandbox/bank/personas/persona.js';
import { makePersonas } from '../../../sandbox/bank/personas/personas.js';
import { startSandboxBank } from '../../../sandbox/bank/sandbox-bank.js';
import { stampOf } from '../../../sandbox/bank/stamps.js';
import { awkward } from '../../support/awkward-text.js';
import type { AdapterUnderTest, GivenCustomer } from '../../../packages/adapter-kit/adapter-under-test.js';
import type { CoreTransaction } from '../../../packages/core-adapter/core.records.js';
import { truthOf } from './ledger.truth.js';
import { createAdapter } from '../../../src/core-banking/adapters/ledger/ledger.adapter.js';

const nowMs = Date.parse('2026-11-20T14:30:17.250Z');

const payee: PayeeForm = { form: 'UKACC', id: '08-99-99 10010010', name: 'Sam' };

function inCurrency(key: string, ccy: string): PersonaAccount {
  const plan = { ccy, amt: 1234, ref: 'STALL', reach: 'DOM', payee } as const;
  return makeAccount(
    {
      key,
      prod: 'SAV300',
      label: 'Abroad',
      ccy,
      closing: 9_876,
      arranged: 500,
      promos: [{ until: '202706', feeBp: 150, capBp: 10000, least: 100, leastFee: 300, annBp: 590, by: '20261231' }],
      cycles: cardCycles(nowMs, 4, { owed: 1234, least: 100 }),
      forwards: [{ ...plan, key: `${key}-F`, on: '20261201', how: 'OUT' }],
      orders: [{ ...plan, key: `${key}-O`, rule: 'M1/1', first: '20250101', next: '20261201', last: '', status: 'ON' }],
    },
    nowMs,
  );
}

/** Long lists of records that are alike but for their keys, awkward names, a payment of zero, and a very old entry. */
function awkwardAccount(): PersonaAccount {
  const keys = Array.from({ length: 60 }, (_, index) => `A109905-${index + 100}`);
  const plan = { ccy: 'GBP', amt: 1234, ref: 'STALL', reach: 'DOM', payee: { ...payee, name: awkward } } as const;
  const account = makeAccount(
    {
      key: 'A109905',
      prod: 'CUR100',
      label: awkward,
      num: '10010992',
      closing: 50_00,
      cycles: cardCycles(nowMs, 4, { owed: 1234, least: 0 }),
      payees: keys.map((key) => ({ key, sort: 'TP', payee: plan.payee })),
      mandates: keys.map((key) => ({ key, mandate: 'M-1', status: 'LIVE', taker: awkward })),
      forwards: keys.map((key) => ({ ...plan, key, on: '20261201', how: 'OUT' })),
      orders: keys.map((key) => ({
        ...plan,
        key,
        rule: 'M1/1',
        first: '20250101',
        next: '20261201',
        last: '',
        status: 'ON',
      })),
    },
    nowMs,
  );
  const entries = [
    ['A', '1987-06-05T04:03:02.001Z'],
    ['B', '2026-11-03T08:00:00Z'],
    ['C', '2026-11-03T08:00:00Z'],
  ] as const;
  return {
    ...account,
    entries: entries.map(([key, at]) =>
      givenEntry({
        id: `A109905-${key}`,
        status: 'booked',
        at: new Date(at),
        amount: { minorUnits: -3_00n, currency: 'GBP' },
        description: awkward,
      }),
    ),
  };
}

/** The account after a purchase of one minor unit. */
function spent({ lists, ...account }: PersonaAccount): PersonaAccount {
  return { ...account, lists: { ...lists, figures: lists.figures.map((row) => ({ ...row, amt: row.amt - 1 })) } };
}

function givenPersona({ customerRef, accounts }: GivenCustomer): Persona {
  return {
    name: customerRef,
    person: { key: customerRef, name: 'Given' },
    shows: 'Generated data.',
    accounts: accounts.map(({ ref, currency, booked, transactions }) => ({
      ...makeAccount({ key: ref, prod: 'SAV300', label: 'Given', ccy: currency, closing: Number(booked) }, nowMs),
      entries: transactions.map(givenEntry),
    })),
  };
}

function givenEntry({ id, status, at, amount, description = '' }: CoreTransaction): EntryRow {
  const time = at instanceof Date ? stampOf(at.getTime()) : at.date.replaceAll('-', '');
  const amt = Number(amount.minorUnits);
  return {
    key: id,
    ...(status === 'booked' ? { state: 'POSTED', booked: time, made: '' } : { state: 'HELD', booked: '', made: time }),
    due: '',
    value: '',
    amt: Math.abs(amt),
    side: amt < 0 ? 'DR' : 'CR',
    text: description,
    bal: '',
    fx: '',
  };
}

/** A person in addition to the sandbox's. */
const stallholder = (): Persona => ({
  name: 'stallholder',
  person: { key: 'C1099', name: 'Rosa Lind' },
  shows: 'A large balance, a purchase pending for 45 days, and plans in yen and dinars.',
  accounts: [
    inCurrency('A109902', 'JPY'),
    inCurrency('A109903', 'BHD'),
    awkwardAccount(),
    makeAccount(
      {
        key: 'A109904',
        prod: 'CUR100',
        label: 'Deposits',
        num: '10010991',
        closing: 50_00,
        arranged: 0,
        held: [{ name: 'deposit', hoursAgo: 45 * 24, amount: -40_00, text: 'HIRE' }],
        history: [monthly(15, { name: 'late', time: '23:30', amount: -1_00, text: 'NIGHT SAFE' })],
      },
      nowMs,
    ),
    makeAccount(
      { key: 'A109901', prod: 'CUR100', label: 'Market Stalls', num: '10010990', closing: 1_234_567_89 },
      nowMs,
    ),
  ],
});
/** Those of the sandbox's people who have all that the clauses need; the others would only take time. */
const customers = ['C1003', 'C1005', 'C1006', 'C1007', 'C1008', 'C1011', 'C1013', 'C1014'];
const people: readonly Persona[] = [
  ...makePersonas(nowMs).filter(({ person }) => customers.includes(person.key)),
  stallholder(),
];
const issuerKeys = makeIssuerKeys();

/** The sandbox bank in this process, its core steered as the kit asks. */
export const kit: AdapterUnderTest = {
  core: async () => {
    const buyers = new Set<string>();
    const bank = await startSandboxBank({
      port: 0,
      credential: 'staff',
      issuerKeys: await issuerKeys,
      clock: { nowMs: () => nowMs },
      makePersonas: () =>
        people.map(({ accounts, ...person }) => ({
          ...person,
          accounts: accounts.map((account) => (buyers.has(account.acct.key) ? spent(account) : account)),
        })),
    });
    let booked = 0;
    const entry = (accountRef: string, id: string): EntryRow | undefined =>
      people
        .flatMap(({ accounts }) => accounts)
        .find(({ acct }) => acct.key === accountRef)
        ?.entries.find(({ key }) => key === id);
    return {
      url: bank.coreUrl,
      change: (what, _, accountRef) => {
        if (what === 'access') bank.setAccountState(accountRef, 'not-permitted');
        else {
          buyers.add(accountRef);
          bank.timeMoved();
        }
        return Promise.resolve();
      },
      book: (_, accountRef) => {
        booked++;
        const at = stampOf(nowMs + booked * 1000);
        const row = {
          key: `${accountRef}-NEW${booked}`,
          state: 'POSTED',
          booked: at,
          made: '',
          due: '',
          value: '',
        } as const;
        bank.enter(accountRef, { ...row, amt: booked, side: 'CR', text: 'BOOKED MEANWHILE', bal: '', fx: '' });
        return Promise.resolve();
      },
      settle: (_, accountRef, id) => {
        const held = entry(accountRef, id);
        if (held === undefined) throw new Error(`the bank holds no such entry on ${accountRef}`);
        bank.enter(accountRef, { ...held, state: 'POSTED', booked: stampOf(nowMs), due: '' });
        return Promise.resolve();
      },
      open: (customerRef, count) => {
        const opened = Array.from({ length: count }, (_, index) =>
          makeAccount({ key: `A2${index}`, prod: 'SAV300', label: 'Pot', closing: 0 }, nowMs),
        );
        const withMore = people.map((one) =>
          one.person.key === customerRef ? { ...one, accounts: [...one.accounts, ...opened] } : one,
        );
        return Promise.resolve(bank.fill(withMore));
      },
      fill: (customers) => Promise.resolve(bank.fill(customers.map(givenPersona))),
      close: () => bank.close(),
    };
  },
  create: createAdapter,
  personas: () =>
    people.map(({ person, accounts }) => ({
      customerRef: person.key,
      accountRefs: accounts.map(({ acct }) => acct.key),
    })),
  truth: (customerRef, accountRef) => {
    const persona = people.find(({ person }) => person.key === customerRef);
    const account = persona?.accounts.find(({ acct }) => acct.key === accountRef);
    if (persona === undefined || account === undefined) throw new Error(`${customerRef} has no account ${accountRef}`);
    const holders = people.filter(({ accounts }) => accounts.some(({ acct }) => acct.key === accountRef));
    return truthOf(persona, account, holders);
  },
  codes: {
    accounts: { permitted: 'status', product: 'prod', holder: 'segment' },
    balances: { kind: 'fig', sign: [] },
    transactions: { status: 'state', sign: 'side' },
    scheduledPayments: { type: 'how', 'creditor.scheme': 'payee.form', shown: 'reach' },
    beneficiaries: { kind: 'sort', 'creditor.scheme': 'payee.form' },
    statements: { type: 'kind', sign: [] },
    directDebits: { status: 'status' },
    standingOrders: { status: 'status', frequency: 'rule', 'creditor.scheme': 'payee.form', shown: 'reach' },
    product: { type: 'family' },
  },
  without: {
    'CORE-01': 'the ledger has no settings: CORE_URL and CORE_CONNECTIONS are the gateway’s',
    'CORE-82': 'the ledger sends no error under status 200',
  },
};
