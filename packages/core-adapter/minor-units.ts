import { RowFault } from './core-rows.js';
import type { CoreMoney } from './core.records.js';
import { minorUnitDigits } from './currencies.js';

/** Longer than any amount of a core: a column of money has at most 38 digits. */
const plainDecimal = /^(-?)(\d{1,38})(?:\.(\d{1,38}))?$/;

/**
 * An amount that a core writes as decimal text, such as `-12.34`, in the currency. It is exact: `12.3400` of `GBP` is
 * 12.34, and `12.3456` is a bad record, because an amount is never rounded.
 *
 * @param decimal digits, with a `-` before them where it is negative; a number is refused, because it may have lost digits
 * @throws RowFault if it is anything else, if the currency is unknown, or if it has more digits than the currency
 */
export function moneyOf(decimal: unknown, currency: string, field: string): CoreMoney {
  return { minorUnits: minorUnitsOf(decimal, currency, field), currency };
}

/** The minor units of {@link moneyOf} alone. */
export function minorUnitsOf(decimal: unknown, currency: string, field: string): bigint {
  const digits = minorUnitDigits(currency);
  if (digits === undefined) throw new RowFault(field, 'not in a currency with a minor unit');
  const [, sign, integer, fraction = ''] = (typeof decimal === 'string' && plainDecimal.exec(decimal)) || [];
  if (integer === undefined) throw new RowFault(field, 'not a decimal');
  if (/[1-9]/.test(fraction.slice(digits))) throw new RowFault(field, 'finer than the minor unit of its currency');
  const minorUnits = BigInt(integer + fraction.slice(0, digits).padEnd(digits, '0'));
  return sign === '-' ? -minorUnits : minorUnits;
}
