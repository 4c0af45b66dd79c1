import type { AccountTruth, GivenCustomer } from '../../../packages/adapter-kit/adapter-under-test.js';
import type {
  CoreAccountIdentification,
  CoreAgent,
  CorePostalAddress,
} from '../../../packages/core-adapter/core.parties.js';
import type {
  CoreFrequency,
  CoreMoney,
  CoreTime,
  CoreTransaction,
} from '../../../packages/core-adapter/core.records.js';
import type { EntryRow, PayeeForm, PlaceForm } from '../../../sandbox/bank/ledger.records.js';
import type { Persona, PersonaAccount } from '../../../sandbox/bank/personas/persona.js';
import { stampOf } from '../../../sandbox/bank/stamps.js';
import { cyclesOf, type People, people } from '../people.js';

// The people of the kit as the ledger has them, whose references begin with a letter.

const abroad = (kind: string): string => `${kind}-abroad`;

export const ledgerPeople: People = new Map(
  [...people].map(([ref, accounts]) => [
    `C${ref}`,
    accounts.map((truth) => ({
      ...truth,
      account: { ...truth.account, ref: `A${truth.account.ref}` },
      // A pending transaction has no other time.
      transactions: (truth.transactions ?? []).map((row) =>
        row.status === 'pending' ? { ...row, madeAt: row.at } : row,
      ),
      party: (truth.party ?? []).map((party) => ({ ...party, ref: `C${ref}` })),
      holderNames: [...people.values()].flatMap((all) =>
        all.filter(({ account }) => account.ref === truth.account.ref).map(({ party }) => party?.[0]?.name ?? ''),
      ),
      funds: fundsOf(truth),
      ...(truth.scheduledPayments?.length && { international: ['payment', 'order'].map(abroad) }),
    })),
  ]),
);

function fundsOf({ balances = [] }: AccountTruth): AccountTruth['funds'] {
  const available = balances.find(({ kind }) => kind === 'available');
  return (
    available && { spendable: available.amount, ...(available.creditLimit && { overdraft: available.creditLimit }) }
  );
}

/** Generated customers, in the form of the others. */
export const given = (customers: readonly GivenCustomer[]): People =>
  new Map(
    customers.map(({ customerRef, accounts }) => [
      customerRef,
      accounts.map(({ ref, currency, booked, transactions }): AccountTruth => ({
        account: { ref, currency, product: 'Savings', permitted: true, holder: 'personal' },
        balances: (['booked', 'available'] as const).map((kind) => ({
          kind,
          amount: { minorUnits: booked, currency },
          at: new Date('2026-11-20'),
        })),
        transactions,
      })),
    ]),
  );

export const personasOf = (all: People): Persona[] =>
  [...all].map(([key, accounts]) => {
    const [{ name = '', lei, address } = { name: 'Given' }] = accounts[0]?.party ?? [];
    return {
      name: key,
      person: { key, name, ...(lei && { lei }), ...(address && { home: place(address) }) },
      shows: 'The cases of the kit.',
      accounts: accounts.map(rowsOf),
    };
  });

const products = { CurrentAccount: 'CUR100', Savings: 'SAV300', CreditCard: 'CRD400' } as const;
const kinds = { 'third-party': 'TP', nominated: 'NOM', international: 'XB', internal: 'OWN' } as const;
const states = { active: 'LIVE', cancelled: 'STOPPED', expired: 'LAPSED', suspended: 'PAUSED' } as const;

function rowsOf(truth: AccountTruth): PersonaAccount {
  const { account } = truth;
  const isCard = account.product === 'CreditCard';
  const inFavour = (money: CoreMoney): number => (isCard ? 0 - units(money) : units(money));
  const { scheduledPayments = [], standingOrders = [], beneficiaries = [], directDebits = [] } = truth;
  const forwards = scheduledPayments.map((row) => ({
    key: row.id,
    on: timeOf(row.dueAt),
    how: row.type === 'arrival' ? ('ARR' as const) : ('OUT' as const),
    ref: row.reference ?? '',
    amt: units(row.amount),
    ccy: row.amount.currency,
    reach: 'DOM' as const,
    payee: payeeOf(row.creditor, row.creditorAgent),
  }));
  const orders = standingOrders.map((row) => ({
    key: row.id,
    rule: ruleOf(row.frequency),
    ref: row.reference ?? '',
    first: or(row.firstPaymentAt, timeOf),
    next: or(row.nextPaymentAt, timeOf),
    last: or(row.finalPaymentAt, timeOf),
    status: ({ active: 'ON', cancelled: 'OFF', expired: 'DONE', suspended: 'PAUSED' } as const)[row.status ?? 'active'],
    ...(row.categoryPurpose && { cat: row.categoryPurpose }),
    amt: or(row.nextPaymentAmount, units),
    ccy: row.nextPaymentAmount?.currency ?? account.currency,
    reach: 'DOM' as const,
    payee: payeeOf(row.creditor, row.creditorAgent),
  }));
  return {
    acct: {
      key: account.ref,
      prod: products[account.product as keyof typeof products],
      ccy: account.currency,
      label: account.description ?? '',
      segment: account.holder === 'business' ? 'B' : 'P',
      status: account.permitted ? 'OPEN' : 'BARRED',
      sort: account.sortCode ?? '',
      num: account.accountNumber ?? '',
      iban: account.iban ?? '',
      card: or(account.cardLastFour, (last) => `492900000000${last}`),
      ...(account.lei && { lei: account.lei }),
    },
    lists: {
      figures: (truth.balances ?? []).map(({ kind, amount, at, creditLimit }) => ({
        fig: kind === 'booked' ? 'LEDGER' : 'SPEND',
        amt: kind === 'booked' ? inFavour(amount) : units(amount) + (creditLimit ? units(creditLimit) : 0),
        at: timeOf(at),
        arranged: or(creditLimit, units),
      })),
      promos: (truth.offers ?? []).map((row) => ({
        until: (row.endMonth ?? '').replace('-', ''),
        feeBp: or(row.feePercentage, hundredths),
        capBp: or(row.maxTransferPercentage, hundredths),
        least: or(row.minTransferAmount, units),
        leastFee: or(row.minFeeAmount, units),
        annBp: or(row.annualRatePercentage, hundredths),
        by: or(row.takeUpEndDate, timeOf),
      })),
      forwards: [
        ...forwards,
        ...forwards.slice(0, 1).map((row) => ({ ...row, key: abroad('payment'), reach: 'INT' as const })),
      ],
      payees: beneficiaries.map(({ id, kind, creditor, creditorAgent }) => ({
        key: id,
        sort: kinds[kind],
        payee: payeeOf(creditor, creditorAgent),
      })),
      cycles: cyclesOf(truth).map((row) => ({
        opened: timeOf(row.startAt),
        closed: timeOf(row.endAt),
        made: timeOf(row.createdAt),
        kind: row.type === 'annual' ? 'YEAR' : 'REG',
        owed: 0 - units(row.closingBalance),
        least: or(row.minimumPayment, units),
        payby: or(row.paymentDueAt, timeOf),
      })),
      mandates: directDebits.map((row) => ({
        key: row.id,
        mandate: row.mandate,
        status: states[row.status ?? 'active'],
        taker: row.name,
        ...(row.frequency && { rule: ruleOf(row.frequency) }),
        ...(row.classification && {
          amount: ({ fixed: 'FIX', variable: 'VAR', 'usage-based': 'USE' } as const)[row.classification],
        }),
        ...(row.categoryPurpose && { cat: row.categoryPurpose }),
        ...(row.firstPaymentAt && { first: timeOf(row.firstPaymentAt) }),
        ...(row.finalPaymentAt && { last: timeOf(row.finalPaymentAt) }),
        ...(row.reason && { why: row.reason }),
      })),
      orders: [
        ...orders,
        ...orders.slice(0, 1).map((row) => ({ ...row, key: abroad('order'), reach: 'INT' as const })),
      ],
      terms: (truth.product ?? []).map(({ code = '', name = '', type }) => ({
        code,
        title: name,
        family: ({ 'personal-current-account': 'PCA', 'business-current-account': 'BCA', other: 'OTH' } as const)[type],
      })),
    },
    entries: (truth.transactions ?? []).map((row) => entryOf(row, inFavour)),
  };
}

function entryOf(row: CoreTransaction, inFavour: (money: CoreMoney) => number): EntryRow {
  const { status, isoTransactionCode: iso, bankTransactionCode: own } = row;
  const isHeld = status === 'pending';
  return {
    key: row.id,
    state: isHeld ? 'HELD' : 'POSTED',
    booked: isHeld ? '' : timeOf(row.at),
    made: isHeld ? timeOf(row.at) : or(row.madeAt, timeOf),
    due: or(row.expectedBookingAt, timeOf),
    value: or(row.valueAt, timeOf),
    amt: Math.abs(units(row.amount)),
    side: row.amount.minorUnits < 0n ? 'DR' : 'CR',
    text: row.description ?? '',
    bal: or(row.runningBalance, inFavour),
    fx: or(row.exchange, ({ sourceCurrency, rate = '' }) => ({ ccy: sourceCurrency, rate })),
    ...(iso && { iso: { family: iso.family, sub: iso.subFamily } }),
    ...(own && { own: { code: own.code, by: own.issuer ?? '' } }),
    ...(row.categoryPurpose && { cat: row.categoryPurpose }),
    ...(row.paymentPurpose && { purp: row.paymentPurpose }),
    ...(row.creditor && { payee: payeeOf(row.creditor, row.creditorAgent) }),
    ...(row.ultimateCreditor && { payeeFor: row.ultimateCreditor }),
    ...(row.debtor && { payer: payeeOf(row.debtor, row.debtorAgent) }),
    ...(row.ultimateDebtor && { payerFor: row.ultimateDebtor }),
  };
}

function payeeOf(creditor: CoreAccountIdentification | undefined, agent: CoreAgent | undefined): PayeeForm {
  const { scheme = 'bban', identification = '', name = '', proxy } = creditor ?? {};
  return {
    form: scheme === 'sort-code' ? 'UKACC' : scheme === 'iban' ? 'IBAN' : 'BBAN',
    // As people type it.
    id: scheme === 'sort-code' ? identification.replace(/^(..)(..)(..)/, '$1-$2-$3 ') : identification,
    name,
    ...(proxy && { alias: { code: proxy.code, id: proxy.identification } }),
    ...(agent && {
      bank: {
        bic: agent.bic,
        ...(agent.name && { name: agent.name }),
        ...(agent.lei && { lei: agent.lei }),
        ...(agent.address && { seat: place(agent.address) }),
      },
    }),
  };
}

const place = ({ townName, country, streetName, buildingNumber, postCode }: CorePostalAddress): PlaceForm => ({
  town: townName,
  land: country,
  ...(streetName && { street: streetName }),
  ...(buildingNumber && { no: buildingNumber }),
  ...(postCode && { post: postCode }),
});

/** The people have monthly plans. */
const ruleOf = (frequency: CoreFrequency): string =>
  'interval' in frequency && 'day' in frequency ? `M${frequency.interval}/${frequency.day}` : 'EASTER';
const timeOf = (time: CoreTime): string =>
  time instanceof Date ? stampOf(time.getTime()) : time.date.replaceAll('-', '');
const units = ({ minorUnits }: CoreMoney): number => Number(minorUnits);
const hundredths = (percent: string): number => Math.round(Number(percent) * 100);
const or = <In, Out>(value: In | undefined, write: (value: In) => Out): Out | '' =>
  value === undefined ? '' : write(value);
