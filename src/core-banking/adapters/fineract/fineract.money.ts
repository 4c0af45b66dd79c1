/** Digits of a decimal that is not an amount of money any more. */
const mostDigits = 30;

/** A decimal as JSON writes it, `1000.000000` or `1E+3`, without its exponent; `undefined` when it is no such decimal. */
export function plainDecimal(decimal: string): string | undefined {
  const [, sign = '', integer, fraction = '', exponent = '0'] =
    /^(-?)(\d{1,30})(?:\.(\d{1,30}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(decimal) ?? [];
  if (integer === undefined) return undefined;
  const point = integer.length + Number(exponent);
  const digits = (integer + fraction)
    .padEnd(point, '0')
    .padStart(integer.length + fraction.length + Math.max(0, 1 - point), '0');
  const split = Math.max(1, point);
  if (split > mostDigits) return undefined;
  return `${sign}${digits.slice(0, split)}${digits.length > split ? `.${digits.slice(split)}` : ''}`;
}
