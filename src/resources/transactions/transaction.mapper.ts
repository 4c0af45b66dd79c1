import { optionalField, RowFault } from '../../../packages/core-adapter/core-rows.js';
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
    ValueDateTime: optionalField('valueAt', () => transaction.valueAt && formatDateTime(transaction.valueAt)),
    Amount: amount(minorUnits, currency),
    TransactionInformation: view.detail ? information(transaction, view.settings.bankTimeZone) : undefined,
    Balance: view.detail
      ? optionalField('runningBalance', () => balance(transaction, view.settings.amounts === 'signed'))
      : undefined,
    CurrencyExchange: optionalField('exchange', () => currencyExchange(transaction, view)),
  };
}

/**
 * For a pending transaction empty, or the time at which the core expects to book it. The time of purchase is never shown
 * here.
 */
function bookingDateTime(transaction: CoreTransaction, view: TransactionView): string {
  if (transaction.status === 'booked') return formatDateTime(transaction.at);
  const { expectedBookingAt } = transaction;
  if (view.settings.pendingFields === 'empty' || expectedBookingAt === undefined) return '';
  return optionalField('expectedBookingAt', () => formatDateTime(expectedBookingAt)) ?? '';
}

/** For a posted transaction the text includes its date, by the bank's calendar. */
function information(transaction: CoreTransaction, bankTimeZone: string): string | undefined {
  const { status, at, madeAt, description } = transaction;
  if (status === 'pending') return transactionInformation(description, undefined);
  const made = madeAt && optionalField('madeAt', () => calendarDay(madeAt, bankTimeZone));
  return transactionInformation(description, made ?? calendarDay(at, bankTimeZone));
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
  if (!isCurrency(exchange.sourceCurrency)) throw new RowFault('exchange.sourceCurrency', 'not a currency');
  const [, rate] = rateForm.exec(exchange.rate) ?? [];
  if (rate === undefined || !/[1-9]/.test(rate)) throw new RowFault('exchange.rate', 'not a rate');
  return { SourceCurrency: exchange.sourceCurrency, ExchangeRate: rate };
}

/** Without zeros before it, as JSON writes a number. On either side of the point shorter than a card number. */
const rateForm = /^0*(\d{1,9}(?:\.\d{1,12})?)$/;
