import { minorUnitDigits } from '../../packages/core-adapter/currencies.js';

export interface Amount {
  Amount: string;
  Currency: string;
}

export type CreditDebitIndicator = 'Credit' | 'Debit';

/** Thirteen digits before the point and two after it. A number is exact in this range. */
const largestPlain = 999_999_999_999_999;
const twoDigits: readonly string[] = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

/**
 * The magnitude of `minorUnits` as a decimal: the digits of the currency's minor unit, but at least two (BHD 1234n `1.234`,
 * JPY 1234n `1234.00`).
 * @throws RangeError when they are not whole minor units of a currency, or when the amount has more than the thirteen
 * digits before the point that the standard's amount type allows. Neither value is in the message.
 */
export function formatAmount(minorUnits: bigint, currency: string): string {
  const digits = minorUnitDigits(currency);
  if (digits === undefined || typeof minorUnits !== 'bigint') {
    throw new RangeError('An amount is not a whole number of minor units of an ISO 4217 currency that has them.');
  }
  const asNumber = Math.abs(Number(minorUnits));
  // Almost every amount has two digits, and a thousand rows show two amounts each. This branch saves the padding and
  // slicing.
  if (digits === 2 && asNumber <= largestPlain) {
    const units = Math.floor(asNumber / 100);
    return `${units}.${twoDigits[asNumber - units * 100]}`;
  }
  const magnitude = minorUnits < 0n ? -minorUnits : minorUnits;
  const text = String(magnitude).padStart(digits + 1, '0');
  if (text.length - digits > 13) {
    throw new RangeError('An amount has more than the 13 digits before the decimal point that the standard allows.');
  }
  if (digits === 0) {
    return `${text}.00`;
  }
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** The amount object of the magnitude; its sign belongs into {@link creditDebit}. Throws as {@link formatAmount}. */
export function amount(minorUnits: bigint, currency: string): Amount {
  return { Amount: formatAmount(minorUnits, currency), Currency: currency };
}

/** The amount object with a minus sign where the amount is negative. Throws as {@link formatAmount}. */
export function signedAmount(minorUnits: bigint, currency: string): Amount {
  const magnitude = formatAmount(minorUnits, currency);
  return { Amount: minorUnits < 0n ? `-${magnitude}` : magnitude, Currency: currency };
}

/** Zero is `Credit` (the standard's rule for a zero balance). */
export function creditDebit(minorUnits: bigint): CreditDebitIndicator {
  return minorUnits < 0n ? 'Debit' : 'Credit';
}
