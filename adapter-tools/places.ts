import type { CoreAnswer } from '../packages/adapter-kit/core-proxy.js';
import { isRecord, jsonOf } from '../packages/adapter-kit/spoil.js';

/** Where a record stands in one of the core's answers. */
export interface Place {
  readonly path: string;
  readonly record: Record<string, unknown>;
  /** Its neighbours in the list, where values of the same kind are found. */
  readonly others: readonly unknown[];
  readonly single: boolean;
  /** The whole answer with another record in its place. */
  readonly with: (record: unknown) => unknown;
}

/** Those of the last answer come first: the earlier requests identify the customer and the account. */
export function placesOf(answers: ReadonlyMap<string, CoreAnswer>, single: boolean): Place[] {
  return [...answers].reverse().flatMap(([path, answer]): Place[] => {
    const json = jsonOf(answer);
    if (single && isRecord(json)) return [{ path, record: json, others: [], single, with: (record) => record }];
    return listsIn(json).flatMap((list, which) =>
      list.map((record, index) => ({
        path,
        record,
        others: list.filter((other) => other !== record),
        single: false,
        with: (changed) => {
          const copy = jsonOf(answer);
          listsIn(copy)[which]?.splice(index, 1, changed as Record<string, unknown>);
          return copy;
        },
      })),
    );
  });
}

/** Every list of records anywhere in the answer, the longest first: an answer may have lists of several kinds. */
function listsIn(answer: unknown): Record<string, unknown>[][] {
  const lists: Record<string, unknown>[][] = [];
  const look = (value: unknown): void => {
    if (Array.isArray(value) && value.length > 0 && value.every(isRecord)) lists.push(value);
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(look);
  };
  look(answer);
  return lists.sort((a, b) => b.length - a.length);
}

export interface Field {
  readonly path: readonly string[];
  readonly value: unknown;
}

export function leavesOf(value: unknown, path: readonly string[] = []): Field[] {
  return isRecord(value) || (Array.isArray(value) && value.some(isRecord))
    ? Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]))
    : [{ path, value }];
}

/** The record with the field taken away, with those of its neighbours, and with others of its kind. */
export function* variantsOf({ record, others }: Place, { path, value }: Field): Generator<unknown> {
  yield replaced(record, path, undefined);
  const seen = new Set([JSON.stringify(value)]);
  for (const other of others) {
    const theirs = leavesOf(other).find((field) => field.path.join() === path.join())?.value;
    if (seen.has(JSON.stringify(theirs)) || theirs === undefined || seen.size > 4) continue;
    seen.add(JSON.stringify(theirs));
    yield replaced(record, path, theirs);
  }
  if (typeof value === 'number') yield replaced(record, path, value + 1);
  if (typeof value === 'boolean') yield replaced(record, path, !value);
  if (typeof value === 'string') {
    yield replaced(
      record,
      path,
      value.replace(/\d/, (digit) => (digit === '2' ? '1' : '2')),
    );
    yield replaced(
      record,
      path,
      value.replace(/\d(?=\D*$)/, (digit) => (digit === '8' ? '7' : '8')),
    );
    yield replaced(record, path, `${value}X`);
  }
}

function replaced(record: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const inner = (record as Record<string, unknown>)[name];
  const changed = rest.length > 0 ? replaced(inner, rest, value) : value;
  if (Array.isArray(record))
    return (record as unknown[]).map((item, index) => (String(index) === name ? changed : item));
  const { [name]: _, ...others } = record as Record<string, unknown>;
  return changed === undefined ? others : { ...(record as object), [name]: changed };
}
