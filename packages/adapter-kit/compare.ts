import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { CoreMoney, CoreTime } from '../core-adapter/core.records.js';

/** A value somewhere in a record, and where. */
export interface Leaf<T> {
  readonly path: string;
  readonly value: T;
}

interface Leaves {
  /** The values that no other clause checks, and for the other members only that they are present. */
  readonly plain: Leaf<string>[];
  readonly money: Leaf<CoreMoney>[];
  readonly times: Leaf<CoreTime>[];
  /** Texts with letters beyond ASCII. */
  readonly scripts: Leaf<string>[];
}

/** The record, divided by the subjects of the clauses. A member that is `undefined` counts as absent. */
export function leavesOf(record: object): Leaves {
  let leaves = taken.get(record);
  if (leaves === undefined) {
    leaves = { plain: [], money: [], times: [], scripts: [] };
    collect('', record, leaves);
    taken.set(record, leaves);
  }
  return leaves;
}

/** Cached, because records never change and many clauses read each one. */
const taken = new WeakMap<object, Leaves>();

/** The whole answer as one text, to compare two answers. */
export function textOf(answer: object): string {
  const { plain, money, times, scripts } = leavesOf(answer);
  return JSON.stringify([
    plain,
    money.map(({ path, value }) => [path, moneyText(value)]),
    times.map(({ path, value }) => [path, timeText(value)]),
    scripts,
  ]);
}

function collect(path: string, value: unknown, leaves: Leaves): void {
  if (value === undefined) return;
  if (isMoney(value)) {
    leaves.plain.push({ path, value: '(money)' });
    leaves.money.push({ path, value });
  } else if (isTime(value)) {
    leaves.plain.push({ path, value: '(time)' });
    leaves.times.push({ path, value });
  } else if (typeof value === 'string' && isForeign(value)) {
    leaves.plain.push({ path, value: '(text in another script)' });
    leaves.scripts.push({ path, value });
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value).sort())
      collect(path === '' ? name : `${path}.${name}`, (value as Record<string, unknown>)[name], leaves);
  } else if (checkedElsewhere.has(path)) {
    leaves.plain.push({ path, value: '(checked by its own clause)' });
  } else {
    leaves.plain.push({ path, value: inspect(value) });
  }
}

const checkedElsewhere = new Set(['cardLastFour', 'permitted']);

function isMoney(value: unknown): value is CoreMoney {
  return typeof value === 'object' && value !== null && 'minorUnits' in value && 'currency' in value;
}

function isTime(value: unknown): value is CoreTime {
  return value instanceof Date || (typeof value === 'object' && value !== null && 'date' in value);
}

export function isForeign(text: string): boolean {
  return /[^\x20-\x7e]/.test(text);
}

export function timeText(time: CoreTime): string {
  if (!(time instanceof Date)) return `the day ${String(time.date)}`;
  return Number.isNaN(time.getTime()) ? 'an invalid Date' : time.toISOString();
}

export function moneyText({ minorUnits, currency }: CoreMoney): string {
  return `${typeof minorUnits === 'bigint' ? `${minorUnits}n` : `${typeof minorUnits} ${String(minorUnits)}`} ${currency}`;
}

/** The members that distinguish a record from the others of its list, both in the truth and in the answer. */
function keyOf(record: object): string {
  const { id, ref, kind } = record as { id?: unknown; ref?: unknown; kind?: unknown };
  for (const key of [id, ref, kind]) if (typeof key === 'string') return key;
  return JSON.stringify(leavesOf(record).plain);
}

/** Each record of the truth with the one of the answer that is the same record. Records without a partner are omitted. */
export function pairs<T extends object>(truth: readonly T[], answer: readonly T[]): { expected: T; actual: T }[] {
  const byKey = new Map<string, T[]>();
  for (const item of answer) byKey.set(keyOf(item), [...(byKey.get(keyOf(item)) ?? []), item]);
  return truth.flatMap((expected) => {
    const actual = byKey.get(keyOf(expected))?.shift();
    return actual === undefined ? [] : [{ expected, actual }];
  });
}

/** Asserts that both lists have the same records, without the members that other clauses check: amounts, times, texts. */
export function assertSameRecords(truth: readonly object[], answer: readonly object[], where: string): void {
  const texts = (records: readonly object[]): string[] =>
    records
      .map((record) =>
        leavesOf(record)
          .plain.map(({ path, value }) => `${path}: ${value}`)
          .join(', '),
      )
      .sort();
  same(texts(answer), texts(truth), where);
}

/** As `assert.deepStrictEqual`, with the place in front and no more of a long list than the difference. */
export function same(actual: unknown, expected: unknown, where: string): void {
  try {
    assert.deepStrictEqual(actual, expected);
  } catch (error) {
    if (!(error instanceof assert.AssertionError)) throw error;
    assert.fail(`${where}\n${error.message}`);
  }
}
