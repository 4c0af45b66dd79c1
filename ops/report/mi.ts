import { CommandFailed } from '../../src/command-line/command.js';
import type { SearchedTrail } from '../trail/searched-trail.js';
import { availabilityRules } from './availability-rules.js';
import { csv, type Cell } from '../csv.js';
import { figureNamed } from './figures.js';
import type { ImportedValue } from './mi-import.js';
import { tabRows, type Brand } from './mi-rows.js';
import { miRules, miTabs, type MiTab } from './mi-tabs.js';
import { dayName, type Period } from './period.js';
import type { Row } from './queries.js';
import { count } from '../../src/trail/words.js';

export interface FilledTab {
  readonly name: string;
  readonly file: string;
  readonly rule: string;
  /** The figure of each field that has one, with its rule. */
  readonly figures: readonly { readonly field: string; readonly figure: string; readonly rule: string }[];
  readonly fields: readonly string[];
  readonly rows: readonly Row[];
}

export interface ManagementInformation {
  readonly report: 'mi';
  readonly month: string;
  readonly from: string;
  readonly to: string;
  readonly incomplete: boolean;
  readonly madeAt: string;
  readonly rules: readonly string[];
  readonly tabs: readonly FilledTab[];
}

/** @throws CommandFailed where an imported value has no place */
export async function managementInformation(
  { connection }: SearchedTrail,
  month: Period,
  brand: Brand,
  imported: readonly ImportedValue[],
  nowMs: number,
): Promise<ManagementInformation> {
  const tabs: FilledTab[] = [];
  for (const [key, tab] of Object.entries(miTabs)) {
    const rows = await tabRows(connection, key as keyof typeof miTabs, month, brand);
    tabs.push(filled(tab, rows));
  }
  return {
    report: 'mi',
    month: month.name,
    from: dayName(month.fromMs),
    to: dayName(month.toMs - 1),
    incomplete: month.isIncomplete,
    madeAt: new Date(nowMs).toISOString(),
    rules: [...miRules, ...availabilityRules],
    tabs: imported.reduce(withImported, tabs),
  };
}

function filled({ name, file, rule, fields }: MiTab, rows: readonly Row[]): FilledTab {
  return {
    name,
    file,
    rule,
    fields: fields.map((field) => field.name),
    figures: fields.flatMap((field) => {
      const figure = figureNamed(field.value ?? '');
      return figure === undefined ? [] : [{ field: field.name, figure: figure.name, rule: figure.rule }];
    }),
    rows: rows.map((row) =>
      Object.fromEntries(
        fields.map((field) => [field.name, field.value === undefined ? null : (row[field.value] ?? null)]),
      ),
    ),
  };
}

function withImported(tabs: readonly FilledTab[], value: ImportedValue): FilledTab[] {
  const refuse = (fault: string) => new CommandFailed(`line ${value.line} of the imported file: ${fault}`);
  const tab = tabs.find(({ name }) => name === value.tab);
  if (tab === undefined) throw refuse(`there is no such tab; the tabs are ${tabs.map(({ name }) => name).join(', ')}`);
  if (!tab.fields.includes(value.field)) throw refuse(`${tab.name} has no such field; it has ${tab.fields.join(', ')}`);
  let filled = 0;
  const rows = tab.rows.map((row) => {
    if (!isRowOf(row, value)) return row;
    filled += 1;
    if (row[value.field] !== null) throw refuse(`the trail has the value of ${value.field} itself`);
    return { ...row, [value.field]: value.value };
  });
  if (filled === 0) throw refuse('no row has this date, endpoint and version');
  return tabs.map((one) => (one === tab ? { ...tab, rows } : one));
}

function isRowOf(row: Row, { date, endpoint, version }: ImportedValue): boolean {
  const has = (field: string, asked: string) => asked === '' || String(row[field] ?? '') === asked;
  return has('Report Date', date) && has('Endpoint', endpoint) && has('Version', version);
}

/** No cell is empty. */
export function miCsv({ fields, rows }: FilledTab): string {
  return csv(
    fields,
    rows.map((row) => fields.map((field): Cell => row[field] ?? null)),
    'NULL',
  );
}

export function miText({ month, from, to, incomplete, tabs }: ManagementInformation): string {
  return [
    `${month}, from ${from} to ${to}${incomplete ? ': the month has not ended' : ''}`,
    ...tabs.map(({ name, rows }) => `${name}: ${count(rows.length, 'row')}`),
    ...miRules,
  ].join('\n');
}
