import assert from 'node:assert/strict';
import type { AccountRead } from '../../core-adapter/core.adapter.js';
import { isCoreError } from '../../core-adapter/core-error.js';
import type { CoreProxyRules } from '../core-proxy.js';
import { select } from '../history-model.js';
import { type AnyRead, askAny, newest, type Subject } from '../reads.js';
import { isRecord, jsonOf, longestList, withJson } from '../spoil.js';
import type { World } from '../world.js';

type Read = AccountRead | 'accounts';
type Value = string | number | boolean;

/** The members of the port that an adapter takes from code words; `sign` is that of an amount. */
const codedMembers = {
  accounts: ['permitted', 'product', 'holder'],
  balances: ['kind', 'sign'],
  transactions: ['status', 'sign'],
  scheduledPayments: ['type', 'creditor.scheme'],
  beneficiaries: ['kind', 'creditor.scheme'],
  statements: ['type', 'sign'],
  directDebits: ['status'],
  standingOrders: ['status', 'frequency', 'creditor.scheme'],
  product: ['type'],
} as const satisfies Readonly<Partial<Record<Read, readonly string[]>>>;

/** Each field that the kit names gets a word that no record has, one record at a time. */
export async function unknownWordsAreBad(world: World): Promise<void> {
  world.need('account', () => true);
  for (const read of Object.keys(codedMembers) as (keyof typeof codedMembers)[]) {
    if (read !== 'accounts' && !world.has(read)) continue;
    const subject = mostDifferent(world, read);
    if (subject === undefined) continue;
    for (const [member, fields] of fieldsOf(world, read))
      for (const field of fields) await assertRefused(world, read, subject, member, field);
  }
}

function fieldsOf({ kit }: World, read: keyof typeof codedMembers): [member: string, fields: readonly string[]][] {
  const named = kit.codes?.[read] ?? {};
  const missing = codedMembers[read].filter((member) => !Object.hasOwn(named, member));
  assert.ok(
    missing.length === 0,
    `\`codes\` of the kit does not say from which fields of the core’s records the adapter takes ${missing.join(', ')} of ` +
      `${read}: name them, or give an empty list where no word of the core decides it`,
  );
  return Object.entries(named).map(([member, fields]) => [member, [fields].flat()]);
}

/** The subject of which the answer has the most different records: another word needs another place. */
function mostDifferent(world: World, read: keyof typeof codedMembers): Subject | undefined {
  const kindsOf = (subject: Subject): number => {
    const records = recordsOf(world, read, subject) as readonly Readonly<Record<string, unknown>>[];
    return new Set(
      records.map(({ permitted, product, holder, kind, status, type, frequency }) =>
        JSON.stringify([permitted, product, holder, kind, status, type, frequency]),
      ),
    ).size;
  };
  const found = world.subjects
    .filter(({ truth }) => read === 'accounts' || truth.account.permitted)
    .map((subject) => ({ subject, kinds: kindsOf(subject) }))
    .toSorted((a, b) => b.kinds - a.kinds)[0];
  return found !== undefined && found.kinds > 0 ? found.subject : undefined;
}

/** The records of the truth that the read gives. */
function recordsOf({ subjects }: World, read: Read, { customerRef, truth }: Subject): readonly object[] {
  if (read === 'accounts')
    return subjects.filter((one) => one.customerRef === customerRef).map((one) => one.truth.account);
  return read === 'transactions' ? select(truth.transactions ?? [], newest).items : (truth[read] ?? []);
}

/** Each word may be read in its own way. */
const mostWords = 4;

async function assertRefused(world: World, read: Read, subject: Subject, member: string, field: string): Promise<void> {
  const sites = await sitesOf(world, read, subject, field);
  assert.ok(
    sites.length > 0,
    `\`codes\` of the kit, ${read}.${member}: no record that the core sends for ${read} has the field ${JSON.stringify(field)}`,
  );
  const unknown = unknownFor(sites.map(({ value }) => value));
  for (const changed of changesOf(sites).slice(0, mostWords)) {
    const found = await world.under(withValue(world, read, changed, unknown), () => outcomeOf(world, read, subject));
    // The gateway knows the products, and makes a bad record of another.
    if (found === 'bad' || (member === 'product' && found.some(({ product }) => product === String(unknown)))) continue;
    const whose = read === 'accounts' ? `customer ${subject.customerRef}` : `account ${subject.accountRef}`;
    assert.fail(
      `${read} of ${whose}: an unknown word in the core’s field ${JSON.stringify(field)}, which decides ${member}, is taken ` +
        'for a known one or leaves the record out, where it must make a bad record: list the core’s words and refuse ' +
        'every other, as `wordOf` of the port does',
    );
  }
}

/** One change for each word; of records without a name all at once, because one may be older than the one that is shown. */
function changesOf(sites: readonly Site[]): readonly (readonly Site[])[] {
  if (!sites.some(({ isShown }) => isShown)) return [sites];
  const first = new Map(sites.toReversed().map((site) => [site.value, site]));
  return [...first.values()].map((site) => [site]);
}

const unknownWord = 'KIT7Q4';
const unknownNumber = 7_040_404;

function unknownFor(values: readonly Value[]): Value {
  if (values.every((value) => typeof value === 'number')) return unknownNumber;
  return values.every((value) => /^\d+$/.test(String(value))) ? String(unknownNumber) : unknownWord;
}

/** A record of an answer, by its name. */
type ShownRecord = { readonly id?: string; readonly ref?: string; readonly product?: string };

async function outcomeOf({ adapter }: World, read: Read, subject: Subject): Promise<readonly ShownRecord[] | 'bad'> {
  try {
    const found = await askAny(adapter, read, subject);
    return 'items' in found && found.bad.length === 0 ? found.items : 'bad';
  } catch (error) {
    // Other clauses check which faults an adapter may throw.
    if (isCoreError(error)) return 'bad';
    throw error;
  }
}

/** A record of the core that has a word in the field. */
interface Site {
  readonly path: string;
  readonly record: number;
  readonly field: string;
  readonly value: Value;
  /** Its id or reference is that of a record that the adapter shows. */
  readonly isShown: boolean;
}

/** In the last answer that has the field: earlier ones find the customer and the account. */
async function sitesOf(world: World, read: Read, subject: Subject, field: string): Promise<Site[]> {
  let sites: (Omit<Site, 'isShown'> & { readonly keys: ReadonlySet<string> })[] = [];
  const onAnswer: CoreProxyRules['onAnswer'] = (path, answer) => {
    const found = recordsIn(world, read, jsonOf(answer)).flatMap((record, index) => {
      const value = valueIn(record, field);
      return isWord(value) ? [{ path, record: index, field, value, keys: keysIn(record) }] : [];
    });
    if (found.length > 0) sites = found;
  };
  const good = await world.under({ onAnswer }, () => outcomeOf(world, read, subject));
  // Other clauses check the good answer.
  const named = good === 'bad' ? [] : good.flatMap(({ id, ref }) => id ?? ref ?? []).map(unpadded);
  const found = sites.map(({ keys, ...site }): Site => ({ ...site, isShown: named.some((key) => keys.has(key)) }));
  // A word of a record that is omitted, such as an international payment, decides nothing.
  const shown = found.filter(({ isShown }) => isShown);
  return shown.length === 0 ? found : shown;
}

/** By which the core may know the record. */
function keysIn(record: unknown): ReadonlySet<string> {
  const values = isRecord(record) ? Object.values(record).flat() : [];
  return new Set(values.filter(isWord).map(unpadded));
}

/** An adapter may pad a number with zeros, so that ids sort as texts. */
function unpadded(value: Value): string {
  return String(value).replace(/^0+(?=.)/, '');
}

/** A blank value may say that the core has no word. */
function isWord(value: unknown): value is Value {
  return typeof value === 'string' ? value.trim() !== '' : typeof value === 'number' || typeof value === 'boolean';
}

/** The records of a list, and an answer without a list as one record. */
function recordsIn({ kit }: World, read: AnyRead, answer: unknown): readonly unknown[] {
  const named = read === 'account' ? undefined : kit.faults?.records;
  const list = (named && named(read as Read, answer)) ?? longestList(answer);
  return list === undefined || list.length === 0 ? [answer] : list;
}

/** @param field with dots between the names of records inside the record; a name may have a dot itself */
function valueIn(record: unknown, field: string): unknown {
  const member = memberOf(record, field);
  return member?.in[member.name];
}

function memberOf(record: unknown, field: string): { in: Record<string, unknown>; name: string } | undefined {
  if (!isRecord(record) && !Array.isArray(record)) return undefined;
  const holder = record as Record<string, unknown>;
  if (Object.hasOwn(holder, field)) return { in: holder, name: field };
  const name = Object.keys(holder).find((one) => field.startsWith(`${one}.`));
  return name === undefined ? undefined : memberOf(holder[name], field.slice(name.length + 1));
}

/** Rules under which these records of the core have another value in the field. */
function withValue(world: World, read: Read, sites: readonly Site[], value: Value): CoreProxyRules {
  return {
    inject: ({ path }) => {
      if (!sites.some((site) => site.path === path)) return { kind: 'pass' };
      return {
        kind: 'replace',
        by: (answer) => {
          const json = jsonOf(answer);
          const records = recordsIn(world, read, json);
          for (const { record, field } of sites) {
            const member = memberOf(records[record], field);
            if (member !== undefined) member.in[member.name] = value;
          }
          return withJson(answer, json);
        },
      };
    },
  };
}
