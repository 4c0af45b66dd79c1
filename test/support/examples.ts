import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { ClauseId } from '../../packages/adapter-kit/adapter-kit.js';
import { type YamlNode, readYaml } from '../../src/core-banking/record-mapping/yaml-node.js';
import { differencesOf, meaningOf } from './meanings.js';
import type { Example } from './needed-examples.js';

/** A row of the bank as the adapter reads it; neither a record nor a fault where the mapping leaves the row out. */
export interface ReadExample {
  /** The cells by the names of their columns. */
  readonly row: Readonly<Record<string, string>>;
  /** With the references of the account and the customer, where the row has them. */
  readonly record?: object;
  readonly fault?: string;
}

/** A part of the bank's file, such as `transactions`: examples check its mapping. */
export interface CheckedPart {
  readonly name: string;
  /** @throws ExampleFault where the rows as a whole cannot be read */
  readonly read: (rows: string) => readonly ReadExample[] | Promise<readonly ReadExample[]>;
  /** The cases that are not among the examples, each as the end of a sentence that begins "has no row". */
  readonly lacks: (examples: readonly Example[]) => readonly string[];
  /** The first line of its rows, and the fields of its records by their paths. */
  readonly start: { readonly header: string; readonly fields: readonly string[] };
}

/** Why the rows of a part cannot be read. */
export class ExampleFault extends Error {
  override readonly name = 'ExampleFault';
}

/** The clause that the examples of a part bear out. Its truth follows from the mapping, and so from each mistake in it. */
const clauseOf: Readonly<Record<string, ClauseId>> = {
  accounts: 'CORE-03',
  holders: 'CORE-03',
  balances: 'CORE-10',
  transactions: 'CORE-11',
  party: 'CORE-12',
  offers: 'CORE-13',
  scheduledPayments: 'CORE-14',
  beneficiaries: 'CORE-15',
  statements: 'CORE-16',
  directDebits: 'CORE-17',
  standingOrders: 'CORE-18',
  product: 'CORE-19',
};

/** How many faults of a part are named. */
const mostNamed = 5;

/** `bank.examples.yaml` of `bank.yaml`. */
export function examplesOf(mapping: string): string {
  return mapping.replace(/(\.ya?ml)?$/, '.examples.yaml');
}

/**
 * Each clause that the examples next to the mapping do not bear out, and why, with up to five faults of each part.
 *
 * @param mapping path of the bank's file
 * @param others members of the examples that belong to no part
 * @throws FileFault where the file with the examples has another form
 */
export async function unprovedBy(
  mapping: string,
  parts: readonly CheckedPart[],
  others: readonly string[] = [],
): Promise<Partial<Record<ClauseId, string>>> {
  return unprovedParts(mapping, await faultsOfExamples(mapping, parts, others));
}

/** The clauses of the parts at fault, with up to five faults of each part. */
export function unprovedParts(
  mapping: string,
  faults: ReadonlyMap<string, readonly string[]>,
): Partial<Record<ClauseId, string>> {
  return joined(
    [...faults].map(([part, found]) => {
      const more = found.length > mostNamed ? `; and ${found.length - mostNamed} more` : '';
      const said = `${basename(examplesOf(mapping))}: ${found.slice(0, mostNamed).join('; ')}${more}`;
      return { [clauseOf[part] as ClauseId]: said };
    }),
  );
}

/** One text for each clause. */
export function joined(all: readonly Partial<Record<ClauseId, string>>[]): Partial<Record<ClauseId, string>> {
  const entries = all.flatMap((one) => Object.entries(one) as [ClauseId, string][]);
  return Object.fromEntries(
    entries.map(([id]) => [id, entries.flatMap(([other, text]) => (other === id ? text : [])).join('\n')]),
  );
}

/** The parts at fault, each with the places where its mapping and its examples differ, and the cases that no example has. */
export async function faultsOfExamples(
  mapping: string,
  parts: readonly CheckedPart[],
  others: readonly string[] = [],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const path = examplesOf(mapping);
  const all = existsSync(path) ? readYaml(readFileSync(path, 'utf8')) : undefined;
  all?.members([], [...parts.map(({ name }) => name), ...others]);
  const faults = new Map<string, readonly string[]>();
  for (const part of parts) {
    const place = all?.optional(part.name);
    const found = place === undefined ? [withoutExamples(part)] : await faultsOf(part, place);
    if (found.length > 0) faults.set(part.name, found);
  }
  return faults;
}

function withoutExamples({ name, start: { header, fields } }: CheckedPart): string {
  return [
    `${name} has no examples. Only the bank knows the meaning of its rows: write some of them next to the mapping, and the ` +
      'record of each, or omitted. A start:',
    `${name}:`,
    '  rows: |',
    `    ${header}`,
    '  mean:',
    `    - ${recordOf(fields)}`,
  ].join('\n');
}

/** `{ kind: …, creditor: { scheme: …, name: … } }` of `kind`, `creditor.scheme` and `creditor.name`. */
function recordOf(paths: readonly string[]): string {
  const names = [...new Set(paths.map((path) => path.split('.')[0] as string))];
  const members = names.map((name) => {
    const inner = paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
    return `${name}: ${inner.length === 0 ? '…' : recordOf(inner)}`;
  });
  return `{ ${members.join(', ')} }`;
}

async function faultsOf(part: CheckedPart, place: YamlNode): Promise<string[]> {
  const { name } = part;
  place.members(['rows', 'mean']);
  const meant = place.at('mean').each();
  let read: readonly ReadExample[];
  try {
    read = await part.read(place.at('rows').text());
  } catch (error) {
    if (!(error instanceof ExampleFault)) throw error;
    return [`${name}: ${error.message}`];
  }
  const faults = read.flatMap(({ fault }, index) =>
    fault === undefined ? [] : [`${name} row ${index + 1} cannot be read: ${fault}`],
  );
  if (read.length !== meant.length) return [`${name} has ${read.length} rows and ${meant.length} meanings`, ...faults];
  const examples = read.map(({ row, record, fault }, index): Example => {
    const meaning = record && meaningOf(record);
    const differences = fault === undefined ? differencesOf(meaning, meant[index] as YamlNode) : [];
    faults.push(...differences.map((one) => `${name} row ${index + 1}: ${one}`));
    return { row, ...(meaning !== undefined && { read: meaning }) };
  });
  return faults.length > 0 ? faults : part.lacks(examples).map((lack) => `${name} has no row ${lack}`);
}
