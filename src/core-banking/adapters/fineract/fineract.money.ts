/**
 * ISO 4217: the currencies whose minor unit has not two digits. Fineract's own `decimalPlaces` is a setting of the
 * product (a bank may keep yen with two), so it does not tell the minor unit.
 */
const digitsOf: ReadonlyMap<string, number> = new Map(
  (
    [
      [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
      [3, 'BHD IQD JOD KWD LYD OMR TND'],
      [4, 'CLF UYW'],
    ] as const
  ).flatMap(([digits, codes]) => codes.split(' ').map((code): [string, number] => [code, digits])),
);

export function minorUnitDigits(currency: string): number {
  return digitsOf.get(currency) ?? 2;
}

/**
 * Whole minor units of a decimal as JSON writes it, `1000.000000` or `1E+3`; `undefined` when it is no such decimal or
 * finer than the minor unit: an amount is never rounded here.
 */
export function toMinorUnits(decimal: string, currency: string): bigint | undefined {
  const [, sign, whole, fraction = '', exponent = '0'] =
    /^(-?)(\d{1,30})(?:\.(\d{1,30}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(decimal) ?? [];
  if (sign === undefined || whole === undefined) return undefined;
  const shift = Number(exponent) + minorUnitDigits(currency) - fraction.length;
  let minorUnits = BigInt(whole + fraction);
  if (shift >= 0) minorUnits *= 10n ** BigInt(shift);
  else {
    const divisor = 10n ** BigInt(-shift);
    if (minorUnits % divisor !== 0n) return undefined;
    minorUnits /= divisor;
  }
  return sign === '-' ? -minorUnits : minorUnits;
}
