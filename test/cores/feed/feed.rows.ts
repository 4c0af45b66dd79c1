import type { AccountTruth } from '../../../packages/adapter-kit/adapter-kit.js';
import { minorUnitDigits } from '../../../packages/core-adapter/currencies.js';
import type { CoreAccountIdentification, CoreAgent } from '../../../packages/core-adapter/core.parties.js';
import type {
  CoreFrequency,
  CoreMoney,
  CoreStandingOrder,
  CoreTime,
  CoreTransaction,
} from '../../../packages/core-adapter/core.records.js';

/** A row of a file: the cells by the names of their columns. */
export type CsvRow = Readonly<Record<string, string | undefined>>;

/** The rows that the bank's files have of an account, but for its transactions. */
export function rowsOf(truth: AccountTruth, written: (time: CoreTime) => string): Readonly<Record<string, CsvRow[]>> {
  const { account } = truth;
  const ACC = account.ref;
  const CCY = account.currency;
  const rows = <T>(list: readonly T[] | undefined, row: (item: T) => CsvRow): CsvRow[] =>
    (list ?? []).map((item) => ({ ACC, CCY, ...row(item) }));
  return {
    accounts: [
      {
        ACC,
        TYPE: { CurrentAccount: 'CUR', Savings: 'SAV', CreditCard: 'CRD', RewardsPayPlus: 'RPP', RoundUp: 'RUP' }[
          account.product
        ],
        CCY,
        LABEL: account.description,
        OPEN: flag(account.permitted),
        SORT: account.sortCode,
        NUMBER: account.accountNumber,
        IBAN: account.iban,
        LEI: account.lei,
        CARD: account.cardLastFour,
      },
    ],
    balances: rows(truth.balances, ({ kind, amount, at, creditLimit }) => ({
      KIND: kind === 'booked' ? 'LEDGER' : 'AVAILABLE',
      AMOUNT: decimal(amount),
      AT: written(at),
      LIMIT: creditLimit && decimal(creditLimit),
    })),
    offers: rows(truth.offers, ({ endMonth, feePercentage, minFeeAmount, takeUpEndDate }) => ({
      UNTIL: endMonth,
      FEE: feePercentage,
      LEAST: minFeeAmount && decimal(minFeeAmount),
      BY: takeUpEndDate?.date.split('-').reverse().join('/'),
    })),
    scheduledPayments: [
      ...rows(truth.scheduledPayments, ({ id, dueAt, type, reference, amount, creditor, creditorAgent }) => ({
        REACH: 'DOM',
        ID: id,
        DUE: written(dueAt),
        HOW: type === 'execution' ? 'EXE' : 'ARR',
        REF: reference,
        AMOUNT: decimal(amount),
        ...payee(creditor),
        ...agent('', creditorAgent),
      })),
      ...rows(truth.international, (id) => ({ REACH: 'INT', ID: id })),
    ],
    beneficiaries: rows(truth.beneficiaries, ({ id, kind, creditor, creditorAgent }) => ({
      ID: id,
      KIND: kind,
      ...payee(creditor),
      ...agent('', creditorAgent),
    })),
    statements: [
      ...rows(truth.earlierStatements, (end) => ({
        OPENED: written(end),
        CLOSED: written(end),
        MADE: written(end),
        OWED: '0',
      })),
      ...rows(truth.statements, ({ startAt, endAt, createdAt, closingBalance, minimumPayment }) => ({
        OPENED: written(startAt),
        CLOSED: written(endAt),
        MADE: written(createdAt),
        OWED: decimal(closingBalance),
        LEAST: minimumPayment && decimal(minimumPayment),
      })),
    ],
    directDebits: rows(truth.directDebits, ({ id, mandate, status, name, ...more }) => ({
      ID: id,
      MANDATE: mandate,
      STATUS: status,
      TAKER: name,
      ...(more.frequency && rhythm(more.frequency)),
      CLASS: more.classification,
      CAT: more.categoryPurpose,
      FIRST: more.firstPaymentAt && written(more.firstPaymentAt),
      LAST: more.finalPaymentAt && written(more.finalPaymentAt),
      WHY: more.reason,
    })),
    standingOrders: [
      ...rows(truth.standingOrders, orderOf),
      ...rows(truth.international, (id) => ({ REACH: 'INT', ID: id })),
    ],
    product: rows(truth.product, ({ code, name, type }) => ({ CODE: code, TITLE: name, FAMILY: type })),
  };
}

export function transactionRow(ACC: string, row: CoreTransaction, written: (time: CoreTime) => string): CsvRow {
  const { minorUnits, currency } = row.amount;
  return {
    ACC,
    ID: row.id,
    STATE: { booked: 'POSTED', pending: 'HELD', rejected: 'REFUSED' }[row.status],
    AT: written(row.at),
    MADE: row.madeAt && written(row.madeAt),
    DUE: row.expectedBookingAt && written(row.expectedBookingAt),
    VALUE: row.valueAt && written(row.valueAt),
    CCY: currency,
    AMOUNT: String(minorUnits < 0n ? -minorUnits : minorUnits),
    SIDE: minorUnits < 0n ? 'DR' : 'CR',
    TEXT: row.description,
    BALANCE: row.runningBalance && decimal(row.runningBalance),
    FX: row.exchange?.sourceCurrency,
    RATE: row.exchange?.rate,
    FAMILY: row.isoTransactionCode?.family,
    SUB_FAMILY: row.isoTransactionCode?.subFamily,
    OWN: row.bankTransactionCode?.code,
    OWN_BY: row.bankTransactionCode?.issuer,
    CAT: row.categoryPurpose,
    PURP: row.paymentPurpose,
    ...(row.creditor && payee(row.creditor)),
    ...agent('', row.creditorAgent),
    FOR: row.ultimateCreditor?.name,
    FOR_LEI: row.ultimateCreditor?.lei,
    D_FORM: row.debtor && payee(row.debtor).FORM,
    D_PAYEE: row.debtor?.identification,
    D_NAME: row.debtor?.name,
    ...agent('D_', row.debtorAgent),
    D_FOR: row.ultimateDebtor?.name,
    D_FOR_LEI: row.ultimateDebtor?.lei,
  };
}

function orderOf(order: CoreStandingOrder): CsvRow {
  const { frequency, nextPaymentAt, nextPaymentAmount } = order;
  return {
    REACH: 'DOM',
    ID: order.id,
    ...rhythm(frequency),
    REF: order.reference,
    NEXT: nextPaymentAt && 'date' in nextPaymentAt ? nextPaymentAt.date.replaceAll('-', '') : undefined,
    STATUS: order.status,
    CAT: order.categoryPurpose,
    AMOUNT: nextPaymentAmount && decimal(nextPaymentAmount),
    ...payee(order.creditor),
    ...agent('', order.creditorAgent),
  };
}

function rhythm(frequency: CoreFrequency): CsvRow {
  if (frequency.every !== 'month' || !('day' in frequency)) throw new Error('the files have no such frequency');
  return { EVERY: 'month', TIMES: String(frequency.interval), DAY: String(frequency.day) };
}

function agent(side: string, found: CoreAgent | undefined): CsvRow {
  const { bic, name, lei, address } = found ?? {};
  const cells = {
    BIC: bic,
    BANK: name,
    BANK_LEI: lei,
    TOWN: address?.townName,
    LAND: address?.country,
    STREET: address?.streetName,
    NO: address?.buildingNumber,
    POST: address?.postCode,
  };
  return Object.fromEntries(Object.entries(cells).map(([column, cell]) => [side + column, cell]));
}

function payee({ scheme, identification, name, proxy }: CoreAccountIdentification): CsvRow {
  return {
    FORM: { 'sort-code': 'SC', iban: 'IB', bban: 'BB', card: 'CA' }[scheme],
    PAYEE: identification,
    PAYEE_NAME: name,
    ALIAS: proxy?.code,
    ALIAS_ID: proxy?.identification,
  };
}

function flag(is: boolean): string {
  return is ? 'Y' : 'N';
}

/** The text that a person would write: with a point before the minor units. */
function decimal({ minorUnits, currency }: CoreMoney): string {
  const digits = minorUnitDigits(currency) ?? 0;
  const text = String(minorUnits < 0n ? -minorUnits : minorUnits).padStart(digits + 1, '0');
  const point = text.length - digits;
  return `${minorUnits < 0n ? '-' : ''}${text.slice(0, point)}${digits > 0 ? `.${text.slice(point)}` : ''}`;
}

const payeeHeader = 'FORM PAYEE PAYEE_NAME ALIAS ALIAS_ID BIC BANK BANK_LEI TOWN LAND STREET NO POST';
const debtorHeader = 'D_FORM D_PAYEE D_NAME D_BIC D_BANK D_BANK_LEI D_TOWN D_LAND D_STREET D_NO D_POST';
const codeHeader = 'FAMILY SUB_FAMILY OWN OWN_BY CAT PURP FOR FOR_LEI D_FOR D_FOR_LEI';
const headers: Readonly<Record<string, string>> = {
  accounts: 'ACC TYPE CCY LABEL OPEN SORT NUMBER IBAN LEI CARD',
  holders: 'CUST ACC',
  balances: 'ACC KIND AMOUNT CCY AT LIMIT',
  transactions: `ACC ID STATE AT MADE DUE VALUE CCY AMOUNT SIDE TEXT BALANCE FX RATE ${codeHeader} ${payeeHeader} ${debtorHeader}`,
  party: 'CUST PERSON NAME',
  offers: 'ACC CCY UNTIL FEE LEAST BY',
  scheduledPayments: `ACC CCY REACH ID DUE HOW REF AMOUNT ${payeeHeader}`,
  beneficiaries: `ACC ID KIND ${payeeHeader}`,
  statements: 'ACC CCY OPENED CLOSED MADE OWED LEAST',
  directDebits: 'ACC ID MANDATE STATUS TAKER EVERY TIMES DAY CLASS CAT FIRST LAST WHY',
  standingOrders: `ACC CCY REACH ID EVERY TIMES DAY REF NEXT STATUS CAT AMOUNT ${payeeHeader}`,
  product: 'ACC CODE TITLE FAMILY',
};

/** The parts of a delivery, in the order of the files. */
export const parts = Object.keys(headers);

export function headerOf(part: string): string {
  return (headers[part] ?? '').replaceAll(' ', ';');
}

export function csvLine(part: string, row: CsvRow): string {
  return (headers[part] ?? '')
    .split(' ')
    .map((column) => `"${(row[column] ?? '').replaceAll('"', '""')}"`)
    .join(';');
}
