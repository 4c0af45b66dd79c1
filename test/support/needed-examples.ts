import { minorUnitDigits } from '../../packages/core-adapter/currencies.js';
import { type Column, isSource, type Mapping } from '../../src/core-banking/record-mapping/mapping.js';
import type { Fields, Value } from '../../src/core-banking/record-mapping/field-kinds.js';
import type { Meaning } from './meanings.js';

/** A row as the bank has it, and the record that the mapping makes of it. */
export interface Example {
  /** The cells by the names of their columns. */
  readonly row: Readonly<Record<string, string>>;
  /** Absent for a row that the mapping leaves out. */
  readonly read?: Meaning;
}

/** The columns of a part of the bank's file, and their fields. */
export interface MappedPart {
  readonly fields: Fields;
  readonly columns: Mapping;
  /** Whether money of the column can be in several currencies. */
  readonly hasCurrencies: (money: Column) => boolean;
  /** Codes of a column that is not a field. */
  readonly only?: { readonly column: string; readonly codes: readonly string[] } | undefined;
  /** Whether its rows can be pending transactions. */
  readonly hasPending: boolean;
}

/** The cases that the rows must have, so that no wrong word of the mapping goes unseen: each completes "has no row". */
export function missingCases(part: MappedPart, examples: readonly Example[]): string[] {
  const leaves = leavesOf(part.fields, part.columns);
  const codes = (column: string, of: readonly string[]): string[] =>
    of
      .filter((code) => !examples.some(({ row }) => row[column]?.trim() === code))
      .map((code) => `with ${column} ${code}`);
  const lacks = leaves.flatMap((leaf) => {
    const values = valuesOf(leaf, examples);
    if (values.length === 0) return [`with ${leaf.path}`];
    const { field, source } = leaf;
    return [
      ...codes(source.column, Object.keys(source.codes ?? (field.kind === 'flag' ? { true: 1, false: 0 } : {}))),
      ...(source.sign === undefined ? [] : codes(source.sign.column, [...source.sign.credit, ...source.sign.debit])),
      ...unseenValues(part, leaf, values),
    ];
  });
  const { only, hasPending } = part;
  if (hasPending) lacks.push(...unseenPending(examples));
  if (part.columns.creditLimit !== undefined) lacks.push(...unseenOverdraft(examples));
  return [...lacks, ...confusable(leaves, examples), ...(only === undefined ? [] : codes(only.column, only.codes))];
}

function unseenPending(examples: readonly Example[]): string[] {
  return examples.some(({ read }) => read?.get('status') === 'pending') ? [] : ['that means a pending transaction'];
}

/** A column that includes the overdraft is above zero in such a row. */
function unseenOverdraft(examples: readonly Example[]): string[] {
  const isZero = (money = ''): boolean => /^\S+ -?[0.]+$/.test(money);
  const isUsed = ({ read }: Example): boolean =>
    read?.get('kind') === 'available' &&
    !isZero(read.get('creditLimit') ?? '- 0') &&
    (isZero(read.get('amount')) || read.get('amount')?.includes('-') === true);
  return examples.some(isUsed)
    ? []
    : [
        'of an account in its overdraft: with a creditLimit above zero, and an available balance of zero or less, which leaves it out',
      ];
}

/** The fields of a record by their paths, those with the same value in every row too. */
export function pathsOf(mapping: Mapping, path = ''): string[] {
  return Object.entries(mapping).flatMap(([name, source]) => {
    const here = path === '' ? name : `${path}.${name}`;
    return isSource(source) ? [here] : pathsOf(source, here);
  });
}

/** A field that has a column. */
interface Leaf {
  readonly path: string;
  readonly field: Value;
  readonly source: Column;
}

function leavesOf(fields: Fields, mapping: Mapping, path = ''): Leaf[] {
  return Object.entries(fields).flatMap(([name, field]): Leaf[] => {
    const source = mapping[name];
    const here = path === '' ? name : `${path}.${name}`;
    if (source === undefined) return [];
    if (field.kind === 'group') return leavesOf(field.fields, source as Mapping, here);
    return isSource(source) && 'column' in source ? [{ path: here, field, source }] : [];
  });
}

interface Read {
  readonly cell: string;
  readonly value: string;
}

function valuesOf({ path, source }: Leaf, examples: readonly Example[]): Read[] {
  return examples.flatMap(({ row, read }) => {
    const value = read?.get(path);
    return value === undefined ? [] : [{ cell: row[source.column]?.trim() ?? '', value }];
  });
}

function unseenValues({ hasCurrencies }: MappedPart, { path, field, source }: Leaf, values: readonly Read[]): string[] {
  const isMoney = field.kind === 'money' || field.kind === 'magnitude';
  return [
    ...(field.kind === 'money' && source.sign === undefined ? unseen(values, `whose ${path} is`, signs) : []),
    ...(isMoney && hasCurrencies(source) ? unseen(values, `whose ${path} is in a currency`, withoutTwoDigits) : []),
    ...(field.kind === 'time' && values.some(({ cell }) => isLocal(cell))
      ? unseen(values, `whose ${path} is`, seasons)
      : []),
  ];
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
export function isLocal(cell: string): boolean {
  return cell.length > 10 && !/(?:Z|[+-]\d\d:\d\d)$/.test(cell);
}

/** Two columns that agree in every row: a mapping that takes one for the other would go unseen. */
function confusable(leaves: readonly Leaf[], examples: readonly Example[]): string[] {
  const formOf = ({ field, source }: Leaf): string => source.as ?? field.kind;
  return leaves.flatMap((leaf, index) =>
    leaves.slice(index + 1).flatMap((other) => {
      const [one, two] = [leaf.source.column, other.source.column];
      if (one === two || leaf.source.codes !== undefined || formOf(leaf) !== formOf(other)) return [];
      return examples.some(({ row }) => row[one]?.trim() !== row[two]?.trim())
        ? []
        : [`in which ${one} and ${two} differ`];
    }),
  );
}
