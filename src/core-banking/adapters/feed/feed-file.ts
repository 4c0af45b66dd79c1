import { type AccountRead, accountReads } from '../../../../packages/core-adapter/core.adapter.js';
import { isCurrency } from '../../../../packages/core-adapter/currencies.js';
import { type MappedCore, readCore, readReads } from '../../record-mapping/mapped-core.js';
import { type Mapping, readMapping, timeForms } from '../../record-mapping/mapping.js';
import { type YamlNode, readYaml, withAllFaults } from '../../record-mapping/yaml-node.js';
import type { Fields } from '../../record-mapping/field-kinds.js';
import { accountFields, fieldsOfReads } from '../../record-mapping/record-fields.js';

/** The parts of a delivery: each is one file or several. */
export const parts = ['accounts', 'holders', ...accountReads] as const;
export type Part = (typeof parts)[number];

/** How the rows of one part become records. */
export interface PartForm {
  readonly columns: Mapping;
  readonly fields: Fields;
  /** The columns with the account's and the customer's reference, where the part has them. */
  readonly account?: string;
  readonly customer?: string;
  /** Where it is set, rows with other codes are omitted. */
  readonly only?: RowFilter;
}

/** A column that says whether a row belongs to the part, and its codes. Every other code is a fault. */
export interface RowFilter {
  readonly column: string;
  readonly keep: readonly string[];
  readonly leave: readonly string[];
}

/** The bank's file that `CORE_FEED_FILE` names. */
export interface FeedFile extends MappedCore {
  /** The currency of amounts whose mapping names none; empty where each names one. */
  readonly currency: string;
  readonly csv: { readonly delimiter: string; readonly encoding: string };
  /** Whether a delivery has the whole history, or only the part that is new since the delivery before. */
  readonly history: 'whole' | 'added';
  readonly parts: Readonly<Partial<Record<Part, PartForm>>>;
  readonly missing: Readonly<Partial<Record<AccountRead, string>>>;
}

/** The reads whose records a file can map. */
const mappedReads = accountReads.filter((read) => fieldsOfReads[read] !== undefined);

/** A name in the header of a CSV file. */
const columnName = /^[^\r\n]{1,100}$/;

/** @throws FileFault for all faults, each with its path in the file */
export function readFeedFile(text: string): FeedFile {
  const file = readYaml(text);
  const optionalKeys = ['timeZone', 'maxTransactionHistory', 'currency', 'csv', 'history', 'codes', 'missing'];
  const [, core, currency, csv, history, served] = withAllFaults([
    () => file.members(['name', 'pending', 'accounts', 'holders'], [...optionalKeys, ...mappedReads]),
    () => readCore(file),
    () => readCurrency(file.optional('currency')),
    () => readCsv(file.optional('csv')),
    () => file.optional('history')?.word(['whole', 'added']) ?? 'whole',
    () => readParts(file),
  ]);
  return { ...core, currency, csv, history, ...served };
}

function readCurrency(node: YamlNode | undefined): string {
  const currency = node?.text();
  if (node !== undefined && !isCurrency(currency)) throw node.fault('must be an ISO 4217 currency');
  return currency ?? '';
}

function readCsv(node: YamlNode | undefined): FeedFile['csv'] {
  node?.members([], ['delimiter', 'encoding']);
  const encoding = node?.optional('encoding')?.text() ?? 'utf-8';
  try {
    new TextDecoder(encoding);
  } catch {
    throw node?.at('encoding').fault('must be an encoding, such as utf-8 or windows-1252') ?? new Error(encoding);
  }
  const delimiter = node?.optional('delimiter')?.word([',', ';', '|', 'tab']) ?? ',';
  return { delimiter: delimiter === 'tab' ? '\t' : delimiter, encoding };
}

function readParts(file: YamlNode): Pick<FeedFile, 'parts' | 'missing'> {
  const [accounts, holders, { reads, missing }] = withAllFaults([
    () => readPart(file, 'accounts', accountFields),
    () => readPart(file, 'holders', {}, ['account', 'customer']),
    // The port has the customer of the consent as the party, and no other holder.
    () =>
      readReads(file, 'a file cannot be mapped to its records', (read, _, fields) =>
        readPart(file, read, fields, [read === 'party' ? 'customer' : 'account']),
      ),
  ]);
  return { parts: { accounts, holders, ...reads }, missing };
}

function readPart(
  file: YamlNode,
  name: Part,
  fields: Fields,
  owners: readonly ('account' | 'customer')[] = [],
): PartForm {
  const node = file.at(name);
  node.members(['columns'], ['only']);
  const columns = node.at('columns');
  const own = Object.fromEntries(owners.map((owner) => [owner, columns.at(owner).text(columnName)]));
  return {
    fields,
    columns: readMapping(columns, fields, {
      codes: file.optional('codes'),
      others: owners,
      times: timeForms,
      columnName,
    }),
    ...own,
    ...readFilter(node.optional('only')),
  };
}

function readFilter(node: YamlNode | undefined): Pick<PartForm, 'only'> {
  if (node === undefined) return {};
  node.members(['column', 'keep', 'leave']);
  const [keep, leave] = [node.at('keep').texts(), node.at('leave').texts()];
  if (keep.some((code) => leave.includes(code))) throw node.fault('has a code that is both kept and omitted');
  return { only: { column: node.at('column').text(columnName), keep, leave } };
}
