import type { CoreTransaction } from '../../../packages/core-adapter/core.records.js';
import { isCurrency } from '../../../packages/core-adapter/currencies.js';
import { calendarDay, formatDateTime } from '../../open-banking/date-times.js';
import { transactionInformation } from '../../open-banking/free-text.js';
import { amount, creditDebit, signedAmount } from '../../open-banking/money.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import type { Transaction } from './transaction.schema.js';

export type TransactionView = Pick<IdentifiedView, 'accountId' | 'detail' | 'publicId'> & {
  readonly settings: Pick<IdentifiedView['settings'], 'amounts' | 'pendingFields' | 'bankTimeZone'>;
};

export function toTransaction(transaction: CoreTransaction, view: TransactionView): Transaction {
  const { minorUnits, currency } = transaction.amount;
  return {
    AccountId: view.accountId,
    TransactionId: view.publicId(transaction.id),
    CreditDebitIndicator: creditDebit(minorUnits),
    Status: transaction.status === 'booked' ? 'Booked' : 'Pending',
    BookingDateTime: bookingDateTime(transaction, view),
    ValueDateTime: transaction.valueAt && formatDateTime(transaction.valueAt),
    Amount: amount(minorUnits, currency),
    TransactionInformation: view.detail ? information(transaction, view.settings.bankTimeZone) : undefined,
    Balance: view.detail ? balance(transaction, view.settings.amounts === 'signed') : undefined,
    CurrencyExchange: currencyExchange(transaction, view),
  };
}

/**
 * For a pending transaction empty, or the time at which the core expects to book it. The time of purchase is never shown
 * here.
 */
function bookingDateTime(transaction: CoreTransaction, view: TransactionView): string {
  if (transaction.status === 'booked') return formatDateTime(transaction.at);
  if (view.settings.pendingFields === 'empty' || transaction.expectedBookingAt === undefined) return '';
  return formatDateTime(transaction.expectedBookingAt);
}

/** For a posted transaction the text includes its date, by the bank's calendar. */
function information(transaction: CoreTransaction, bankTimeZone: string): string | undefined {
  const day =
    transaction.status === 'booked' ? calendarDay(transaction.madeAt ?? transaction.at, bankTimeZone) : undefined;
  return transactionInformation(transaction.description, day);
}

function balance({ runningBalance }: CoreTransaction, signed: boolean): Transaction['Balance'] {
  if (runningBalance === undefined) return undefined;
  const { minorUnits, currency } = runningBalance;
  return {
    CreditDebitIndicator: creditDebit(minorUnits),
    Type: 'ClosingBooked',
    Amount: signed ? signedAmount(minorUnits, currency) : amount(minorUnits, currency),
  };
}

function currencyExchange(transaction: CoreTransaction, view: TransactionView): Transaction['CurrencyExchange'] {
  const { exchange } = transaction;
  if (exchange === undefined) return undefined;
  if (transaction.status === 'pending')
    return view.settings.pendingFields === 'empty' ? { SourceCurrency: '', ExchangeRate: '' } : undefined;
  // The standard makes both members mandatory: half of the object is useless, and the object may be absent.
  if (exchange.rate === undefined) return undefined;
  const rate = rateForm.test(exchange.rate) ? Number(exchange.rate) : 0;
  if (!isCurrency(exchange.sourceCurrency) || rate <= 0) throw new RangeError('the currency exchange is not one');
  return { SourceCurrency: exchange.sourceCurrency, ExchangeRate: rate };
}

/** On either side of the point shorter than a card number. */
const rateForm = /^\d{1,9}(\.\d{1,12})?$/;
