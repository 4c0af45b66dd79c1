import type { CoreProxyRules } from './core-proxy.js';
import { type AnyRead, askAny, type Subject } from './reads.js';
import { isRecord, jsonOf, longestList, withJson } from './spoil.js';
import type { World } from './world.js';

type Value = string | number | boolean;

/** A field in the records of the core's answers, with the values that it has there. */
export interface CoreField {
  /** As in the answer: `status`, or `payee.form`. */
  readonly name: string;
  readonly values: readonly Value[];
  /** A value of the same form that no record has. */
  readonly unknown: Value;
  /** The first records of the judged answers that have each of the values. */
  readonly sites: readonly Site[];
  /** Every record of the judged answers that has the field. */
  readonly all: readonly Site[];
}

export interface Site {
  readonly path: string;
  readonly record: number;
  readonly field: string;
  readonly value: Value;
  /** Every value of the record, as a text. */
  readonly texts: ReadonlySet<string>;
}

/** Two show a mistake that the good value of one would hide. */
const mostSites = 2;
/** A field with more values, or with another in nearly each record, is an id, an amount, a time or a text. */
const mostValues = 8;
const unknownWord = 'KIT7Q4';
const unknownNumber = 7_040_404;

/** The fields in the records that the core sends for the read of the subject; the others only add values. */
export async function fieldsOf(
  world: World,
  read: AnyRead,
  subject: Subject,
  others: readonly Subject[],
): Promise<CoreField[]> {
  const judged = await sitesOf(world, read, subject);
  const known = [...judged];
  for (const other of others) known.push(...(await sitesOf(world, read, other)));
  return [...new Set(judged.map(({ field }) => field))].map((name) => {
    const own = judged.filter(({ field }) => field === name);
    const everywhere = known.filter(({ field }) => field === name).map(({ value }) => value);
    const values = [...new Set(everywhere)];
    const firsts = [...new Map(own.toReversed().map((site) => [site.value, site])).values()].toReversed();
    const isCode = values.length === 2 || (values.length <= mostValues && values.length < everywhere.length / 2);
    return {
      name,
      values: isCode ? values : [],
      unknown: unknownFor(values),
      sites: firsts.slice(0, isCode ? mostSites : 1),
      all: own,
    };
  });
}

function unknownFor(values: readonly Value[]): Value {
  if (values.every((value) => typeof value === 'number')) return unknownNumber;
  return values.every((value) => /^\d+$/.test(String(value))) ? String(unknownNumber) : unknownWord;
}

/** Each value in the core's records that is not blank: a blank one, or 0, may say that there is no value. */
async function sitesOf(world: World, read: AnyRead, subject: Subject): Promise<Site[]> {
  const answers = new Map<string, readonly unknown[]>();
  await world.under(
    { onAnswer: (path, answer) => void answers.set(path, recordsIn(world, read, jsonOf(answer))) },
    // Other clauses judge the answer of the adapter.
    () => askAny(world.adapter, read, subject).catch(() => undefined),
  );
  return [...answers].flatMap(([path, records]) =>
    records.flatMap((each, record) => {
      const found = leaves(each, '');
      const texts = new Set(found.map(({ value }) => String(value)));
      return found.map(({ field, value }) => ({ path, record, field, value, texts }));
    }),
  );
}

/** The records of a list, and an answer without a list as one record. */
function recordsIn({ kit }: World, read: AnyRead, answer: unknown): readonly unknown[] {
  const told = read === 'account' ? undefined : kit.faults?.records;
  const list = told === undefined ? longestList(answer) : told(read as Exclude<AnyRead, 'account'>, answer);
  return list !== undefined && list.length >= (read === 'account' ? 2 : 1) ? list : [answer];
}

function leaves(value: unknown, field: string): { field: string; value: Value }[] {
  if (Array.isArray(value) || isRecord(value))
    return Object.entries(value).flatMap(([name, inner]) => leaves(inner, field === '' ? name : `${field}.${name}`));
  if (typeof value === 'string') return value.trim() === '' ? [] : [{ field, value }];
  return (typeof value === 'number' && value !== 0) || typeof value === 'boolean' ? [{ field, value }] : [];
}

/** Rules under which one record of the core has another value in the field. */
export function withValue(world: World, read: AnyRead, site: Site, value: Value): CoreProxyRules {
  return {
    strike: ({ path }) => {
      if (path !== site.path) return { kind: 'pass' };
      return {
        kind: 'replace',
        by: (answer) => {
          const json = jsonOf(answer);
          replaceIn(recordsIn(world, read, json)[site.record], site.field, value);
          return withJson(answer, json);
        },
      };
    },
  };
}

/** In place, where the record has the field. */
function replaceIn(record: unknown, field: string, value: Value): void {
  const names = Object.keys(isRecord(record) || Array.isArray(record) ? record : {});
  // A name may have a dot in it.
  const name = names.find((one) => field === one || field.startsWith(`${one}.`));
  if (name === undefined) return;
  const place = record as Record<string, unknown>;
  if (field === name) place[name] = value;
  else replaceIn(place[name], field.slice(name.length + 1), value);
}
