import type { CoreMoney, CoreTime } from '../../packages/core-adapter/core.records.js';
import { minorUnitDigits } from '../../packages/core-adapter/currencies.js';
import { localDayOf } from '../../packages/core-adapter/local-times.js';
import { zoneOffsetMs } from '../../packages/core-adapter/zone-offsets.js';
import type { Column, Mapping, Source } from '../../src/core-banking/record-mapping/mapping.js';
import type { Field, Fields, Value } from '../../src/core-banking/record-mapping/record-fields.js';

/** The values of columns, as texts of SQL or of a file; null is NULL, or an empty cell. */
export type Cells = Record<string, string | null>;

type Member = Readonly<Record<string, unknown>>;

/** A record as the bank's columns hold it, and the part of the record that they can express. */
export interface Expressed {
  readonly cells: Cells;
  readonly record: Member;
}

export interface Zones {
  /** The zone in which a time becomes a day. */
  readonly days: string;
  /** The zone of the clocks by which the core writes local times. */
  readonly clocks: string;
}

/**
 * The inverse of the adapter's reader: written apart from it, from the table of the file's keys. A field without a column is
 * lost; a time of a column of days loses its hour; a word without a code becomes one that has a code. A text whose column has
 * a value already gets that value.
 *
 * @param given cells that are there already, such as that of the record's account
 */
export function express(fields: Fields, mapping: Mapping, record: Member, zones: Zones, given: Cells = {}): Expressed {
  const cells: Cells = { ...given };
  const kept: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const source = mapping[name];
    if (source === undefined) continue;
    const found = expressField(field, source, record[name], zones, cells);
    // Two fields of one column: only one of them is there, or both are the same text.
    for (const [column, cell] of Object.entries(found.cells)) cells[column] = cell ?? cells[column] ?? null;
    if (found.value !== undefined) kept[name] = found.value;
  }
  return { cells, record: kept };
}

interface ExpressedField {
  readonly cells: Cells;
  readonly value: unknown;
}

function expressField(
  field: Field,
  source: Source | Mapping,
  value: unknown,
  zones: Zones,
  before: Cells,
): ExpressedField {
  if (field.kind === 'group') {
    const { cells, record } = express(field.fields, source as Mapping, (value ?? {}) as Member, zones);
    if (value === undefined) return { cells, value };
    // The parts of a frequency depend on its kind.
    return { cells, value: field.build === undefined ? record : value };
  }
  const { value: constant, ...column } = source as Partial<Column> & { value?: string };
  if (constant !== undefined) return { cells: {}, value: field.kind === 'flag' ? constant === 'true' : constant };
  const there = before[column.column ?? ''];
  if (field.kind === 'text' && typeof there === 'string') return { cells: {}, value: there };
  return expressValue(field, column as Column, value, zones);
}

function expressValue(field: Value, source: Column, value: unknown, zones: Zones): ExpressedField {
  const one = (cell: string | null, kept: unknown = value): ExpressedField => ({
    cells: { [source.column]: cell },
    value: kept,
  });
  if (value === undefined) return { cells: { ...emptySign(source), ...one(null).cells }, value };
  switch (field.kind) {
    case 'word':
    case 'flag':
      return coded(field, source, value);
    case 'money':
    case 'magnitude':
      return { cells: moneyCells(value as CoreMoney, source), value };
    case 'time':
    case 'day': {
      const { cell, kept } = timeCell(value as CoreTime, source, zones);
      return one(cell, kept);
    }
    default:
      return one(`${value as string | number}`);
  }
}

function coded({ kind }: Value, { column, codes }: Column, value: unknown): ExpressedField {
  if (codes === undefined) return { cells: { [column]: String(value) }, value };
  const entries = Object.entries(codes);
  const [code, word] = entries.find(([, meaning]) => meaning === String(value)) ?? entries[0] ?? ['', ''];
  return { cells: { [column]: code }, value: kind === 'flag' ? word === 'true' : word };
}

function moneyCells({ minorUnits, currency }: CoreMoney, { column, as, sign, currency: own }: Column): Cells {
  const amount = sign === undefined ? minorUnits : abs(minorUnits);
  return {
    [column]: as === 'decimal' ? decimalOf(amount, currency) : String(amount),
    ...(sign !== undefined && { [sign.column]: (minorUnits < 0n ? sign.debit : sign.credit)[0] as string }),
    ...(own !== undefined && 'column' in own && { [own.column]: currency }),
  };
}

function emptySign({ sign }: Column): Cells {
  return sign === undefined ? {} : { [sign.column]: null };
}

/** The text that a person would write: with a point before the minor units. */
export function decimalOf(minorUnits: bigint, currency: string): string {
  const places = minorUnitDigits(currency) ?? 0;
  const digits = String(abs(minorUnits)).padStart(places + 1, '0');
  const decimal = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return minorUnits < 0n ? `-${decimal}` : decimal;
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);

function timeCell(value: CoreTime, { as }: Column, { days, clocks }: Zones): { cell: string; kept: CoreTime } {
  if (as === 'iso') return { cell: value instanceof Date ? value.toISOString() : value.date, kept: value };
  if (as === 'day' || as === 'YYYYMMDD' || as === 'DD/MM/YYYY') {
    const date = value instanceof Date ? localDayOf(value, days) : value.date;
    const [year, month, day] = date.split('-');
    const cells = { day: date, YYYYMMDD: `${year}${month}${day}`, 'DD/MM/YYYY': `${day}/${month}/${year}` };
    return { cell: cells[as], kept: { date } };
  }
  const at = value instanceof Date ? value : new Date(`${value.date}T12:00:00Z`);
  const shown = as === 'instant' ? at : new Date(at.getTime() + zoneOffsetMs(at.getTime(), clocks));
  const text = shown.toISOString();
  return { cell: as === 'instant' ? text : text.slice(0, -1), kept: at };
}

/** A change of the cells after which the adapter cannot read the row; `undefined` where the types allow none. */
export function spoiltCells(fields: Fields, mapping: Mapping): Cells | undefined {
  for (const [name, field] of Object.entries(fields)) {
    const source = mapping[name] as Column | undefined;
    if (source?.column === undefined) continue;
    if (field.kind === 'word' || field.kind === 'flag') return { [source.column]: unknownCode(source.codes) };
    if (field.kind === 'magnitude') return { [source.column]: '-1' };
  }
  return undefined;
}

/** As long as the known ones, and a number where they are. */
function unknownCode(codes: Readonly<Record<string, string>> = {}): string {
  const [first = '?'] = Object.keys(codes);
  if (!/^\d+$/.test(first)) return '?'.repeat(first.length);
  return String(Array.from({ length: 99 }, (_, code) => code).find((code) => !Object.hasOwn(codes, String(code))));
}

/** A value of the column's type that is no time. */
export function undatedCells({ column, as }: Column): Cells {
  return { [column]: as === 'YYYYMMDD' ? '0' : 'infinity' };
}
