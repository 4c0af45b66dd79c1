import type { AccountTruth } from '../../../packages/adapter-kit/adapter-under-test.js';
import type { CoreBalance, CoreMoney, CoreTime, CoreTransaction } from '../../../packages/core-adapter/core.records.js';
import { decimalOf } from '../../support/expressed-records.js';
import { type People, people } from '../people.js';
import type { DataTableValue, FineractModel, SavingsRow, TransactionRow } from './fineract.model.js';
import { products, savings, tablesOf } from './small-bank.js';

// The people of the kit as Fineract has them: days without hours, accounts of one client each, and no cards.

export const now = new Date('2026-11-20T14:30:17.000Z');
const productOf = ({ account }: AccountTruth) => products[account.product === 'Savings' ? 1 : 0];

const dayOf = (time: CoreTime): string => (time instanceof Date ? time.toISOString().slice(0, 10) : time.date);
const date = (text: string): CoreTime => ({ date: text });

/** With six decimals. */
function decimal({ minorUnits, currency }: CoreMoney): string {
  const [whole, fraction = ''] = decimalOf(minorUnits, currency).split('.');
  return `${whole}.${fraction.padEnd(6, '0')}`;
}

/** A standing instruction pays an account of the same Fineract, and its client. */
const order = {
  toAccountId: 100012,
  name: 'RENT ♪',
  validFrom: '2026-01-01',
  recurrenceFrequency: 2,
  recurrenceInterval: 1,
  recurrenceOnMonthDay: [1, 1],
} as const;
const orderRecord = {
  frequency: { every: 'month', interval: 1, day: 1 },
  reference: order.name,
  status: 'active',
  firstPaymentAt: date('2026-01-01'),
  nextPaymentAt: date('2026-12-01'),
  creditor: { scheme: 'sort-code', identification: '08999900100012', name: 'Борис Іваненко' },
} as const;
/** Rows of the first account that are no transactions of a customer. */
const internal: readonly TransactionRow[] = [
  { type: 1, reversed: true },
  { type: 1, isReversal: true },
  { type: 10 },
  { type: 20, releaseTransactionId: 5 },
  { type: 21 },
].map((row, index) => ({ ...dated('2024-04-01'), id: index + 1, amount: '10.000000', notes: ['FUEL'], ...row }));
const firstRef = '10001';

/** An account of two customers is that of the first. */
export const fineractPeople: People = new Map(
  [...people].map(([customerRef, accounts], index) => [
    customerRef,
    accounts.filter(({ account }) => account.product !== 'CreditCard' && (index === 0 || account.ref !== '30001')),
  ]),
);

export function truthOf(customerRef: string, truth: AccountTruth): AccountTruth {
  const { lei: _, ...account } = truth.account;
  const { name, shortName } = productOf(truth);
  const holder = truth.party?.[0]?.name ?? '';
  return {
    account: { ...account, description: name },
    balances: (truth.balances ?? []).map(({ creditLimit, ...row }) => ({
      ...row,
      at: now,
      ...(creditLimit?.minorUnits && { creditLimit }),
    })),
    transactions: (truth.transactions ?? []).map(transactionOf),
    holderNames: [holder],
    party: [{ ref: customerRef, name: holder }],
    beneficiaries: (truth.beneficiaries ?? []).map(({ id, kind, creditor: paid }) => ({ id, kind, creditor: paid })),
    standingOrders: (truth.standingOrders ?? []).map(({ id, nextPaymentAmount }) => ({
      ...orderRecord,
      id,
      nextPaymentAmount,
    })),
    product: [
      {
        code: shortName,
        name,
        type: account.holder === 'business' ? 'business-current-account' : 'personal-current-account',
      },
    ],
  };
}

function transactionOf({
  id,
  status,
  at,
  valueAt,
  amount,
  description,
  runningBalance,
}: CoreTransaction): CoreTransaction {
  const day = date(dayOf(at));
  const isHeld = status === 'pending';
  const word = isHeld ? 'Amount on hold' : amount.minorUnits < 0n ? 'Withdrawal' : 'Deposit';
  return {
    id: id.padStart(19, '0'),
    status,
    at: day,
    amount,
    description: description ?? word,
    ...(isHeld ? { madeAt: day } : { valueAt: date(dayOf(valueAt ?? at)), runningBalance }),
  };
}

/** The rows of Fineract for these people. */
export function bankOf(given: People): FineractModel {
  const clients = [...given].map(([ref, [first]]) => ({ id: Number(ref), first }));
  const accounts = [...given].flatMap(([ref, truths]) => truths.map((truth) => ({ clientId: Number(ref), truth })));
  const perAccount = (rowsOf: (truth: AccountTruth) => DataTableValue[][]) =>
    new Map(accounts.map(({ truth }) => [Number(truth.account.ref), rowsOf(truth)]));
  return {
    clients: clients.map(({ id, first }) => ({
      id,
      displayName: first?.party?.[0]?.name ?? '',
      legalForm: first?.account.holder === 'business' ? 2 : 1,
    })),
    products: [...products],
    accounts: [
      ...accounts.map(({ clientId, truth }) => savingsOf(clientId, truth)),
      ...clients.map(({ id }) => savings({ id: 900_000 + id, clientId: id, productId: 3 })),
    ],
    instructions: accounts.flatMap(({ truth: { account, standingOrders = [] } }) =>
      standingOrders.map(({ id, nextPaymentAmount }) => ({
        ...order,
        id: Number(id),
        fromAccountId: Number(account.ref),
        amount: decimal(nextPaymentAmount as CoreMoney),
      })),
    ),
    tables: tablesOf(
      perAccount(({ account: { ref, sortCode = null, accountNumber = null, iban = null } }) => [
        [Number(ref), sortCode, accountNumber, iban],
      ]),
      perAccount(({ account: { ref }, beneficiaries = [] }) =>
        beneficiaries.map(({ id, kind, creditor: { name = null, identification = '' } = {} }) => [
          Number(id),
          Number(ref),
          kind,
          name,
          identification.slice(0, 6),
          identification.slice(6),
          null,
        ]),
      ),
    ),
  };
}

function savingsOf(clientId: number, truth: AccountTruth): SavingsRow {
  const { ref, currency, permitted } = truth.account;
  const [booked, available] = truth.balances as readonly [CoreBalance, CoreBalance];
  return savings({
    id: Number(ref),
    clientId,
    productId: productOf(truth).id,
    currency,
    subStatus: permitted ? 0 : 400,
    balance: decimal(booked.amount),
    onHold: decimal({ currency, minorUnits: booked.amount.minorUnits - available.amount.minorUnits }),
    ...(available.creditLimit && { allowOverdraft: true, overdraftLimit: decimal(available.creditLimit) }),
    transactions: [...(ref === firstRef ? internal : []), ...(truth.transactions ?? []).map(rowOf)],
  });
}

function rowOf({ id, status, at, valueAt = at, amount, description, runningBalance }: CoreTransaction): TransactionRow {
  const isOut = amount.minorUnits < 0n;
  return {
    ...dated(dayOf(at)),
    id: Number(id),
    type: status === 'pending' ? 20 : isOut ? 2 : 1,
    date: dayOf(valueAt),
    amount: decimal({ ...amount, minorUnits: isOut ? -amount.minorUnits : amount.minorUnits }),
    ...(runningBalance && { runningBalance: decimal(runningBalance) }),
    // The search makes a row of each.
    ...(description !== undefined && { notes: Number(id) % 2 ? [`${description} (2)`, description] : [description] }),
  };
}

function dated(day: string): Pick<TransactionRow, 'date' | 'submittedOnDate'> {
  return { date: day, submittedOnDate: day };
}
