import type { Spoiling, TestCore } from './adapter-under-test.js';
import type { CoreAnswer, CoreProxyRules } from './core-proxy.js';
import { askAny, type ListRead, type Subject } from './reads.js';
import type { World } from './world.js';

/** Occurs in no core: a message that contains it repeats the core's answer. */
export const canary = 'kit-canary-7Q4';

/** Replaces a value: no field has this type. */
const unreadable = { [canary]: canary };

/** The value with the same structure and every leaf replaced by another type. */
export function spoilt(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spoilt);
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, spoilt(inner)]));
  return unreadable;
}

/** The value with a text in the place of each list of records; where it has no such list, with every leaf spoilt. */
export function withoutLists(value: unknown): unknown {
  return longestList(value) === undefined ? spoilt(value) : listsReplaced(value);
}

function listsReplaced(value: unknown): unknown {
  if (Array.isArray(value)) return value.some(isRecord) ? canary : value;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, listsReplaced(inner)]));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function jsonOf(answer: CoreAnswer): unknown {
  try {
    return JSON.parse(answer.body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

export function withJson(answer: CoreAnswer, json: unknown): CoreAnswer {
  return { ...answer, body: Buffer.from(JSON.stringify(json)) };
}

/** The longest list of records anywhere in the answer. */
export function longestList(answer: unknown): unknown[] | undefined {
  let longest: unknown[] | undefined;
  const look = (value: unknown): void => {
    if (Array.isArray(value) && value.some(isRecord) && value.length > (longest?.length ?? 0)) longest = value;
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(look);
  };
  look(answer);
  return longest;
}

/** Runs `use` while the records of a read are unreadable, and restores them. */
export type Spoil = <T>(spoiling: Exclude<Spoiling, 'undated'>, use: () => Promise<T>) => Promise<T>;

/** The kit spoils HTTP answers, the test core other ones; `undefined` if there is no list of at least two records. */
export async function spoilOf(world: World, read: ListRead, subject: Subject): Promise<Spoil | undefined> {
  if (!world.isOverHttp) {
    const { spoil } = world.core;
    const isList = countOf(world, read, subject) >= 2;
    return spoil && isList ? (spoiling, use) => whileSpoilt(spoil, spoiling, read, subject, use) : undefined;
  }
  const source = await sourceOf(world, read, subject);
  return source && ((spoiling, use) => world.under(source.change(changes[spoiling]), use));
}

function countOf({ personas }: World, read: ListRead, { customerRef, truth }: Subject): number {
  if (read !== 'accounts') return truth[read]?.length ?? 0;
  return personas.find((persona) => persona.customerRef === customerRef)?.accountRefs.length ?? 0;
}

const changes = {
  one: (records: unknown[]): void => void (records[1] = spoilt(records[1])),
  all: (records: unknown[]): void => void records.splice(0, records.length, ...records.map(spoilt)),
} as const;

export async function whileSpoilt<T>(
  spoil: NonNullable<TestCore['spoil']>,
  spoiling: Spoiling,
  read: ListRead,
  { customerRef, accountRef }: Subject,
  use: () => Promise<T>,
): Promise<T> {
  const restore = await spoil(spoiling, read, customerRef, accountRef);
  try {
    return await use();
  } finally {
    await restore();
  }
}

/** Where the records of a read come from: the last answer of the core that has a list of at least two. */
export interface RecordSource {
  readonly path: string;
  /** Rules under which the list is changed in place before the adapter sees it. */
  readonly change: (change: (records: unknown[]) => void) => CoreProxyRules;
  readonly records: readonly unknown[];
}

export async function sourceOf(world: World, read: ListRead, subject: Subject): Promise<RecordSource | undefined> {
  const named = world.kit.faults?.records;
  const recordsIn = (answer: unknown): unknown[] | undefined => named?.(read, answer) ?? longestList(answer);
  let source: { path: string; records: unknown[] } | undefined;
  await world.under(
    {
      onAnswer: (path, answer) => {
        const records = recordsIn(jsonOf(answer));
        if (records !== undefined && records.length >= 2) source = { path, records };
      },
    },
    () => askAny(world.adapter, read, subject),
  );
  if (source === undefined) return undefined;
  const { path, records } = source;
  return {
    path,
    records,
    change: (change) => ({
      inject: (request) =>
        request.path === path
          ? { kind: 'replace', by: (answer) => changed(answer, recordsIn, change) }
          : { kind: 'pass' },
    }),
  };
}

function changed(
  answer: CoreAnswer,
  recordsIn: (answer: unknown) => unknown[] | undefined,
  change: (records: unknown[]) => void,
): CoreAnswer {
  const json = jsonOf(answer);
  const records = recordsIn(json);
  if (records === undefined) return answer;
  change(records);
  return withJson(answer, json);
}
