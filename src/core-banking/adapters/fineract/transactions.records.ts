import type { CoreAccount, CoreTransaction } from '../../../../packages/core-adapter/core.records.js';
import { RowFault, type Row } from '../../../../packages/core-adapter/core-rows.js';
import {
  currencyCode,
  day,
  enumId,
  flag,
  key,
  money,
  moneyOrNone,
  optionalRow,
  optionalText,
  requiredRow,
} from './fineract.fields.js';

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
