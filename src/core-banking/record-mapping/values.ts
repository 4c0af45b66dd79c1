import { type Row, RowFault } from '../../../packages/core-adapter/core-rows.js';
import type { CoreMoney } from '../../../packages/core-adapter/core.records.js';
import { minorUnitsOf, moneyOf } from '../../../packages/core-adapter/minor-units.js';
import {
  currencyOf,
  notNegative,
  optionalMatchOf,
  optionalTextOf,
  optionalIntegerOf,
  wordOf,
} from '../../../packages/core-adapter/row-fields.js';
import type { Column, Sign, Source } from './mapping.js';
import type { Value } from './field-kinds.js';
import { timeOf } from './times.js';

/** A value may depend on these besides its own column. */
export interface Surroundings {
  /** The zone of local times. */
  readonly timeZone?: string;
}

/** Reads one field of a row; `currency` is the account's. `undefined` where the field is absent. */
export type ValueReader = (row: Row, currency: string) => unknown;

/** The reader of a field; it throws RowFault for a value that it cannot read. */
export function valueReader(field: Value, source: Source, { timeZone }: Surroundings): ValueReader {
  if (!('column' in source)) return constantly(field, source.value);
  const { column } = source;
  const read = columnReader(field, source, timeZone);
  return (row, currency) => {
    if (optionalTextOf(row, column) !== undefined) return read(row, currency);
    if (field.optional) return undefined;
    throw new RowFault(column, 'missing');
  };
}

function constantly({ kind }: Value, value: string): ValueReader {
  const meaning = kind === 'flag' ? value === 'true' : kind === 'integer' ? Number(value) : value;
  return () => meaning;
}

function columnReader(field: Value, source: Column, timeZone: string | undefined): ValueReader {
  const { column } = source;
  switch (field.kind) {
    case 'text':
      return (row) => optionalTextOf(row, column);
    case 'form':
      return (row) => optionalMatchOf(row, column, field.form as RegExp);
    case 'word':
    case 'flag':
      return codeReader(field, source);
    case 'currency':
      return currencyReader(source);
    case 'decimal':
      return (row) => decimal(row, column);
    case 'integer':
      return source.codes === undefined ? (row) => small(row, column) : smallByCode(source);
    case 'money':
      return moneyReader(source);
    case 'magnitude': {
      const read = moneyReader(source);
      return (row, currency) => {
        const money = read(row, currency);
        notNegative(money.minorUnits, column);
        return money;
      };
    }
    case 'time':
    case 'day':
      return (row) => timeOf(row[column], source.as, timeZone, column);
  }
}

/** Without a table of codes the column has the port's own words, or any where the port has none, as for products. */
function codeReader({ kind, words }: Value, { column, codes }: Column): ValueReader {
  if (kind === 'word' && words === undefined && codes === undefined) return (row) => optionalTextOf(row, column);
  const table = codes ?? Object.fromEntries((words ?? ['true', 'false']).map((word) => [word, word]));
  const meanings = Object.fromEntries(
    Object.entries(table).map(([code, word]) => [code, kind === 'flag' ? word === 'true' : word]),
  );
  // The port's reader does not trim, and a CHAR column pads.
  return (row) => wordOf({ [column]: optionalTextOf(row, column) }, column, meanings);
}

function currencyReader({ column, codes }: Column): (row: Row) => string {
  if (codes === undefined) return (row) => currencyOf(row, column);
  return (row) => wordOf({ [column]: optionalTextOf(row, column) }, column, codes);
}

function smallByCode({ column, codes = {} }: Column): (row: Row) => number {
  return (row) => Number(wordOf({ [column]: optionalTextOf(row, column) }, column, codes));
}

function ownCurrencyReader(own: Source | undefined): (row: Row, accountCurrency: string) => string {
  if (own === undefined) return (_, accountCurrency) => accountCurrency;
  return 'column' in own ? currencyReader(own) : () => own.value;
}

function moneyReader({ column, as, sign, currency: own }: Column): (row: Row, currency: string) => CoreMoney {
  const currencyOfRow = ownCurrencyReader(own);
  const read = (row: Row, accountCurrency: string): CoreMoney => {
    const currency = currencyOfRow(row, accountCurrency);
    if (as === 'decimal') return moneyOf(optionalTextOf(row, column), currency, column);
    // Checks the currency too.
    minorUnitsOf('0', currency, column);
    return { minorUnits: optionalIntegerOf(row, column) as bigint, currency };
  };
  if (sign === undefined) return read;
  const factors = factorsOf(sign);
  return (row, accountCurrency) => {
    const { minorUnits, currency } = read(row, accountCurrency);
    const factor = wordOf({ [sign.column]: optionalTextOf(row, sign.column) }, sign.column, factors);
    // A negative debit may be a correction or a mistake: only the bank knows.
    return { minorUnits: factor * notNegative(minorUnits, column), currency };
  };
}

function factorsOf({ credit, debit }: Sign): Readonly<Record<string, bigint>> {
  return Object.fromEntries([...credit.map((code) => [code, 1n]), ...debit.map((code) => [code, -1n])]) as Record<
    string,
    bigint
  >;
}

function decimal(row: Row, column: string): string {
  const text = optionalTextOf(row, column) ?? '';
  if (!/^-?\d{1,20}(\.\d{1,20})?$/.test(text)) throw new RowFault(column, 'not a decimal');
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function small(row: Row, column: string): number {
  const number = Number(optionalIntegerOf(row, column));
  if (Math.abs(number) > 999) throw new RowFault(column, 'not a small whole number');
  return number;
}
