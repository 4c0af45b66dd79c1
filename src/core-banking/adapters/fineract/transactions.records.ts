import type { CoreAccount, CoreTransaction } from '../../../../packages/core-adapter/core.records.js';
import { optionalField, RowFault, type Row, type TimeAndId } from '../../../../packages/core-adapter/core-rows.js';
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

/** The values of `SavingsAccountTransactionType` that move or hold money. The others are internal to Fineract. */
export const creditTypes: readonly number[] = [1, 3, 8];
export const debitTypes: readonly number[] = [2, 4, 5, 7, 17, 18, 19];
export const holdType = 20;

/**
 * A row of the search; `undefined` for a row that is not a customer's transaction, such as a reversed one (its money
 * never moved) or a released hold (a separate transaction replaces it).
 */
export function toTransaction(row: Row, account: CoreAccount): CoreTransaction | undefined {
  if (flag(row.reversed, 'reversed') || flag(row.isReversal, 'isReversal')) return undefined;
  const type = enumId(row.transactionType, 'transactionType');
  const held = type === holdType;
  // Fineract's mapper reads the column with `getLong`, which turns null into 0.
  if (held && (row.releaseTransactionId ?? 0) !== 0) return undefined;
  const credit = creditTypes.includes(type);
  if (!credit && !held && !debitTypes.includes(type)) throw new RowFault('transactionType.id', 'not a type asked for');
  const entry = optionalText(row.entryType, 'entryType');
  if (entry !== undefined && entry !== (credit ? 'CREDIT' : 'DEBIT'))
    throw new RowFault('entryType', 'not that of its type');
  const currency = currencyCode(row);
  if (currency !== account.currency) throw new RowFault('currency.code', "not the account's");
  const { minorUnits } = money(row.amount, currency, 'amount');
  // Fineract refuses amounts of zero. An outgoing zero would count as money in.
  if (minorUnits < 0n || (minorUnits === 0n && !credit)) throw new RowFault('amount', 'not above zero');
  const timeAndId = timeAndIdOf(row);
  return {
    ...timeAndId,
    status: held ? 'pending' : 'booked',
    madeAt: held ? timeAndId.at : undefined,
    valueAt: held ? undefined : optionalField('valueAt', () => day(row.date, 'date')),
    amount: { minorUnits: credit ? minorUnits : -minorUnits, currency },
    description: optionalField('description', () => description(row)),
    runningBalance: held ? undefined : optionalField('runningBalance', () => runningBalance(row, currency)),
  };
}

/**
 * The search calls the booking date `submittedOnDate`; `date` is the value date. The id is padded to nineteen digits, the
 * most of a `bigint`, so that texts sort as the numbers.
 */
export function timeAndIdOf(row: Row): TimeAndId {
  return { id: key(row.id, 'id').padStart(19, '0'), at: day(row.submittedOnDate, 'submittedOnDate') };
}

/** Fineract writes `0` for a balance that it has not computed. One that it has computed has decimals, zero as well. */
function runningBalance({ runningBalance: balance }: Row, currency: string): CoreTransaction['runningBalance'] {
  return balance === 0 ? undefined : moneyOrNone(balance, currency, 'runningBalance');
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
