import assert from 'node:assert/strict';
import type { AccountRead } from '../../core-adapter/core.adapter.js';
import type { CoreMoney, CoreTime } from '../../core-adapter/core.records.js';
import { type Leaf, leavesOf, pairs } from '../compare.js';
import type { Subject } from '../reads.js';
import type { Snapshot } from '../snapshot.js';
import type { World } from '../world.js';
import { itemsOf, withoutUnlistedRecords } from './answers.js';

export interface ComparedLeaf<T> {
  readonly read: AccountRead | 'account';
  readonly expected: T;
  readonly actual: T;
  readonly where: string;
  readonly pending: boolean;
}

interface LeafTypes {
  money: CoreMoney;
  times: CoreTime;
  scripts: string;
}

interface LeafClause<T> {
  /** The values that the clause is about, in its message when none was read. */
  readonly about: string;
  readonly concerns?: (compared: ComparedLeaf<T>) => boolean;
  readonly check: (compared: ComparedLeaf<T>) => void;
}

/** Each value of one kind that the truth has and the clause is about, with the value in the same place of the answer. */
export async function eachLeaf<K extends keyof LeafTypes>(
  world: World,
  kind: K,
  { about, concerns = () => true, check }: LeafClause<LeafTypes[K]>,
): Promise<void> {
  let checked = 0;
  for (const [subject, snapshot] of await world.everything()) {
    for (const [read, truth] of recordsOf(subject.truth)) {
      const answer =
        read === 'account' ? accountItems(snapshot) : withoutUnlistedRecords(read, subject, itemsOf(snapshot, read));
      for (const { expected, actual } of pairs(truth, answer)) {
        const found = new Map((leavesOf(actual)[kind] as Leaf<LeafTypes[K]>[]).map(({ path, value }) => [path, value]));
        for (const { path, value } of leavesOf(expected)[kind] as Leaf<LeafTypes[K]>[]) {
          const there = found.get(path);
          const where = `${read} of account ${subject.accountRef}: ${idOf(expected)}.${path}`;
          // The clause on the record checks its presence; a text that came out as ASCII has lost its script.
          if (there === undefined && kind !== 'scripts') continue;
          assert.ok(there !== undefined, `${where}: the text in another script is not there`);
          const pending = 'status' in expected && expected.status === 'pending';
          const compared = { read, expected: value, actual: there, where, pending };
          if (!concerns(compared)) continue;
          check(compared);
          checked++;
        }
      }
    }
  }
  assertRead(checked, about);
}

/** Fails a clause that had nothing to check. */
export function assertRead(checked: number, about: string): void {
  assert.ok(checked > 0, `there is no ${about} to compare: none was read`);
}

function idOf(record: object): string {
  const { id, kind } = record as { id?: string; kind?: string };
  return id ?? kind ?? '';
}

export function recordsOf(truth: Subject['truth']): [AccountRead | 'account', readonly object[]][] {
  const { account, international: _, earlierStatements: __, holderNames: ___, funds: ____, ...reads } = truth;
  return [['account', [account]], ...(Object.entries(reads) as [AccountRead, readonly object[]][])];
}

function accountItems({ account }: Snapshot): readonly object[] {
  return account instanceof Error ? [] : [account];
}
