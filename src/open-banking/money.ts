export interface Amount {
  Amount: string;
  Currency: string;
}

export type CreditDebitIndicator = 'Credit' | 'Debit';

/**
 * ISO 4217: codes with a minor unit, by the number of its digits. A constant and not `Intl.supportedValuesOf`, whose list
 * changes with the runtime and lacks some codes (VED, XAD, UYW, the fund codes). Codes without a minor unit in ISO 4217
 * (metals, XDR, XTS, XXX and the like) are absent: an amount in minor units has no meaning in them.
 */
const currenciesByDigits: Readonly<Record<0 | 2 | 3 | 4, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY ' +
    'COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS ' +
    'INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR ' +
    'MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP ' +
    'STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG ' +
    // Withdrawn in the last ten years: the standard's type is "active or historic", and old card payments carry them.
    'ANG BGN CUC HRK MRO SLL STD VEF ZWL',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const minorUnitDigits: ReadonlyMap<string, number> = new Map(
  Object.entries(currenciesByDigits).flatMap(([digits, codes]) =>
    codes.split(' ').map((code): [string, number] => [code, Number(digits)]),
  ),
);

/** Whether `code` is an ISO 4217 currency, current or lately withdrawn, that has a minor unit. */
export function isCurrency(code: unknown): code is string {
  return typeof code === 'string' && minorUnitDigits.has(code);
}

/** Thirteen digits before the point and two after it. A number is exact in this range. */
const largestPlain = 999_999_999_999_999;
const twoDigits: readonly string[] = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

/**
 * The magnitude of `minorUnits` as a decimal: the digits of the currency's minor unit, but at least two (BHD 1234n `1.234`,
 * JPY 1234n `1234.00`).
 * @throws RangeError when the code is not a currency (see {@link isCurrency}), or when the amount has more than the
 * thirteen digits before the point that the standard's amount type allows. Neither value is in the message.
 */
export function formatAmount(minorUnits: bigint, currency: string): string {
  const digits = minorUnitDigits.get(currency);
  if (digits === undefined) {
    throw new RangeError('The currency of an amount is not an ISO 4217 code with a minor unit.');
  }
  const asNumber = Math.abs(Number(minorUnits));
  // Almost every amount has two digits, and a thousand rows show two amounts each. This branch saves the padding and
  // slicing.
  if (digits === 2 && asNumber <= largestPlain) {
    const whole = Math.floor(asNumber / 100);
    return `${whole}.${twoDigits[asNumber - whole * 100]}`;
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
