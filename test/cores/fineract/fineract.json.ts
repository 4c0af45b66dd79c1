import { minorUnitDigits } from '../../../packages/core-adapter/currencies.js';
import type {
  ClientRow,
  DataTable,
  Day,
  Decimal,
  FineractModel,
  ProductRow,
  SavingsRow,
  StandingInstructionRow,
  TransactionRow,
} from './fineract.model.js';

/**
 * The resources as Fineract's own mappers and Gson write them (apache/fineract 4198b0b), with the members that the adapter
 * reads: dates as arrays, money as JSON numbers with six decimals, and no member that is null. `undefined` is left out by
 * `JSON.stringify`, as Gson does.
 */

/** A number that is written as it stands. */
const raw = (decimal: Decimal): string => `\u0002${decimal}`;
/** JSON in which {@link raw} numbers stand without quotes. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replace(/"\\u0002([^"]*)"/g, '$1');
}

const isZero = (decimal: Decimal): boolean => /^-?0*(\.0*)?$/.test(decimal);
/** `JdbcSupport.getBigDecimalDefaultToNullIfZero` */
const nullIfZero = (decimal: Decimal | undefined): string | undefined =>
  decimal === undefined || isZero(decimal) ? undefined : raw(decimal);

/** `LocalDateAdapter`: no zero padding, no time. */
const dateArray = (day: Day | undefined): number[] | undefined => day?.split('-').map(Number);

const currency = (code: string): object => ({ code, name: code, decimalPlaces: minorUnitDigits(code) });

export const accountNo = (id: number): string => String(id).padStart(9, '0');

/** `GET /v1/clients/{id}` */
export function clientJson({ id, displayName, legalForm }: ClientRow): object {
  return { id, accountNo: accountNo(id), displayName, legalForm: legalForm && { id: legalForm } };
}

/** `GET /v1/clients/{id}/accounts`; a kind without accounts is absent. */
export function accountsJson(model: FineractModel, clientId: number): object {
  const accounts = model.accounts.filter((account) => account.clientId === clientId);
  const rows = accounts.map((account) => {
    const { id: productId, name: productName } = productOf(model, account);
    return { ...anyAccountJson(account), productId, productName, accountBalance: nullIfZero(account.balance) };
  });
  return { savingsAccounts: rows.length === 0 ? undefined : rows };
}

/** The fields that a client's list and an account alone have in common. */
const anyAccountJson = ({ id, status = 300, subStatus = 0, depositType = 100, ...account }: SavingsRow): object => ({
  id,
  accountNo: accountNo(id),
  status: { id: status },
  subStatus: { id: subStatus },
  depositType: { id: depositType },
  currency: currency(account.currency),
  timeline: { submittedOnDate: [2020, 1, 6] },
});

const productOf = (model: FineractModel, account: SavingsRow): ProductRow =>
  model.products.find(({ id }) => id === account.productId) as ProductRow;

/** `GET /v1/savingsaccounts/{id}` */
export function savingsAccountJson(model: FineractModel, account: SavingsRow): object {
  const product = productOf(model, account);
  return {
    ...anyAccountJson(account),
    clientId: account.clientId,
    savingsProductId: product.id,
    savingsProductName: product.name,
    allowOverdraft: account.allowOverdraft ?? false,
    overdraftLimit: nullIfZero(account.overdraftLimit),
    minRequiredBalance: nullIfZero(account.minRequiredBalance),
    enforceMinRequiredBalance: account.enforceMinRequiredBalance ?? false,
    savingsAmountOnHold: account.onHold && raw(account.onHold),
    summary: {
      currency: currency(account.currency),
      accountBalance: raw(account.balance),
      availableBalance: raw(minus(account.balance, account.onHold ?? '0.000000')),
    },
  };
}

/** Both have six decimals. */
function minus(a: Decimal, b: Decimal): Decimal {
  const millionths = (decimal: Decimal): bigint => BigInt(decimal.replace('.', ''));
  const difference = millionths(a) - millionths(b);
  const digits = (difference < 0n ? -difference : difference).toString().padStart(7, '0');
  return `${difference < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** `SavingsAccountTransactionType`: the words and the side of each. */
const transactionTypes: Readonly<Record<number, readonly [value: string, entry?: 'CREDIT' | 'DEBIT']>> = {
  1: ['Deposit', 'CREDIT'],
  2: ['Withdrawal', 'DEBIT'],
  3: ['Interest posting', 'CREDIT'],
  4: ['Withdrawal fee', 'DEBIT'],
  5: ['Annual fee', 'DEBIT'],
  6: ['Waive charge'],
  7: ['Pay charge', 'DEBIT'],
  8: ['Dividend', 'CREDIT'],
  10: ['Accrual'],
  12: ['Initiate transfer'],
  13: ['Approve transfer'],
  14: ['Withdraw transfer'],
  15: ['Reject transfer'],
  16: ['Written off'],
  17: ['Overdraft interest', 'DEBIT'],
  18: ['Withhold tax', 'DEBIT'],
  19: ['Escheat', 'DEBIT'],
  20: ['Amount on hold', 'DEBIT'],
  21: ['Release amount', 'CREDIT'],
};

/** One row of the search. A transaction with two notes has two rows, which differ only in the note. */
export function transactionJson(account: SavingsRow, row: TransactionRow, note: string | undefined): object {
  const [value, entryType] = transactionTypes[row.type] ?? ['Invalid'];
  const withPayment = row.type === 1 || row.type === 2;
  const { paymentType, transferDescription } = row;
  return {
    id: row.id,
    transactionType: { id: row.type, value },
    entryType,
    accountId: account.id,
    date: dateArray(row.date),
    currency: currency(account.currency),
    paymentDetailData: withPayment && paymentType !== undefined ? { paymentType: { name: paymentType } } : undefined,
    amount: raw(row.amount),
    // `getBigDecimalDefaultToZeroIfNull`: a null becomes `BigDecimal.ZERO`, which has no decimals.
    runningBalance: raw(row.runningBalance ?? '0'),
    reversed: row.reversed ?? false,
    transfer: transferDescription === undefined ? undefined : { transferDescription },
    submittedOnDate: dateArray(row.submittedOnDate),
    submittedByUsername: 'teller7',
    note,
    isReversal: row.isReversal ?? false,
    releaseTransactionId: row.releaseTransactionId ?? 0,
  };
}

/** `GET /v1/savingsproducts/{id}` */
export function productJson({ id, name, shortName }: ProductRow): object {
  return { id, name, shortName };
}

/** `StandingInstructionData` as its mapper fills it: an account has only its id, number and product. */
export function instructionJson(model: FineractModel, row: StandingInstructionRow): object {
  const accountOf = (id: number): SavingsRow => model.accounts.find((account) => account.id === id) as SavingsRow;
  const portfolio = (id: number): object => {
    const product = productOf(model, accountOf(id));
    return { id, accountNo: accountNo(id), productId: product.id, productName: product.name };
  };
  const payee = model.clients.find(({ id }) => id === accountOf(row.toAccountId).clientId);
  return {
    id: row.id,
    name: row.name,
    fromAccount: portfolio(row.fromAccountId),
    toClient: { id: payee?.id, displayName: payee?.displayName },
    toAccountType: { id: row.toAccountType ?? 2 },
    toAccount: portfolio(row.toAccountId),
    transferType: { id: row.transferType ?? 1 },
    instructionType: { id: row.instructionType ?? 1 },
    status: { id: row.status ?? 1 },
    amount: nullIfZero(row.amount),
    validFrom: dateArray(row.validFrom),
    validTill: dateArray(row.validTill),
    recurrenceType: { id: row.recurrenceType ?? 1 },
    recurrenceFrequency: { id: row.recurrenceFrequency },
    recurrenceInterval: row.recurrenceInterval,
    recurrenceOnMonthDay: row.recurrenceOnMonthDay,
  };
}

/** `genericResultSet=true`: written by Gson. */
export function resultSetJson({ columns }: DataTable, rows: readonly unknown[][]): object {
  return { columnHeaders: columns.map((columnName) => ({ columnName })), data: rows.map((row) => ({ row })) };
}
