import type { CoreBalance, CoreMoney } from '../../../packages/core-adapter/core.records.js';
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

/** Reads every currency with two decimals. */
function asHundredths({ minorUnits, currency }: CoreMoney): CoreMoney {
  const decimals = decimalsOf(currency);
  return { currency, minorUnits: decimals === 3 ? minorUnits / 10n : decimals === 0 ? minorUnits * 100n : minorUnits };
}

function unsigned({ minorUnits, currency }: CoreMoney): CoreMoney {
  return { currency, minorUnits: minorUnits < 0n ? -minorUnits : minorUnits };
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
  ...(
    [
      ['balances', 'creditLimit'],
      ['offers', 'minFeeAmount'],
      ['statements', 'closingBalance'],
    ] as const
  ).map(([read, member]): Mutant => ({
    does: `takes yen and dinars for currencies with two decimals in ${member} of ${read}`,
    clauses: ['CORE-68'],
    make: mistakeInRecords(read, (record) => {
      const value = (record as Record<string, unknown>)[member];
      return value === undefined ? record : { ...record, [member]: withMoney(value, asHundredths) };
    }),
  })),
  ...(
    [
      ['balances', 'amount', 'the booked balance', 'booked'],
      ['balances', 'amount', 'the available balance', 'available'],
      ['transactions', 'runningBalance', 'running balances', undefined],
      ['statements', 'closingBalance', 'statements', undefined],
    ] as const
  ).map(([read, member, what, kind]): Mutant => ({
    does: `gives ${what} without the sign`,
    clauses: ['CORE-79'],
    make: mistakeInRecords(read, (record) => {
      const value = (record as Record<string, unknown>)[member];
      const isMistaken = value !== undefined && (kind === undefined || (record as CoreBalance).kind === kind);
      return isMistaken ? { ...record, [member]: withMoney(value, unsigned) } : record;
    }),
  })),
  {
    does: 'leaves out a credit limit of zero',
    clauses: ['CORE-80'],
    make: mistakeInRecords('balances', (record) =>
      (record as CoreBalance).creditLimit?.minorUnits === 0n ? { ...record, creditLimit: undefined } : record,
    ),
  },
];
