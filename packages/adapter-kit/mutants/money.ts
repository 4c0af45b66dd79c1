import type { CoreMoney } from '../../core-adapter/core.records.js';
import { type Mutant, mistakeInRecords } from './mutant.js';

const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** The value with every amount in it changed. */
function withMoney(value: unknown, change: (money: CoreMoney) => CoreMoney): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if ('minorUnits' in value) return change(value as CoreMoney);
  if (Array.isArray(value)) return value.map((one: unknown) => withMoney(one, change));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withMoney(one, change)]));
}

/** Takes every currency for one with two decimals. */
function asHundredths({ minorUnits, currency }: CoreMoney): CoreMoney {
  const decimals = decimalsOf(currency);
  return { currency, minorUnits: decimals === 3 ? minorUnits / 10n : decimals === 0 ? minorUnits * 100n : minorUnits };
}

export const mutantsOfMoney: readonly Mutant[] = [
  {
    does: 'keeps amounts in 32-bit floats',
    clauses: ['CORE-21'],
    make: mistakeInRecords(
      'all',
      (record) =>
        withMoney(record, ({ minorUnits, currency }) => ({
          currency,
          minorUnits: BigInt(Math.round(Math.fround(Number(minorUnits)))),
        })) as object,
    ),
  },
  ...(['scheduledPayments', 'standingOrders'] as const).map((read): Mutant => ({
    does: `takes yen and dinars for currencies with two decimals in ${read}`,
    clauses: ['CORE-57'],
    make: mistakeInRecords(read, (record) => withMoney(record, asHundredths) as object),
  })),
];
