import assert from 'node:assert/strict';
import type { CoreTransaction, TransactionQuery } from '../../core-adapter/core.records.js';
import { same } from '../compare.js';
import { positionOf, select } from '../history-model.js';
import { history, type Subject, walk } from '../reads.js';
import type { World } from '../world.js';
import { type Conditions, described, histories, ids, type SubjectWithRows } from './history.js';

/** An adapter may keep a condition on the first page and forget it on the next, or miscount under it. */
export async function pagesOfAQueryAreTheWhole(world: World): Promise<void> {
  const ofSameTime = ({ truth }: Subject): boolean => tiesOf(truth.transactions ?? []).length > 0;
  world.need('account with two transactions at the same time', ofSameTime);
  for (const subject of histories(world)) {
    for (const conditions of conditionsFor(subject.rows))
      for (const read of ['older', 'newer'] as const) await pagesHold(world, subject, { ...conditions, read });
    await tiesHold(world, subject);
  }
}

function conditionsFor(rows: readonly CoreTransaction[]): Conditions[] {
  const newestFirst = select(rows, { read: 'older', limit: Infinity }).items;
  const at = (share: number): Date =>
    new Date(positionOf(newestFirst[Math.floor(share * (newestFirst.length - 1))] as CoreTransaction).atMs);
  return [
    { direction: 'credit' },
    { direction: 'debit' },
    { status: 'booked' },
    { from: at(0.8), to: at(0.2) },
    { from: at(0.9), to: at(0.1), direction: 'debit', status: 'booked' },
  ];
}

/** Three pages, and one that ends exactly where the rows end. */
async function pagesHold(
  world: World,
  subject: SubjectWithRows,
  query: Omit<TransactionQuery, 'limit'>,
): Promise<void> {
  const expected = select(subject.rows, { ...query, limit: Infinity });
  const count = expected.items.length;
  if (count === 0) return;
  for (const limit of new Set([Math.ceil(count / 3), count].map((one) => Math.min(one, 1000)))) {
    const where = `account ${subject.accountRef}, ${described(query)}, pages of ${limit}, ${query.read}`;
    const pages = await walk(world.adapter, subject, { ...query, limit });
    same(ids(pages.flatMap(({ items }) => items)).toSorted(), ids(expected.items).toSorted(), where);
    assert.equal(pages.length, Math.ceil(count / limit), `${where}: \`more\` is true where nothing more comes`);
  }
}

/** Rows of the same time on both sides of a page's edge. */
async function tiesHold(world: World, subject: SubjectWithRows): Promise<void> {
  for (const row of tiesOf(subject.rows).slice(0, 10))
    for (const read of ['older', 'newer'] as const) {
      const query = { read, position: positionOf(row), limit: 2 } as const;
      const { items } = await history(world.adapter, subject, query);
      const where = `account ${subject.accountRef}, the two rows ${read} than a row that shares its time`;
      same(ids(items), ids(select(subject.rows, query).items), where);
    }
}

/** The transactions that have the time of another. */
function tiesOf(rows: readonly CoreTransaction[]): CoreTransaction[] {
  const seen = new Map<number, number>();
  const timeOf = (row: CoreTransaction): number => positionOf(row).atMs;
  for (const row of rows) seen.set(timeOf(row), (seen.get(timeOf(row)) ?? 0) + 1);
  return rows.filter((row) => (seen.get(timeOf(row)) ?? 0) > 1);
}
