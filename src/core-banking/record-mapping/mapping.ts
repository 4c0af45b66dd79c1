import { isCurrency } from '../../../packages/core-adapter/currencies.js';
import { type YamlNode, withAllFaults } from './yaml-node.js';
import type { Field, Fields, Value } from './field-kinds.js';

/** The fields of a record, each with its source; a group of fields has a mapping inside. */
export interface Mapping {
  readonly [field: string]: Source | Mapping;
}

/** The same value in every row, or a column. */
export type Source = Constant | Column;

interface Constant {
  readonly value: string;
}

export interface Column {
  readonly column: string;
  /** Where it stands in the file: `balances.columns.amount`. */
  readonly path: string;
  /** How money or a time is written. */
  readonly as?: As;
  /** The port's words by the codes of the column. */
  readonly codes?: Readonly<Record<string, string>>;
  readonly sign?: Sign;
  /** The currency of money; absent where it is the account's. */
  readonly currency?: Source;
}

/** The column that says whether an amount came in or went out, and its codes. */
export interface Sign {
  readonly column: string;
  readonly path: string;
  readonly credit: readonly string[];
  readonly debit: readonly string[];
}

const moneyForms = ['decimal', 'minor-units'] as const;
const dayForms = ['day', 'YYYYMMDD', 'DD/MM/YYYY'] as const;
/** `iso`: each value is an instant, a local time or a day, as its own form says. */
export const timeForms = ['iso', 'instant', 'local-time', ...dayForms] as const;
export type As = (typeof moneyForms | typeof timeForms)[number];

/** How a column of the field may be written; `undefined` for a field that is always written in one way. */
function formsOf(kind: Value['kind'], { times }: Pick<Around, 'times'>): readonly As[] | undefined {
  switch (kind) {
    case 'money':
    case 'magnitude':
      return moneyForms;
    case 'time':
      return times;
    case 'day':
      return times.filter((form) => dayForms.some((day) => day === form));
    default:
      return undefined;
  }
}

interface Around {
  /** The code tables of the file. */
  readonly codes: YamlNode | undefined;
  /** Members that are no fields of the record. */
  readonly others: readonly string[];
  /** The forms of times and days that the core can have. */
  readonly times: readonly As[];
  /** The names that a column may have. */
  readonly columnName: RegExp;
}

/** @throws FileFault */
export function readMapping(place: YamlNode, fields: Fields, around: Around): Mapping {
  const needed = Object.keys(fields).filter((name) => fields[name]?.optional === false);
  const optional = Object.keys(fields).filter((name) => !needed.includes(name));
  const mapping: Record<string, Source | Mapping> = {};
  withAllFaults([
    () => place.members([...around.others, ...needed], optional),
    ...Object.entries(fields).map(([name, field]) => () => {
      const given = place.optional(name);
      if (given !== undefined) mapping[name] = readField(given, field, around);
    }),
  ]);
  return mapping;
}

function readField(place: YamlNode, field: Field, around: Around): Source | Mapping {
  return field.kind === 'group'
    ? readMapping(place, field.fields, { ...around, others: [] })
    : readSource(place, field, around);
}

function readSource(place: YamlNode, field: Value, around: Around): Source {
  const forms = formsOf(field.kind, around);
  if (!place.isMap) {
    if (forms !== undefined) throw place.fault(`must say how it is written: { column: …, as: ${forms.join(' or ')} }`);
    return { column: place.text(around.columnName), path: place.path };
  }
  if (place.optional('value') !== undefined) return readConstant(place, field, around);
  const isMoney = field.kind === 'money' || field.kind === 'magnitude';
  const isCode = ['word', 'flag', 'currency', 'whole'].includes(field.kind);
  place.members(
    ['column', ...(forms === undefined ? [] : ['as'])],
    [...(isCode ? ['codes'] : []), ...(isMoney ? ['currency'] : []), ...(field.kind === 'money' ? ['sign'] : [])],
  );
  const [codes, currency, sign] = [place.optional('codes'), place.optional('currency'), place.optional('sign')];
  return {
    column: place.at('column').text(around.columnName),
    path: place.path,
    ...(forms !== undefined && { as: place.at('as').word(forms) }),
    ...(codes !== undefined && { codes: readCodes(codes, field, around) }),
    ...(currency !== undefined && { currency: readSource(currency, currencyField, around) }),
    ...(sign !== undefined && { sign: readSign(sign, around.columnName) }),
  };
}

const currencyField: Value = { kind: 'currency', optional: false };

function readConstant(place: YamlNode, field: Value, around: Around): Constant {
  place.members(['value']);
  const value = readMeaning(place.at('value'), field);
  if (formsOf(field.kind, around) !== undefined) throw place.fault('must be a column');
  return { value };
}

/** A value of the field, as the file of the bank writes it. */
function readMeaning(place: YamlNode, { kind, words }: Value): string {
  if (kind === 'flag') return place.word(['true', 'false']);
  if (words !== undefined) return place.word(words);
  if (kind === 'whole') return place.text(/^-?\d{1,3}$/);
  const value = place.text();
  if (kind === 'currency' && !isCurrency(value)) throw place.fault('must be an ISO 4217 currency');
  return value;
}

/** In place, or the name of a table of the file's `codes`. */
function readCodes(given: YamlNode, field: Value, { codes }: Around): Readonly<Record<string, string>> {
  const table = given.isMap ? given : codes?.optional(given.text());
  if (table === undefined) throw given.fault('is not a table of codes');
  return Object.fromEntries(table.names.map((code) => [code, readMeaning(table.at(code), field)]));
}

function readSign(place: YamlNode, columnName: RegExp): Sign {
  place.members(['column', 'credit', 'debit']);
  const codesOf = (side: 'credit' | 'debit'): string[] => place.at(side).texts();
  const [credit, debit] = [codesOf('credit'), codesOf('debit')];
  if (credit.some((code) => debit.includes(code))) throw place.fault('has a code that is both credit and debit');
  return { column: place.at('column').text(columnName), path: place.path, credit, debit };
}

/** Every column that the mapping reads. A field may read several. */
export function columnsOf(mapping: Mapping): Column[] {
  return Object.values(mapping).flatMap((source) => {
    if (!isSource(source)) return columnsOf(source);
    if (!('column' in source)) return [];
    return [source, ...(source.currency && 'column' in source.currency ? [source.currency] : [])];
  });
}

export function isSource(source: Source | Mapping): source is Source {
  const { value, column } = source as { readonly value?: unknown; readonly column?: unknown };
  return typeof value === 'string' || typeof column === 'string';
}
