/**
 * ISO 4217: codes with a minor unit, by the number of its digits. A constant and not `Intl.supportedValuesOf`, whose
 * list changes with the runtime and lacks some codes (VED, XAD, UYW, the fund codes). Codes without a minor unit in ISO
 * 4217 (metals, XDR, XTS, XXX and the like) are absent: an amount in minor units has no meaning in them.
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

const digitsByCurrency: ReadonlyMap<string, number> = new Map(
  Object.entries(currenciesByDigits).flatMap(([digits, codes]) =>
    codes.split(' ').map((code): [string, number] => [code, Number(digits)]),
  ),
);

/** Whether `code` is an ISO 4217 currency, current or lately withdrawn, that has a minor unit. */
export function isCurrency(code: unknown): code is string {
  return typeof code === 'string' && digitsByCurrency.has(code);
}

/** How many digits the currency's minor unit has: 2 for `GBP`. `undefined` where {@link isCurrency} is false. */
export function minorUnitDigits(currency: string): number | undefined {
  return digitsByCurrency.get(currency);
}
