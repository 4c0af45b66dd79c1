import type { FineractModel, SavingsRow, StandingInstructionRow, TransactionRow } from './fineract.model.js';
import type { AccountTruth } from '../../../packages/adapter-kit/adapter-under-test.js';
import {
  type BeneficiaryKind,
  type CoreMoney,
  type CoreTransaction,
} from '../../../packages/core-adapter/core.records.js';
import type { CoreAccountIdentification } from '../../../packages/core-adapter/core.parties.js';
import type { CoreStandingOrder } from '../../../packages/core-adapter/core.records.js';

// Reads the test core's rows independently of the adapter. It trusts the rows; the adapter does not.

export interface TruthSource {
  readonly model: FineractModel;
  /** `CORE_PRODUCTS` of the test core. */
  readonly products: string;
  readonly now: Date;
}

const iso = new Intl.DisplayNames('en', { type: 'currency' });

export function truthOf(source: TruthSource, account: SavingsRow): AccountTruth {
  const { model } = source;
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: account.currency,
  }).resolvedOptions();
  const money = (decimal = '0'): CoreMoney => {
    const [whole = '', fraction = ''] = decimal.split('.');
    return { minorUnits: BigInt(whole + fraction.padEnd(6, '0').slice(0, digits)), currency: account.currency };
  };
  const client = model.clients.find(({ id }) => id === account.clientId);
  const product = model.products.find(({ id }) => id === account.productId);
  const offered = new Map(source.products.split(',').map((entry) => entry.split('=') as [string, string]));
  const kind = offered.get(String(account.productId));
  if (client === undefined || product === undefined || kind === undefined || iso.of(account.currency) === undefined)
    throw new Error(`account ${account.id} of the test core is not whole`);
  const holder = client.legalForm === 2 ? 'business' : 'personal';
  const [[, sort, number, iban] = []] = model.tables.get('ob_identifiers')?.rows.get(account.id) ?? [];
  const booked = money(account.balance);
  const limit = account.allowOverdraft === true ? money(account.overdraftLimit) : undefined;
  const isOpen = (account.status ?? 300) === 300 && ![300, 400].includes(account.subStatus ?? 0);
  return {
    account: {
      ref: `${account.id}`,
      product: kind,
      currency: account.currency,
      description: product.name.trim(),
      permitted: isOpen,
      holder,
      sortCode: text(sort),
      accountNumber: text(number),
      iban: text(iban),
    },
    balances: [
      { kind: 'booked', amount: booked, at: source.now },
      {
        kind: 'available',
        at: source.now,
        creditLimit: limit?.minorUnits ? limit : undefined,
        amount: { ...booked, minorUnits: booked.minorUnits - money(account.onHold).minorUnits },
      },
    ],
    transactions: account.transactions.filter(isShown).map((row) => transactionOf(row, money)),
    holderNames: [client.displayName.trim()],
    party: [{ ref: `${client.id}`, name: client.displayName.trim() }],
    beneficiaries: (model.tables.get('ob_beneficiary')?.rows.get(account.id) ?? []).map((row) => {
      const [id, , sortOf, name, ...identified] = row;
      return { id: `${id}`, kind: sortOf as BeneficiaryKind, creditor: creditor(identified, String(name)) };
    }),
    standingOrders: model.instructions
      .filter(({ fromAccountId, status }) => fromAccountId === account.id && status !== 3)
      .map((row) => orderOf(source, row, money)),
    product: [
      {
        code: product.shortName,
        name: product.name.trim(),
        type: holder === 'business' ? 'business-current-account' : 'personal-current-account',
      },
    ],
  };
}

function isShown({ type, reversed, isReversal, releaseTransactionId }: TransactionRow): boolean {
  return [1, 2, 3, 4, 20].includes(type) && !reversed && !isReversal && !(type === 20 && releaseTransactionId);
}

function transactionOf(row: TransactionRow, money: (decimal?: string) => CoreMoney): CoreTransaction {
  const { minorUnits, currency } = money(row.amount);
  const held = row.type === 20;
  const day = { date: row.submittedOnDate };
  const words = { 1: 'Deposit', 2: 'Withdrawal', 3: 'Interest posting', 4: 'Withdrawal fee', 20: 'Amount on hold' };
  const said = row.notes?.map((note) => note.trim()).sort()[0];
  return {
    id: `${row.id}`.padStart(19, '0'),
    at: day,
    description: said ?? words[row.type as keyof typeof words],
    amount: { minorUnits: row.type === 1 || row.type === 3 ? minorUnits : 0n - minorUnits, currency },
    ...(held
      ? { status: 'pending', madeAt: day }
      : {
          status: 'booked',
          valueAt: { date: row.date },
          runningBalance: row.runningBalance === undefined ? undefined : money(row.runningBalance),
        }),
  };
}

/** The test core's orders are monthly or weekly, and pay on a day that every month has. */
function orderOf(
  { model, now }: TruthSource,
  row: StandingInstructionRow,
  money: (d?: string) => CoreMoney,
): CoreStandingOrder {
  const payee = model.accounts.find(({ id }) => id === row.toAccountId);
  const name = model.clients.find(({ id }) => id === payee?.clientId)?.displayName ?? '';
  const [[, ...identified] = []] = model.tables.get('ob_identifiers')?.rows.get(row.toAccountId) ?? [];
  const isPaid = (day: Date): boolean => {
    const since = (day.getTime() - Date.parse(row.validFrom)) / 86_400_000;
    if (since < 0 || (row.validTill !== undefined && day.toISOString().slice(0, 10) >= row.validTill)) return false;
    if (row.recurrenceFrequency === 1) return since % (7 * row.recurrenceInterval) === 0;
    return day.getUTCDate() === row.recurrenceOnMonthDay?.[1];
  };
  const days = Array.from(
    { length: 1500 },
    (_, index) => new Date(Date.parse(row.validFrom) + index * 86_400_000),
  ).filter(isPaid);
  const wrapped = (day: Date | undefined) => day && { date: day.toISOString().slice(0, 10) };
  const today = new Date(now.toISOString().slice(0, 10));
  const isOver = row.validTill !== undefined && new Date(row.validTill) <= today;
  const status = isOver ? 'expired' : (row.status ?? 1) === 1 ? 'active' : 'suspended';
  return {
    id: `${row.id}`,
    frequency:
      row.recurrenceFrequency === 1
        ? { every: 'week', interval: row.recurrenceInterval, weekday: new Date(row.validFrom).getUTCDay() || 7 }
        : { every: 'month', interval: row.recurrenceInterval, day: row.recurrenceOnMonthDay?.[1] ?? 0 },
    reference: row.name,
    status,
    firstPaymentAt: wrapped(days[0]),
    nextPaymentAt: status === 'active' ? wrapped(days.find((day) => day >= today)) : undefined,
    finalPaymentAt: row.validTill === undefined ? undefined : wrapped(days.at(-1)),
    nextPaymentAmount: money(row.amount),
    creditor: creditor(identified, name),
  };
}

function creditor([sort, number, iban]: readonly unknown[], name: string): CoreAccountIdentification {
  return typeof sort === 'string'
    ? { scheme: 'sort-code', identification: `${sort}${String(number)}`, name }
    : { scheme: 'iban', identification: String(iban), name };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
