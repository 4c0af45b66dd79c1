import { minorUnitDigits } from '../../../packages/core-adapter/currencies.js';
import type {
  ClientRow,
  DataTable,
  DataTableValue,
  Day,
  Decimal,
  FineractModel,
  ProductRow,
  SavingsRow,
  StandingInstructionRow,
  TransactionRow,
} from './fineract.model.js';

/**
 * The resources as Fineract's own mappers and Gson write them (apache/fineract 4198b0b): dates as arrays, money as JSON
 * numbers with six decimals, and no member that is null. `undefined` is left out by `JSON.stringify`, as Gson does.
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

interface EnumOption {
  readonly id: number;
  readonly code: string;
  readonly value: string;
}
const option = (id: number, code: string, value: string): EnumOption => ({ id, code, value });

function currency(code: string): object {
  return {
    code,
    name: code,
    decimalPlaces: minorUnitDigits(code),
    inMultiplesOf: 0,
    displaySymbol: code,
    nameCode: `currency.${code}`,
    displayLabel: `${code} (${code})`,
  };
}

const statusNames: Readonly<Record<number, string>> = {
  100: 'submittedAndPendingApproval',
  200: 'approved',
  300: 'active',
  303: 'transferInProgress',
  304: 'transferOnHold',
  400: 'withdrawnByClient',
  500: 'rejected',
  600: 'closed',
};

function status(id: number): object {
  const name = statusNames[id] ?? 'invalid';
  return {
    ...option(id, `savingsAccountStatusType.${name}`, name),
    ...Object.fromEntries(Object.values(statusNames).map((one) => [one, one === name])),
    prematureClosed: false,
    matured: false,
  };
}

const subStatusNames: Readonly<Record<number, string>> = {
  0: 'none',
  100: 'inactive',
  200: 'dormant',
  300: 'escheat',
  400: 'block',
  500: 'blockCredit',
  600: 'blockDebit',
};

function subStatus(id: number): object {
  const name = subStatusNames[id] ?? 'none';
  return {
    ...option(id, `SavingsAccountSubStatusEnum.${name}`, name),
    ...Object.fromEntries(Object.values(subStatusNames).map((one) => [one, one === name])),
  };
}

const depositTypes: Readonly<Record<number, string>> = { 100: 'savings', 200: 'fixedDeposit', 300: 'recurringDeposit' };
const depositType = (id = 100): object =>
  option(id, `depositAccountType.${depositTypes[id]}`, String(depositTypes[id]));

export const accountNo = (id: number): string => String(id).padStart(9, '0');

/** `GET /v1/clients/{id}` */
export function clientJson({ id, displayName, legalForm }: ClientRow): object {
  return {
    id,
    accountNo: accountNo(id),
    status: option(300, 'clientStatusType.active', 'Active'),
    active: true,
    activationDate: [2020, 1, 6],
    displayName,
    officeId: 1,
    officeName: 'Head Office',
    timeline: { submittedOnDate: [2020, 1, 6], submittedByUsername: 'mifos' },
    groups: [],
    isStaff: false,
    legalForm:
      legalForm &&
      option(
        legalForm,
        legalForm === 1 ? 'legalFormType.person' : 'legalFormType.entity',
        legalForm === 1 ? 'PERSON' : 'ENTITY',
      ),
  };
}

/** `GET /v1/clients/{id}/accounts`; a kind without accounts is absent. */
export function accountsJson(model: FineractModel, clientId: number): object {
  const accounts = model.accounts.filter((account) => account.clientId === clientId);
  return {
    savingsAccounts:
      accounts.length === 0
        ? undefined
        : accounts.map((account) => {
            const product = productOf(model, account);
            return {
              id: account.id,
              accountNo: accountNo(account.id),
              productId: product.id,
              productName: product.name,
              shortProductName: product.shortName,
              status: status(account.status ?? 300),
              currency: currency(account.currency),
              accountBalance: nullIfZero(account.balance),
              accountType: option(1, 'accountType.individual', 'Individual'),
              timeline: { submittedOnDate: [2020, 1, 6], activatedOnDate: [2020, 1, 6] },
              subStatus: subStatus(account.subStatus ?? 0),
              lastActiveTransactionDate: [2020, 1, 6],
              depositType: depositType(account.depositType),
            };
          }),
  };
}

const productOf = (model: FineractModel, account: SavingsRow): ProductRow =>
  model.products.find(({ id }) => id === account.productId) as ProductRow;

/** `GET /v1/savingsaccounts/{id}` */
export function savingsAccountJson(model: FineractModel, account: SavingsRow): object {
  const product = productOf(model, account);
  const client = model.clients.find(({ id }) => id === account.clientId) as ClientRow;
  return {
    id: account.id,
    accountNo: accountNo(account.id),
    depositType: depositType(account.depositType),
    clientId: client.id,
    clientName: client.displayName,
    savingsProductId: product.id,
    savingsProductName: product.name,
    fieldOfficerId: 0,
    status: status(account.status ?? 300),
    subStatus: subStatus(account.subStatus ?? 0),
    timeline: { submittedOnDate: [2020, 1, 6], submittedByUsername: 'mifos', activatedOnDate: [2020, 1, 6] },
    currency: currency(account.currency),
    nominalAnnualInterestRate: raw('0.000000'),
    withdrawalFeeForTransfers: false,
    allowOverdraft: account.allowOverdraft ?? false,
    overdraftLimit: nullIfZero(account.overdraftLimit),
    minRequiredBalance: nullIfZero(account.minRequiredBalance),
    enforceMinRequiredBalance: account.enforceMinRequiredBalance ?? false,
    lienAllowed: false,
    withHoldTax: false,
    lastActiveTransactionDate: [2020, 1, 6],
    isDormancyTrackingActive: false,
    savingsAmountOnHold: account.onHold && raw(account.onHold),
    summary: {
      currency: currency(account.currency),
      totalInterestPosted: 0,
      accountBalance: raw(account.balance),
      totalOverdraftInterestDerived: 0,
      interestNotPosted: 0,
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

const transactionTypes: Readonly<Record<number, readonly [name: string, value: string, entry?: 'CREDIT' | 'DEBIT']>> = {
  1: ['deposit', 'Deposit', 'CREDIT'],
  2: ['withdrawal', 'Withdrawal', 'DEBIT'],
  3: ['interestPosting', 'Interest posting', 'CREDIT'],
  4: ['withdrawalFee', 'Withdrawal fee', 'DEBIT'],
  5: ['annualFee', 'Annual fee', 'DEBIT'],
  6: ['waiveCharge', 'Waive charge'],
  7: ['payCharge', 'Pay charge', 'DEBIT'],
  8: ['dividendPayout', 'Dividend', 'CREDIT'],
  10: ['accrual', 'Accrual'],
  12: ['initiateTransfer', 'Initiate transfer'],
  13: ['approveTransfer', 'Approve transfer'],
  14: ['withdrawTransfer', 'Withdraw transfer'],
  15: ['rejectTransfer', 'Reject transfer'],
  16: ['writtenoff', 'Written off'],
  17: ['overdraftInterest', 'Overdraft interest', 'DEBIT'],
  18: ['withholdTax', 'Withhold tax', 'DEBIT'],
  19: ['escheat', 'Escheat', 'DEBIT'],
  20: ['onHold', 'Amount on hold', 'DEBIT'],
  21: ['release', 'Release amount', 'CREDIT'],
};

export function entryOf(type: number): 'CREDIT' | 'DEBIT' | undefined {
  return transactionTypes[type]?.[2];
}
export const everyType: readonly number[] = Object.keys(transactionTypes).map(Number);

/** One row of the search. A transaction with two notes has two rows, which differ only in the note. */
export function transactionJson(account: SavingsRow, row: TransactionRow, note: string | undefined): object {
  const [name, value, entryType] = transactionTypes[row.type] ?? ['invalid', 'Invalid'];
  const withPayment = row.type === 1 || row.type === 2;
  return {
    id: row.id,
    transactionType: { ...option(row.type, `savingsAccountTransactionType.${name}`, value), [name]: true },
    entryType,
    accountId: account.id,
    accountNo: accountNo(account.id),
    date: dateArray(row.date),
    currency: currency(account.currency),
    paymentDetailData:
      withPayment && row.paymentType !== undefined
        ? { id: row.id, paymentType: { id: 1, name: row.paymentType }, accountNumber: '', receiptNumber: '' }
        : undefined,
    amount: raw(row.amount),
    // `getBigDecimalDefaultToZeroIfNull`: a null becomes `BigDecimal.ZERO`, which has no decimals.
    runningBalance: raw(row.runningBalance ?? '0'),
    reversed: row.reversed ?? false,
    transfer:
      row.transferDescription === undefined
        ? undefined
        : {
            id: row.id,
            reversed: false,
            transferAmount: raw(row.amount),
            transferDescription: row.transferDescription,
          },
    submittedOnDate: dateArray(row.submittedOnDate),
    interestedPostedAsOn: false,
    submittedByUsername: 'teller7',
    note,
    isManualTransaction: false,
    isReversal: row.isReversal ?? false,
    originalTransactionId: 0,
    lienTransaction: false,
    releaseTransactionId: row.releaseTransactionId ?? 0,
    chargesPaidByData: [],
  };
}

/** `GET /v1/savingsproducts/{id}` */
export function productJson({ id, name, shortName }: ProductRow): object {
  return { id, name, shortName, description: name, nominalAnnualInterestRate: raw('0.000000'), allowOverdraft: true };
}

/** `StandingInstructionData` as its mapper fills it: an account has only its id, number and product. */
export function instructionJson(model: FineractModel, row: StandingInstructionRow): object {
  const accountOf = (id: number): SavingsRow => model.accounts.find((account) => account.id === id) as SavingsRow;
  const clientOf = (id: number): object => {
    const { id: clientId, displayName } = model.clients.find((one) => one.id === accountOf(id).clientId) as ClientRow;
    return { id: clientId, displayName, officeId: 1, officeName: 'Head Office' };
  };
  const portfolio = (id: number): object => {
    const product = productOf(model, accountOf(id));
    return { id, accountNo: accountNo(id), productId: product.id, productName: product.name };
  };
  const savings = option(2, 'accountType.savings', 'Savings Account');
  const office = { id: 1, name: 'Head Office' };
  const frequency = row.recurrenceFrequency;
  return {
    id: row.id,
    accountDetailId: row.id,
    name: row.name,
    fromOffice: office,
    fromClient: clientOf(row.fromAccountId),
    fromAccountType: savings,
    fromAccount: portfolio(row.fromAccountId),
    toOffice: office,
    toClient: clientOf(row.toAccountId),
    toAccountType: row.toAccountType === 1 ? option(1, 'accountType.loan', 'Loan Account') : savings,
    toAccount: portfolio(row.toAccountId),
    transferType: option(row.transferType ?? 1, 'accountTransferType.account.transfer', 'Account Transfer'),
    priority: option(2, 'standingInstructionPriority.high', 'High Priority'),
    instructionType: option(row.instructionType ?? 1, 'standingInstructionType.fixed', 'Fixed'),
    status: option(row.status ?? 1, 'standingInstructionStatus.active', 'Active'),
    amount: nullIfZero(row.amount),
    validFrom: dateArray(row.validFrom),
    validTill: dateArray(row.validTill),
    recurrenceType: option(row.recurrenceType ?? 1, 'accountTransferRecurrenceType.periodic', 'Periodic Recurrence'),
    recurrenceFrequency: option(
      frequency,
      'recurrence.periodFrequencyType',
      ['Days', 'Weeks', 'Months', 'Years'][frequency] ?? '',
    ),
    recurrenceInterval: row.recurrenceInterval,
    recurrenceOnMonthDay: row.recurrenceOnMonthDay,
  };
}

/** `genericResultSet=true`: written by Gson. */
export function resultSetJson({ columns }: DataTable, rows: readonly unknown[][]): object {
  const columnHeaders = columns.map((columnName) => ({
    columnName,
    columnType: 'VARCHAR',
    columnDisplayType: 'STRING',
    isColumnNullable: true,
    columnValues: [],
  }));
  return { columnHeaders, data: rows.map((row) => ({ row })) };
}

/** `genericResultSet=false`: text concatenated by Fineract, which escapes only double quotes. */
export function handMadeJson({ columns }: DataTable, rows: readonly (readonly DataTableValue[])[]): string {
  const written = (value: DataTableValue): string =>
    typeof value === 'string' ? `"${value.replaceAll('"', '\\"')}"` : String(value);
  const row = (values: readonly DataTableValue[]): string =>
    `\n{${columns.map((name, index) => `"${name}": ${written(values[index] ?? null)}`).join(',\n')}}`;
  return `[${rows.map(row).join(',')}\n]`;
}
