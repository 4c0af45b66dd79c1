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
  /** Members that are not fields of the record. */
  readonly others: readonly string[];
  /** The forms of times and days that the core can have. */
  readonly times: readonly As[];
  /** The names that a column may have. */
  readonly columnName: RegExp;
}

/** @throws FileFault */
export function readMapping(node: YamlNode, fields: Fields, around: Around): Mapping {
  const needed = Object.keys(fields).filter((name) => fields[name]?.optional === false);
  const optional = Object.keys(fields).filter((name) => !needed.includes(name));
  const mapping: Record<string, Source | Mapping> = {};
  withAllFaults([
    () => node.members([...around.others, ...needed], optional),
    ...Object.entries(fields).map(([name, field]) => () => {
      const given = node.optional(name);
      if (given !== undefined) mapping[name] = readField(given, field, around);
    }),
  ]);
  return mapping;
}

function readField(node: YamlNode, field: Field, around: Around): Source | Mapping {
  return field.kind === 'group'
    ? readMapping(node, field.fields, { ...around, others: [] })
    : readSource(node, field, around);
}

function readSource(node: YamlNode, field: Value, around: Around): Source {
  const forms = formsOf(field.kind, around);
  if (!node.isMap) {
    if (forms !== undefined) throw node.fault(`must say how it is written: { column: …, as: ${forms.join(' or ')} }`);
    return { column: node.text(around.columnName), path: node.path };
  }
  if (node.optional('value') !== undefined) return readConstant(node, field, around);
  const isMoney = field.kind === 'money' || field.kind === 'magnitude';
  const isCode = ['word', 'flag', 'currency', 'integer'].includes(field.kind);
  node.members(
    ['column', ...(forms === undefined ? [] : ['as'])],
    [...(isCode ? ['codes'] : []), ...(isMoney ? ['currency'] : []), ...(field.kind === 'money' ? ['sign'] : [])],
  );
  const [codes, currency, sign] = [node.optional('codes'), node.optional('currency'), node.optional('sign')];
  return {
    column: node.at('column').text(around.columnName),
    path: node.path,
    ...(forms !== undefined && { as: node.at('as').word(forms) }),
    ...(codes !== undefined && { codes: readCodes(codes, field, around) }),
    ...(currency !== undefined && { currency: readSource(currency, currencyField, around) }),
    ...(sign !== undefined && { sign: readSign(sign, around.columnName) }),
  };
}

const currencyField: Value = { kind: 'currency', optional: false };

function readConstant(node: YamlNode, field: Value, around: Around): Constant {
  node.members(['value']);
  const value = readMeaning(node.at('value'), field);
  if (formsOf(field.kind, around) !== undefined) throw node.fault('must be a column');
  return { value };
}

/** A value of the field, as the file of the bank writes it. */
function readMeaning(node: YamlNode, { kind, words }: Value): string {
  if (kind === 'flag') return node.word(['true', 'false']);
  if (words !== undefined) return node.word(words);
  if (kind === 'integer') return node.text(/^-?\d{1,3}$/);
  const value = node.text();
  if (kind === 'currency' && !isCurrency(value)) throw node.fault('must be an ISO 4217 currency');
  return value;
}

/** In place, or the name of a table of the file's `codes`. */
function readCodes(given: YamlNode, field: Value, { codes }: Around): Readonly<Record<string, string>> {
  const table = given.isMap ? given : codes?.optional(given.text());
  if (table === undefined) throw given.fault('is not a table of codes');
  return Object.fromEntries(table.names.map((code) => [code, readMeaning(table.at(code), field)]));
}

function readSign(node: YamlNode, columnName: RegExp): Sign {
  node.members(['column', 'credit', 'debit']);
  const codesOf = (side: 'credit' | 'debit'): string[] => node.at(side).texts();
  const [credit, debit] = [codesOf('credit'), codesOf('debit')];
  if (credit.some((code) => debit.includes(code))) throw node.fault('has a code that is both credit and debit');
  return { column: node.at('column').text(columnName), path: node.path, credit, debit };
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
