import { optionalCode, optionalField, RowFault } from '../../../packages/core-adapter/core-rows.js';
import type { CoreMoney, CoreTime, CoreTransaction } from '../../../packages/core-adapter/core.records.js';
import type {
  CoreAccountIdentification,
  CoreAgent,
  CoreUltimateParty,
} from '../../../packages/core-adapter/core.parties.js';
import { isCurrency } from '../../../packages/core-adapter/currencies.js';
import { isoCode, lei } from '../../../packages/core-adapter/identifiers.js';
import { calendarDay, formatDateTime } from '../../open-banking/date-times.js';
import { optionalText, transactionInformation } from '../../open-banking/free-text.js';
import { amount, creditDebit, signedAmount, type Amount, type CreditDebitIndicator } from '../../open-banking/money.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { agent, partyAccount, partyName, type PartyAccount } from '../payment-parties.js';

export type TransactionView = Pick<IdentifiedView, 'accountId' | 'detail' | 'publicId'> & {
  readonly settings: Pick<IdentifiedView['settings'], 'amounts' | 'pendingFields' | 'bankTimeZone'>;
};

/** Only with Detail. */
interface TransactionParties {
  readonly creditor?: PartyAccount;
  readonly creditorAgent?: CoreAgent;
  readonly ultimateCreditor?: CoreUltimateParty;
  readonly debtor?: PartyAccount;
  readonly debtorAgent?: CoreAgent;
  readonly ultimateDebtor?: CoreUltimateParty;
}

export interface TransactionFields extends TransactionParties {
  readonly accountId: string;
  readonly transactionId: string;
  readonly creditDebit: CreditDebitIndicator;
  readonly status: CoreTransaction['status'];
  /** Empty where it is not known. */
  readonly bookedAt: string;
  readonly valueAt: string | undefined;
  readonly amount: Amount;
  /** Only with Detail. */
  readonly information: string | undefined;
  /** The booked balance after it; only with Detail. */
  readonly balance: { readonly creditDebit: CreditDebitIndicator; readonly amount: Amount } | undefined;
  /** Both members are empty for a pending transaction. */
  readonly exchange: { readonly sourceCurrency: string; readonly rate: string } | undefined;
  readonly isoCode: CoreTransaction['isoTransactionCode'];
  readonly bankCode: CoreTransaction['bankTransactionCode'];
  readonly categoryPurpose: string | undefined;
  readonly paymentPurpose: string | undefined;
}

export function transactionFields(transaction: CoreTransaction, view: TransactionView): TransactionFields {
  const { minorUnits, currency } = transaction.amount;
  const { valueAt, runningBalance, exchange, isoTransactionCode: iso, bankTransactionCode: own } = transaction;
  const shown = view.detail ? transaction : withoutParties;
  return {
    accountId: view.accountId,
    transactionId: view.publicId(transaction.id),
    creditDebit: creditDebit(minorUnits),
    status: transaction.status,
    bookedAt: bookingDateTime(transaction, view),
    valueAt: valueAt && optionalTime('valueAt', valueAt),
    amount: amount(minorUnits, currency),
    information: view.detail ? information(transaction, view.settings.bankTimeZone) : undefined,
    balance: view.detail && runningBalance ? balance(runningBalance, view.settings.amounts === 'signed') : undefined,
    exchange: exchange && currencyExchange(exchange, transaction.status, view),
    isoCode: iso && isoTransactionCode(iso),
    bankCode: own && bankTransactionCode(own),
    categoryPurpose:
      transaction.categoryPurpose && optionalCode('categoryPurpose', transaction.categoryPurpose, isoCode),
    paymentPurpose: transaction.paymentPurpose && optionalCode('paymentPurpose', transaction.paymentPurpose, isoCode),
    creditor: shown.creditor && party(shown.creditor, 'creditor'),
    creditorAgent: shown.creditorAgent && agent(shown.creditorAgent, 'creditorAgent'),
    ultimateCreditor: shown.ultimateCreditor && ultimateParty(shown.ultimateCreditor, 'ultimateCreditor'),
    debtor: shown.debtor && party(shown.debtor, 'debtor'),
    debtorAgent: shown.debtorAgent && agent(shown.debtorAgent, 'debtorAgent'),
    ultimateDebtor: shown.ultimateDebtor && ultimateParty(shown.ultimateDebtor, 'ultimateDebtor'),
  };
}

function optionalTime(field: string, time: CoreTime): string | undefined {
  return optionalField(field, () => formatDateTime(time));
}

function isoTransactionCode(code: NonNullable<CoreTransaction['isoTransactionCode']>): TransactionFields['isoCode'] {
  return optionalField('isoTransactionCode', () => {
    const [family, subFamily] = [isoCode(code.family), isoCode(code.subFamily)];
    if (family === undefined || subFamily === undefined) throw new RowFault('isoTransactionCode', 'not of its form');
    return { family, subFamily };
  });
}

/** A part of a code would be another code. */
function bankTransactionCode(own: NonNullable<CoreTransaction['bankTransactionCode']>): TransactionFields['bankCode'] {
  return optionalField('bankTransactionCode', () => {
    const code = own.code.length > 35 ? undefined : optionalText(own.code, 35);
    if (code === undefined) throw new RowFault('bankTransactionCode.code', 'not 1 to 35 characters');
    return { code, issuer: optionalText(own.issuer, 35) };
  });
}

const withoutParties: Partial<CoreTransaction> = {};

function party(account: CoreAccountIdentification, as: 'creditor' | 'debtor'): PartyAccount | undefined {
  return optionalField(as, () => partyAccount(account, as));
}

function ultimateParty(party: CoreUltimateParty, field: string): CoreUltimateParty | undefined {
  return optionalField(field, () => ({
    name: partyName(party.name, 'name'),
    lei: optionalCode(`${field}.lei`, party.lei, lei),
  }));
}

/**
 * A rejected transaction has the time of the rejection, because the standard demands a time. For a pending transaction empty, or the time at which the core expects to book it. The time of purchase is never shown
 * here.
 */
function bookingDateTime(transaction: CoreTransaction, view: TransactionView): string {
  if (transaction.status !== 'pending') return formatDateTime(transaction.at);
  const { expectedBookingAt } = transaction;
  if (view.settings.pendingFields === 'empty' || expectedBookingAt === undefined) return '';
  return optionalTime('expectedBookingAt', expectedBookingAt) ?? '';
}

/** For a posted transaction the text includes its date, by the bank's calendar. */
function information(transaction: CoreTransaction, bankTimeZone: string): string | undefined {
  const { status, at, madeAt, description } = transaction;
  if (status === 'pending') return transactionInformation(description, undefined);
  return transactionInformation(
    description,
    (madeAt && dayMade(madeAt, bankTimeZone)) ?? calendarDay(at, bankTimeZone),
  );
}

function dayMade(madeAt: CoreTime, bankTimeZone: string): string | undefined {
  return optionalField('madeAt', () => calendarDay(madeAt, bankTimeZone));
}

function balance({ minorUnits, currency }: CoreMoney, signed: boolean): TransactionFields['balance'] {
  return optionalField('runningBalance', () => ({
    creditDebit: creditDebit(minorUnits),
    amount: signed ? signedAmount(minorUnits, currency) : amount(minorUnits, currency),
  }));
}

function currencyExchange(
  { sourceCurrency, rate: written }: NonNullable<CoreTransaction['exchange']>,
  status: CoreTransaction['status'],
  view: TransactionView,
): TransactionFields['exchange'] {
  if (status === 'pending')
    return view.settings.pendingFields === 'empty' ? { sourceCurrency: '', rate: '' } : undefined;
  // The standard makes both members mandatory: half of the object is useless, and the object may be absent.
  if (written === undefined) return undefined;
  return optionalField('exchange', () => {
    if (!isCurrency(sourceCurrency)) throw new RowFault('exchange.sourceCurrency', 'not a currency');
    const [, rate] = rateForm.exec(written) ?? [];
    if (rate === undefined || !/[1-9]/.test(rate)) throw new RowFault('exchange.rate', 'not a rate');
    return { sourceCurrency, rate };
  });
}

/** Without zeros before it, as JSON writes a number. On either side of the point shorter than a card number. */
const rateForm = /^0*(\d{1,9}(?:\.\d{1,12})?)$/;
