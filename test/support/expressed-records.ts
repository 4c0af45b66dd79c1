import type { CoreMoney, CoreTime } from '../../packages/core-adapter/core.records.js';
import { minorUnitDigits } from '../../packages/core-adapter/currencies.js';
import { localDayOf } from '../../packages/core-adapter/local-times.js';
import { zoneOffsetMs } from '../../packages/core-adapter/zone-offsets.js';
import type { Column, Mapping, Source } from '../../src/core-banking/record-mapping/mapping.js';
import type { Field, Fields, Group, Value } from '../../src/core-banking/record-mapping/field-kinds.js';

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
  return expressed(fields, mapping, record, zones, given, chosenCodes(codedFields(fields, mapping, record)));
}

function expressed(
  fields: Fields,
  mapping: Mapping,
  record: Member,
  zones: Zones,
  given: Cells,
  codes: ReadonlyMap<string, string>,
): Expressed {
  const cells: Cells = { ...given };
  const kept: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const source = mapping[name];
    if (source === undefined) continue;
    const found = expressField(field, source, record[name], zones, cells, codes);
    // Two fields of one column: only one of them is there, or both are the same text.
    for (const [column, cell] of Object.entries(found.cells)) cells[column] = cell ?? cells[column] ?? null;
    if (found.value !== undefined) kept[name] = found.value;
  }
  return { cells, record: kept };
}

interface CodedField {
  readonly column: string;
  readonly codes: Readonly<Record<string, string>>;
  readonly value: string;
}

/** The fields of the record that are written as codes, those of its groups too. */
function codedFields(fields: Fields, mapping: Mapping, record: Member): CodedField[] {
  return Object.entries(fields).flatMap(([name, field]): CodedField[] => {
    const [source, value] = [mapping[name], record[name]];
    if (source === undefined) return [];
    if (field.kind === 'group') return codedFields(field.fields, source as Mapping, (value ?? {}) as Member);
    const { column, codes } = source as Column;
    return codes === undefined || value === undefined
      ? []
      : [{ column, codes, value: `${value as string | number | boolean}` }];
  });
}

/** By column: the code that means the value of each field of the column, or of as many as one code can, the first ones first. */
function chosenCodes(coded: readonly CodedField[]): ReadonlyMap<string, string> {
  const chosen = new Map<string, string>();
  for (const { column, codes } of coded) {
    if (chosen.has(column)) continue;
    const fields = coded.filter((one) => one.column === column);
    const hits = (code: string): number =>
      fields.reduce((sum, one, index) => sum + (one.codes[code] === one.value ? 1 + 2 ** -index : 0), 0);
    const [best = ''] = Object.keys(codes).toSorted((a, b) => hits(b) - hits(a));
    chosen.set(column, best);
  }
  return chosen;
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
  codes: ReadonlyMap<string, string>,
): ExpressedField {
  if (field.kind === 'group') {
    const { cells, record } = expressed(field.fields, source as Mapping, (value ?? {}) as Member, zones, {}, codes);
    if (value === undefined) return { cells, value };
    return { cells, value: field.build === undefined ? record : built(field.build, record, value) };
  }
  const { value: constant, ...column } = source as Partial<Column> & { value?: string };
  if (constant !== undefined) return { cells: {}, value: field.kind === 'flag' ? constant === 'true' : constant };
  const there = before[column.column ?? ''];
  if (field.kind === 'text' && typeof there === 'string') return { cells: {}, value: there };
  return expressValue(field, column as Column, value, zones, codes);
}

function expressValue(
  field: Value,
  source: Column,
  value: unknown,
  zones: Zones,
  codes: ReadonlyMap<string, string>,
): ExpressedField {
  const one = (cell: string | null, kept: unknown = value): ExpressedField => ({
    cells: { [source.column]: cell },
    value: kept,
  });
  if (value === undefined) return { cells: { ...emptySign(source), ...one(null).cells }, value };
  const code = source.codes === undefined ? undefined : codes.get(source.column);
  if (code !== undefined) return one(code, meaningOf(field, source.codes?.[code] ?? ''));
  switch (field.kind) {
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

/** The group as the columns have it, or where they lack a part as it was. */
function built(build: NonNullable<Group['build']>, record: Member, value: unknown): unknown {
  try {
    return build(record, '');
  } catch {
    return value;
  }
}

function meaningOf({ kind }: Value, word: string): unknown {
  if (kind === 'flag') return word === 'true';
  return kind === 'integer' ? Number(word) : word;
}

function moneyCells({ minorUnits, currency }: CoreMoney, { column, as, sign, currency: own }: Column): Cells {
  const amount = sign === undefined ? minorUnits : abs(minorUnits);
  return {
    [column]: as === 'decimal' ? decimalOf(amount, currency) : String(amount),
    ...(sign !== undefined && { [sign.column]: (minorUnits < 0n ? sign.debit : sign.credit)[0] as string }),
    ...(own !== undefined && 'column' in own && { [own.column]: codeOf(own, currency) }),
  };
}

function codeOf({ codes }: Column, meaning: string): string {
  return Object.entries(codes ?? {}).find(([, word]) => word === meaning)?.[0] ?? meaning;
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

/**
 * A change of the cells after which the adapter cannot read the row; `undefined` where the types allow none.
 * @param except fields whose column is in no table
 */
export function spoiltCells(fields: Fields, mapping: Mapping, except: readonly string[] = []): Cells | undefined {
  const spoilt = Object.entries(fields).flatMap(([name, field]): { rank: number; cells: Cells }[] => {
    if (field.kind === 'group') return [];
    const { kind, optional } = field;
    const { column, as, codes, sign } = (mapping[name] ?? {}) as Partial<Column>;
    // An optional field may be absent in some rows.
    const last = optional ? 10 : 0;
    if (column === undefined || except.includes(name)) return [];
    if (kind === 'word' || kind === 'flag') return [{ rank: last, cells: { [column]: unknownCode(codes) } }];
    if (kind === 'magnitude') return [{ rank: last + 1, cells: { [column]: '-1' } }];
    if (sign !== undefined) {
      const known = Object.fromEntries([...sign.credit, ...sign.debit].map((code) => [code, code]));
      return [{ rank: last + 2, cells: { [sign.column]: unknownCode(known) } }];
    }
    // Finer than the minor unit of any currency.
    if (kind === 'money' && as === 'decimal') return [{ rank: last + 3, cells: { [column]: '0.0001' } }];
    if (kind === 'currency')
      return [{ rank: last + 4, cells: { [column]: codes === undefined ? 'XXX' : unknownCode(codes) } }];
    return [];
  });
  return spoilt.toSorted((a, b) => a.rank - b.rank)[0]?.cells;
}

/** As long as the known ones, and a number where they are. */
function unknownCode(codes: Readonly<Record<string, string>> = {}): string {
  const [first = '?'] = Object.keys(codes);
  if (!/^\d+$/.test(first)) return '?'.repeat(first.length);
  return String(Array.from({ length: 99 }, (_, code) => code).find((code) => !Object.hasOwn(codes, String(code))));
}

/** A value of the column's type that is not a time. */
export function undatedCells({ column, as }: Column): Cells {
  return { [column]: as === 'YYYYMMDD' ? '0' : 'infinity' };
}
