import type {
  CoreAccount,
  CoreAccountIdentification,
  CoreBalance,
  CoreBeneficiary,
  CoreParty,
  CoreProduct,
  CoreProductDetail,
  CoreTransaction,
} from '../../../../packages/core-adapter/core.records.js';
import { type BeneficiaryKind, beneficiaryKinds } from '../../../../packages/core-adapter/core.records.js';
import {
  currencyCode,
  day,
  enumId,
  flag,
  key,
  matching,
  money,
  moneyOrNone,
  optionalEnumId,
  optionalRow,
  optionalText,
  requiredRow,
  wholeNumber,
} from './fineract.fields.js';
import { isRow, RowFault, type Row } from '../../../../packages/core-adapter/core-rows.js';
import type { FineractSettings, OfferedProduct } from './fineract.settings.js';

type AccountRules = Pick<FineractSettings, 'products' | 'dormantPermitted'>;
type Holder = CoreAccount['holder'];

/** `legalForm`: 1 is a person, 2 an entity; absent is a person, as Fineract itself takes it. */
export function holderOf(client: Row): Holder {
  const form = optionalEnumId(client.legalForm, 'legalForm') ?? 1;
  if (form !== 1 && form !== 2) throw new RowFault('legalForm.id', 'not a known form');
  return form === 1 ? 'personal' : 'business';
}

export function toParty(client: Row): CoreParty {
  return { ref: key(client.id, 'id'), name: optionalText(client.displayName, 'displayName') };
}

/** Deposit accounts that are not savings accounts (fixed, recurring) stand in the same list and have paths of their own. */
const savingsDeposit = 100;

/** Whether an account of a client's list is one that the gateway offers; the list also has other kinds of deposit. */
export function offeredProduct(row: Row, productId: unknown, rules: AccountRules): CoreProduct | undefined {
  if ((optionalEnumId(row.depositType, 'depositType') ?? savingsDeposit) !== savingsDeposit) return undefined;
  const offered: OfferedProduct | undefined = rules.products.get(wholeNumber(productId, 'productId'));
  if (offered === undefined) throw new RowFault('productId', 'not in CORE_PRODUCTS');
  return offered === 'hidden' ? undefined : offered;
}

export interface AccountParts {
  readonly product: CoreProduct;
  readonly holder: Holder;
  /** The account's row of the identifiers' data table, where there is one. */
  readonly identifiers?: Row | undefined;
  readonly rules: AccountRules;
}

/** An account of a client's list, or alone: the two name their product differently. */
export function toAccount(row: Row, { product, holder, identifiers, rules }: AccountParts): CoreAccount {
  return {
    ref: key(row.id, 'id'),
    product,
    currency: currencyCode(row.currency, 'currency'),
    description: optionalText(row.productName ?? row.savingsProductName, 'productName'),
    permitted: isPermitted(row, rules.dormantPermitted),
    holder,
    ...toIdentifiers(identifiers),
  };
}

/** Active, and the two states of an account that moves between branches. */
const openStates: ReadonlySet<number> = new Set([300, 303, 304]);
const subStates = { dormant: 200, escheat: 300, block: 400 } as const;

/** Section 3.1. A block of credits or debits alone (500, 600) hides nothing from the customer. */
function isPermitted(row: Row, dormantPermitted: boolean): boolean {
  if (!openStates.has(enumId(row.status, 'status'))) return false;
  const sub = optionalEnumId(row.subStatus, 'subStatus') ?? 0;
  if (sub === subStates.dormant) return dormantPermitted;
  return sub !== subStates.escheat && sub !== subStates.block;
}

type Identifiers = Pick<CoreAccount, 'sortCode' | 'accountNumber' | 'iban'>;

function toIdentifiers(row: Row | undefined): Identifiers {
  if (row === undefined) return {};
  const sortCode = matching(/^\d{6}$/, row.sort_code, 'sort_code');
  const accountNumber = matching(/^\d{8}$/, row.account_number, 'account_number');
  if ((sortCode === undefined) !== (accountNumber === undefined))
    throw new RowFault('sort_code', 'not together with account_number');
  return { sortCode, accountNumber, iban: matching(ibanForm, row.iban, 'iban') };
}
const ibanForm = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** How a data table's row names an account; `undefined` where it names none. */
export function toIdentification(row: Row, name: string | undefined): CoreAccountIdentification | undefined {
  const { sortCode, accountNumber, iban } = toIdentifiers(row);
  if (sortCode !== undefined && accountNumber !== undefined)
    return { scheme: 'sort-code', identification: sortCode + accountNumber, name };
  return iban === undefined ? undefined : { scheme: 'iban', identification: iban, name };
}

/** The columns without which a data table is not the one that the settings mean; `iban` may be left out. */
export const identifierColumns = ['sort_code', 'account_number'] as const;
export const beneficiaryColumns = ['id', 'kind', 'name', ...identifierColumns] as const;

/** The rows of `GET /datatables/{name}/{id}?genericResultSet=true`: columns once, then values in their order. */
export function toTableRows(body: unknown, needed: readonly string[]): Row[] {
  const { columnHeaders, data } = isRow(body) ? body : {};
  if (!Array.isArray(columnHeaders) || !Array.isArray(data)) throw new RowFault('columnHeaders', 'not a result set');
  const names = columnHeaders.map(
    (header: unknown) =>
      optionalText(requiredRow(header, 'columnHeaders').columnName, 'columnHeaders.columnName') ?? '',
  );
  const absent = needed.find((name) => !names.includes(name));
  if (absent !== undefined) throw new RowFault('columnHeaders', `without ${absent}`);
  return data.map((entry: unknown) => {
    const values = requiredRow(entry, 'data').row;
    if (!Array.isArray(values) || values.length !== names.length) throw new RowFault('data.row', 'not one per column');
    return Object.fromEntries(names.map((name, index) => [name, values[index] as unknown]));
  });
}

/**
 * `availableBalance` leaves out what is held, but neither an overdraft nor a minimum that must stay in the account: the
 * port wants what may be spent without an overdraft.
 */
export function toBalances(row: Row, product: CoreProduct, at: Date): CoreBalance[] {
  const currency = currencyCode(row.currency, 'currency');
  const summary = requiredRow(row.summary, 'summary');
  const available = money(summary.availableBalance, currency, 'summary.availableBalance').minorUnits;
  const enforced = flag(row.enforceMinRequiredBalance, 'enforceMinRequiredBalance');
  const minimum = enforced
    ? (moneyOrNone(row.minRequiredBalance, currency, 'minRequiredBalance')?.minorUnits ?? 0n)
    : 0n;
  return [
    { kind: 'booked', amount: money(summary.accountBalance, currency, 'summary.accountBalance'), at },
    {
      kind: 'available',
      amount: { minorUnits: available - minimum, currency },
      at,
      overdraftLimit: product === 'CurrentAccount' ? overdraftLimit(row, currency) : undefined,
    },
  ];
}

function overdraftLimit(row: Row, currency: string): CoreBalance['overdraftLimit'] {
  if (!flag(row.allowOverdraft, 'allowOverdraft')) return undefined;
  const limit = moneyOrNone(row.overdraftLimit, currency, 'overdraftLimit');
  if (limit !== undefined && limit.minorUnits < 0n) throw new RowFault('overdraftLimit', 'negative');
  return limit;
}

/** Of `SavingsAccountTransactionType`, those that move the customer's money or hold it. All others are Fineract's own. */
export const creditTypes: readonly number[] = [1, 3, 8];
export const debitTypes: readonly number[] = [2, 4, 5, 7, 17, 18, 19];
export const holdType = 20;

/**
 * A row of the search; `undefined` for what is none of the customer's transactions: one that was reversed (its money
 * never moved), and a hold that was released (what it became is a transaction of its own).
 */
export function toTransaction(row: Row, account: CoreAccount): CoreTransaction | undefined {
  if (flag(row.reversed, 'reversed') || flag(row.isReversal, 'isReversal')) return undefined;
  const type = enumId(row.transactionType, 'transactionType');
  const held = type === holdType;
  // The mapper reads the column with `getLong`: none is 0.
  if (held && (row.releaseTransactionId ?? 0) !== 0) return undefined;
  const credit = creditTypes.includes(type);
  if (!credit && !held && !debitTypes.includes(type)) throw new RowFault('transactionType.id', 'not a type asked for');
  const entry = optionalText(row.entryType, 'entryType');
  if (entry !== undefined && entry !== (credit ? 'CREDIT' : 'DEBIT'))
    throw new RowFault('entryType', 'not that of its type');
  const currency = currencyCode(row.currency, 'currency');
  if (currency !== account.currency) throw new RowFault('currency.code', "not the account's");
  const { minorUnits } = money(row.amount, currency, 'amount');
  // Fineract refuses amounts of zero; one that goes out would be counted as money in.
  if (minorUnits < 0n || (minorUnits === 0n && !credit)) throw new RowFault('amount', 'not above zero');
  // The booking date in the words of the search itself; `date` is when it takes effect (its value date).
  const at = day(row.submittedOnDate, 'submittedOnDate');
  return {
    id: transactionId(row),
    status: held ? 'pending' : 'booked',
    at,
    madeAt: held ? at : undefined,
    valueAt: held ? undefined : day(row.date, 'date'),
    amount: { minorUnits: credit ? minorUnits : -minorUnits, currency },
    description: description(row),
    runningBalance: held ? undefined : moneyOrNone(row.runningBalance, currency, 'runningBalance'),
  };
}

/** In nineteen digits, which a `bigint` has at most: the order of the texts is that of the numbers. */
function transactionId(row: Row): string {
  return key(row.id, 'id').padStart(19, '0');
}

function description(row: Row): string | undefined {
  const transfer = optionalRow(row.transfer, 'transfer');
  const payment = optionalRow(row.paymentDetailData, 'paymentDetailData');
  const paymentType = optionalRow(payment?.paymentType, 'paymentDetailData.paymentType');
  return (
    optionalText(row.note, 'note') ??
    optionalText(transfer?.transferDescription, 'transfer.transferDescription') ??
    optionalText(paymentType?.name, 'paymentDetailData.paymentType.name') ??
    optionalText(requiredRow(row.transactionType, 'transactionType').value, 'transactionType.value')
  );
}

const productTypes = { personal: 'personal-current-account', business: 'business-current-account' } as const;

export function toProductDetail(
  row: Row,
  { product, holder }: Pick<CoreAccount, 'product' | 'holder'>,
): CoreProductDetail {
  return {
    code: optionalText(row.shortName, 'shortName'),
    name: optionalText(row.name, 'name'),
    type: product === 'CurrentAccount' ? productTypes[holder] : 'other',
  };
}

/** A row of the beneficiaries' data table: `id`, `kind`, `name`, and the columns of an account's identifiers. */
export function toBeneficiary(row: Row): CoreBeneficiary {
  const kind = optionalText(row.kind, 'kind') as BeneficiaryKind | undefined;
  if (kind === undefined || !beneficiaryKinds.includes(kind)) throw new RowFault('kind', 'not a known word');
  const creditor = toIdentification(row, optionalText(row.name, 'name'));
  if (creditor === undefined) throw new RowFault('sort_code', 'neither it nor iban is there');
  return { id: key(row.id, 'id'), kind, creditor };
}
