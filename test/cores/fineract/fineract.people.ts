import type { AccountTruth } from '../../../packages/adapter-kit/adapter-under-test.js';
import type {
  CoreBalance,
  CoreMoney,
  CoreStandingOrder,
  CoreTime,
  CoreTransaction,
} from '../../../packages/core-adapter/core.records.js';
import type { CoreAccountIdentification } from '../../../packages/core-adapter/core.parties.js';
import { decimalOf } from '../../support/expressed-records.js';
import { type People, people } from '../people.js';
import type {
  DataTableValue,
  FineractModel,
  SavingsRow,
  StandingInstructionRow,
  TransactionRow,
} from './fineract.model.js';
import { beneficiaryColumns, identifierColumns, savings } from './small-bank.js';

// The people of the kit as Fineract has them: days without hours, accounts of one client each, and no cards.

export const now = new Date('2026-11-20T14:30:17.000Z');
export const kitProducts = '1=CurrentAccount,2=Savings,3=hidden';
const products = [
  { id: 1, name: 'Everyday Account', shortName: 'EVRY' },
  { id: 2, name: 'Épargne', shortName: 'RAIN' },
  { id: 3, name: 'Staff Account', shortName: 'STAF' },
] as const;
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
  amount: '10.000000',
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
  nextPaymentAmount: { minorUnits: 10_00n, currency: 'GBP' },
  creditor: { scheme: 'sort-code', identification: '08999900100012', name: 'Борис Іваненко' },
} as const;
type Order = readonly [row: Partial<StandingInstructionRow>, record?: Partial<CoreStandingOrder>];
/** Those of the first account that end, pause or were deleted. */
const otherOrders: readonly Order[] = [
  [{ id: 1, validTill: '2027-03-15' }, { finalPaymentAt: date('2027-03-01') }],
  [
    { id: 2, validTill: '2026-06-01' },
    { status: 'expired', nextPaymentAt: undefined, finalPaymentAt: date('2026-05-01') },
  ],
  [
    { id: 3, recurrenceFrequency: 1, recurrenceInterval: 2, status: 2 },
    { status: 'suspended', nextPaymentAt: undefined, frequency: { every: 'week', interval: 2, weekday: 4 } },
  ],
  [{ id: 4, status: 3 }],
];
const ordersOf = ({ account, standingOrders = [] }: AccountTruth): Order[] => [
  ...standingOrders.map(({ id, nextPaymentAmount }): Order => [
    { id: Number(id), amount: decimal(nextPaymentAmount as CoreMoney) },
    { nextPaymentAmount },
  ]),
  ...(account.ref === firstRef ? otherOrders : []),
];
const abroad = {
  id: '600003',
  kind: 'international',
  creditor: { scheme: 'iban', identification: 'DE89370400440532013000', name: 'Gärtnerei "Müller" \\ GmbH' },
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
    accounts
      .filter(({ account }) => account.product !== 'CreditCard' && (index === 0 || account.ref !== '30001'))
      .map((truth) =>
        truth.account.ref === firstRef ? { ...truth, beneficiaries: [...(truth.beneficiaries ?? []), abroad] } : truth,
      ),
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
    standingOrders: ordersOf(truth).flatMap(([{ id }, record]) =>
      record ? [{ ...orderRecord, ...record, id: `${id}` }] : [],
    ),
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
    instructions: accounts.flatMap(({ truth }) =>
      ordersOf(truth).map(([row]) => ({ ...order, id: 0, fromAccountId: Number(truth.account.ref), ...row })),
    ),
    tables: new Map([
      [
        'ob_identifiers',
        {
          columns: identifierColumns,
          rows: perAccount(({ account: { ref, sortCode = null, accountNumber = null, iban = null } }) => [
            [Number(ref), sortCode, accountNumber, iban],
          ]),
        },
      ],
      [
        'ob_beneficiary',
        {
          columns: beneficiaryColumns,
          rows: perAccount(({ account: { ref }, beneficiaries = [] }) =>
            beneficiaries.map((row) => [
              Number(row.id),
              Number(ref),
              row.kind,
              row.creditor?.name ?? null,
              ...numbersOf(row.creditor),
            ]),
          ),
        },
      ],
    ]),
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

function numbersOf(paid: CoreAccountIdentification | undefined): (string | null)[] {
  const { scheme, identification = '' } = paid ?? {};
  return scheme === 'iban' ? [null, null, identification] : [identification.slice(0, 6), identification.slice(6), null];
}
