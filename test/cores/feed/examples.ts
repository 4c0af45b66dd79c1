import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { CoreMoney } from '../../../packages/core-adapter/core.records.js';
import { minorUnitDigits } from '../../../packages/core-adapter/currencies.js';
import { csvRecords, FileBroken, type ReadRecord } from '../../../src/core-banking/adapters/feed/csv-file.js';
import {
  type CsvForm,
  type FeedFile,
  type Part,
  readFeedFile,
} from '../../../src/core-banking/adapters/feed/feed-file.js';
import { recordOfText } from '../../../src/core-banking/adapters/feed/record-text.js';
import { type Column, isSource, type Mapping } from '../../../src/core-banking/record-mapping/mapping.js';
import { type Place, readYaml } from '../../../src/core-banking/record-mapping/places.js';
import type { Fields, Value } from '../../../src/core-banking/record-mapping/record-fields.js';
import { decimalOf } from '../../support/expressed-records.js';

/** Rows as the bank's files have them, and the records that they mean, which only the bank can know. */
interface Example {
  /** The cells by the names of their columns. */
  readonly row: Readonly<Record<string, string>>;
  /** The fields that the mapping reads, by their paths; absent for a row that it leaves out. */
  readonly read?: Meaning;
}

/** Fields by their paths, each as a person would write it: `GBP -6.50`, `2026-07-01T22:30:00Z`, `2026-07-01`, `true`. */
type Meaning = ReadonlyMap<string, string>;

const leftOut = 'left-out';
const mostNamed = 5;

/** @throws Error where the mapping reads an example otherwise, or an example is missing; the message names up to five */
export async function examplesAgree(path: string): Promise<void> {
  const faults = await faultsOfExamples(path);
  if (faults.length === 0) return;
  const more = faults.length > mostNamed ? `; and ${faults.length - mostNamed} more` : '';
  throw new Error(`${basename(examplesOf(path))}: ${faults.slice(0, mostNamed).join('; ')}${more}`);
}

/** `feed.examples.yaml` of `feed.yaml`. */
function examplesOf(path: string): string {
  return path.replace(/(\.ya?ml)?$/, '.examples.yaml');
}

/** Each place where the mapping and the examples differ, and each case that no example has. */
export async function faultsOfExamples(path: string): Promise<string[]> {
  const file = readFeedFile(readFileSync(path, 'utf8'));
  const from = examplesOf(path);
  if (!existsSync(from)) return ['is not next to the mapping: say in it what rows of your files mean'];
  const all = readYaml(readFileSync(from, 'utf8'));
  const faults: string[] = [];
  for (const [part, form] of Object.entries(file.parts) as [Part, FeedFile['parts'][Part]][]) {
    // The elements of camt.053 are known: no mapping names them.
    if (form?.format !== 'csv') continue;
    const place = all.optional(part);
    if (place === undefined) faults.push(`${part} has no examples`);
    else faults.push(...(await faultsOf(part, form, file, place)));
  }
  return faults;
}

async function faultsOf(part: Part, form: CsvForm, file: FeedFile, place: Place): Promise<string[]> {
  place.members(['rows', 'mean']);
  const text = place.at('rows').text();
  const meant = place.at('mean').each();
  const records: ReadRecord[] = [];
  try {
    for await (const some of csvRecords(once(text), part, form, file)) records.push(...some);
  } catch (error) {
    if (!(error instanceof FileBroken)) throw error;
    return [`${part}: line ${error.line} ${error.fault}`];
  }
  if (records.length !== meant.length) return [`${part} has ${records.length} rows and ${meant.length} meanings`];
  const rows = parse<Record<string, string>>(text, {
    bom: true,
    columns: true,
    delimiter: file.csv.delimiter,
    skip_empty_lines: true,
  });
  const differences: string[] = [];
  const examples = records.map((record, index): Example => {
    const [row = {}, meaning] = [rows[index], meant[index] as Place];
    const name = `${part} row ${index + 1}`;
    if (record.fault !== undefined) differences.push(`${name} cannot be read: ${record.fault}`);
    const read = record.record && meaningOf(part, form, record.record);
    if (record.fault === undefined) differences.push(...differencesOf(read, meaning).map((said) => `${name}: ${said}`));
    return { row, ...(read !== undefined && { read }) };
  });
  if (differences.length > 0) return differences;
  return missingCases(part, form, file, examples).map((lack) => `${part} has no row ${lack}`);
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

function meaningOf(part: Part, form: CsvForm, { owner, id, body }: NonNullable<ReadRecord['record']>): Meaning {
  const account: [string, string][] = form.account === undefined ? [] : [['account', owner]];
  const customer: [string, string][] =
    form.customer === undefined ? [] : [['customer', part === 'holders' ? String(id) : owner]];
  return new Map([...account, ...customer, ...shown(recordOfText<object>(body))]);
}

function shown(value: object, path = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, inner]): [string, string][] => {
    const here = path === '' ? name : `${path}.${name}`;
    if (inner instanceof Date) return [[here, inner.toISOString().replace('.000Z', 'Z')]];
    if (typeof inner !== 'object' || inner === null) return [[here, String(inner)]];
    if ('minorUnits' in inner) {
      const { currency, minorUnits } = inner as CoreMoney;
      return [[here, `${currency} ${decimalOf(minorUnits, currency)}`]];
    }
    return 'date' in inner ? [[here, String(inner.date)]] : shown(inner as object, here);
  });
}

function differencesOf(read: Meaning | undefined, meaning: Place): string[] {
  if (!meaning.isMap) {
    meaning.word([leftOut]);
    return read === undefined ? [] : ['the mapping reads it, and it means left-out'];
  }
  if (read === undefined) return ['the mapping leaves it out, and it means a record'];
  const meant = new Map(membersOf(meaning));
  return [...new Set([...meant.keys(), ...read.keys()])]
    .filter((name) => meant.get(name) !== read.get(name))
    .map((name) => `${name} is read as ${read.get(name) ?? 'nothing'}, and means ${meant.get(name) ?? 'nothing'}`);
}

function membersOf(place: Place, path = ''): [string, string][] {
  return place.names.flatMap((name): [string, string][] => {
    const [member, here] = [place.at(name), path === '' ? name : `${path}.${name}`];
    return member.isMap ? membersOf(member, here) : [[here, member.text()]];
  });
}

/** The cases that the rows must have, so that no wrong word of the mapping goes unseen. */
function missingCases(
  part: Part,
  { fields, columns, only }: CsvForm,
  file: FeedFile,
  examples: readonly Example[],
): string[] {
  const has = (is: (example: Example) => boolean): boolean => examples.some(is);
  const codes = (column: string, of: readonly string[]): string[] =>
    of.filter((code) => !has(({ row }) => row[column]?.trim() === code)).map((code) => `with ${column} ${code}`);
  const lacks = leavesOf(fields, columns).flatMap(([path, field, source]): string[] => {
    const values = examples.flatMap(({ row, read }) => {
      const value = read?.get(path);
      return value === undefined ? [] : [{ cell: row[source.column]?.trim() ?? '', value }];
    });
    if (values.length === 0) return [`with ${path}`];
    const isMoney = field.kind === 'money' || field.kind === 'magnitude';
    const own = source.currency !== undefined && 'column' in source.currency;
    return [
      ...codes(source.column, Object.keys(source.codes ?? (field.kind === 'flag' ? { true: 1, false: 0 } : {}))),
      ...(source.sign === undefined ? [] : codes(source.sign.column, [...source.sign.credit, ...source.sign.debit])),
      ...(field.kind === 'money' && source.sign === undefined ? unseen(values, `whose ${path} is`, signs) : []),
      ...(isMoney && own ? unseen(values, `whose ${path} is in a currency`, withoutTwoDigits) : []),
      ...(field.kind === 'time' && values.some(({ cell }) => isLocal(cell))
        ? unseen(values, `whose ${path} is`, seasons)
        : []),
    ];
  });
  if (part === 'transactions' && file.pending !== 'none' && !has(({ read }) => read?.get('status') === 'pending'))
    lacks.push('that means a pending transaction');
  return [...lacks, ...(only === undefined ? [] : codes(only.column, [...only.keep, ...only.leave]))];
}

type Case = readonly [name: string, is: (value: string) => boolean];

function unseen(values: readonly { readonly value: string }[], begin: string, cases: readonly Case[]): string[] {
  return cases.filter(([, is]) => !values.some(({ value }) => is(value))).map(([name]) => `${begin} ${name}`);
}

const signs: readonly Case[] = [
  ['above zero', (value) => /^\w+ (?!-)\S*[1-9]/.test(value)],
  ['below zero', (value) => /^\w+ -/.test(value)],
];

/** A mapping that takes two digits for granted shows here. */
const withoutTwoDigits: readonly Case[] = [
  ['without two minor digits, such as JPY or BHD', (value) => minorUnitDigits(value.slice(0, 3)) !== 2],
];

/** A zone that agrees with the right one in winter alone, such as UTC with London, shows in summer. */
const seasons: readonly Case[] = [
  ['in December, January or February', (value) => /^\d{4}-(12|01|02)/.test(value)],
  ['in June, July or August', (value) => /^\d{4}-0[678]/.test(value)],
];

/** A time of the core's clocks, without a zone. */
function isLocal(cell: string): boolean {
  return cell.length > 10 && !/(?:Z|[+-]\d\d:\d\d)$/.test(cell);
}

/** Each field that a column has, by its path. */
function leavesOf(fields: Fields, mapping: Mapping, path = ''): [string, Value, Column][] {
  return Object.entries(fields).flatMap(([name, field]): [string, Value, Column][] => {
    const source = mapping[name];
    const here = path === '' ? name : `${path}.${name}`;
    if (source === undefined) return [];
    if (field.kind === 'group') return leavesOf(field.fields, source as Mapping, here);
    return isSource(source) && 'column' in source ? [[here, field, source]] : [];
  });
}
