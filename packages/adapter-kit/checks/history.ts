import assert from 'node:assert/strict';
import type { CoreTransactionsRead } from '../../core-adapter/core.adapter.js';
import type { CoreTransaction, TransactionQuery } from '../../core-adapter/core.records.js';
import { localDayOf } from '../../core-adapter/local-times.js';
import { same } from '../compare.js';
import { positionOf, select } from '../history-model.js';
import { history, type Subject, walk } from '../reads.js';
import type { World } from '../world.js';

export const ids = (rows: readonly CoreTransaction[]): string[] => rows.map(({ id }) => id);
export type SubjectWithRows = Subject & { readonly rows: readonly CoreTransaction[] };
export type Conditions = Pick<TransactionQuery, 'from' | 'to' | 'direction' | 'status'>;
const sorted = (names: readonly string[]): string[] => names.toSorted();

/** Accounts whose histories are worth asking: the largest ones, and some with pending transactions or days. */
export function histories(world: World): SubjectWithRows[] {
  world.richest('transactions');
  const subjects = world.subjects
    .filter(({ truth }) => truth.account.permitted)
    .map((subject) => ({ ...subject, rows: subject.truth.transactions ?? [] }))
    .filter(({ rows }) => rows.length > 0)
    .toSorted((a, b) => b.rows.length - a.rows.length);
  const interesting = subjects.filter(
    ({ rows }) => rows.some(({ status }) => status === 'pending') || rows.some(({ at }) => !(at instanceof Date)),
  );
  return [...new Set([...subjects.slice(0, 2), ...interesting.slice(0, 2)])];
}

const dayMs = 86_400_000;
const longestPage = 1000;
type Window = Pick<TransactionQuery, 'from' | 'to'>;

/** An example, where the generated queries ask everywhere: windows about rows, days and the ends of time. */
export async function windowsHold(world: World): Promise<void> {
  const at = (ms: number): Date => new Date(ms);
  for (const subject of histories(world)) {
    const newestFirst = select(subject.rows, { read: 'older', limit: Infinity }).items;
    const edges = [0, 0.5, 1].map((share) => newestFirst[Math.floor(share * (newestFirst.length - 1))]);
    const times = [...new Set(edges.flatMap((row) => (row === undefined ? [] : [positionOf(row).atMs])))];
    const windows: Window[] = times.flatMap((ms) => [
      { from: at(ms) },
      { to: at(ms) },
      { from: at(ms), to: at(ms + 1) },
      { from: at(ms - dayMs), to: at(ms + dayMs) },
    ]);
    windows.push({ from: at(-8.64e15), to: at(8.64e15) }, { from: at(8.64e15) }, { to: at(-8.64e15) });
    for (const window of windows) await assertSelected(world, subject, window);
  }
  await midnightsHold(world);
}

/** A core or an adapter that selects by days may take those of another clock than the port's, which has none. */
async function midnightsHold(world: World): Promise<void> {
  const rowsOf = ({ truth }: Subject): readonly CoreTransaction[] => truth.transactions ?? [];
  if (!world.subjects.some((subject) => rowsOf(subject).some(({ at }) => at instanceof Date))) return;
  const isNear = ({ at }: CoreTransaction): boolean =>
    at instanceof Date && localDayOf(at, 'Europe/London') !== at.toISOString().slice(0, 10);
  const subject = world.need(
    'transaction in the hour before midnight UTC on a day of summer time',
    (one) => one.truth.account.permitted && rowsOf(one).some(isNear),
  );
  const rows = rowsOf(subject);
  for (const row of rows.filter(isNear).slice(0, 3)) {
    const { atMs } = positionOf(row);
    const midnightMs = Math.ceil(atMs / dayMs) * dayMs;
    for (const [from, to] of [
      [atMs, atMs + 1],
      [atMs - 14 * dayMs, atMs],
      [midnightMs - dayMs, midnightMs],
      [midnightMs, midnightMs + dayMs],
    ] as const)
      await assertSelected(world, { ...subject, rows }, { from: new Date(from), to: new Date(to) });
  }
}

/** The answer has exactly the rows that the conditions select. */
async function assertSelected(world: World, subject: SubjectWithRows, conditions: Conditions): Promise<void> {
  const query: TransactionQuery = { read: 'older', limit: longestPage, ...conditions };
  const { items } = await page(world, subject, query);
  const expected = select(subject.rows, query).items;
  const where = `account ${subject.accountRef}, ${described(conditions)}`;
  same(sorted(ids(items)), sorted(ids(expected)), where);
  // A page that ends exactly where the rows end.
  const exact = { ...query, limit: Math.max(1, expected.length) };
  const { more } = await page(world, subject, exact);
  assert.equal(more, select(subject.rows, exact).more, `${where}, the first ${exact.limit}: more`);
}

export async function filtersHold(world: World): Promise<void> {
  for (const subject of histories(world))
    for (const direction of ['credit', 'debit', undefined] as const)
      for (const status of ['booked', undefined] as const) {
        await assertSelected(world, subject, { direction, status });
      }
}

export async function pagesGiveTheHistory(world: World): Promise<void> {
  world.need(
    `account with more than ${longestPage.toLocaleString('en')} transactions, which take two pages`,
    ({ truth }) => truth.account.permitted && (truth.transactions?.length ?? 0) > longestPage,
  );
  world.need('account with two transactions at the same time', ({ truth }) => haveTies(truth.transactions ?? []));
  for (const subject of histories(world)) {
    const count = subject.rows.length;
    for (const read of ['older', 'newer'] as const)
      for (const limit of count > 100 ? [longestPage, Math.ceil(count / 7)] : [1, 7]) {
        const query: TransactionQuery = { read, limit: Math.min(limit, longestPage) };
        const pages = await walk(world.adapter, subject, query);
        const where = `account ${subject.accountRef}, all pages of ${limit}, ${read}`;
        const found = pages.flatMap(({ items }) => ids(items));
        same(sorted(found), sorted(ids(subject.rows)), where);
      }
  }
}

function haveTies(rows: readonly CoreTransaction[]): boolean {
  return new Set(rows.map((row) => positionOf(row).atMs)).size < rows.length;
}

/** Pages are cut relative to rows: one that is added at the top neither repeats nor hides another. */
export async function bookingsMoveNoPage(world: World): Promise<void> {
  await world.elsewhere({}, async (there) => {
    const { book } = there.core;
    assert.ok(book, 'the test core cannot book: give it `book`, or say in `without` why it has none');
    const subject = there.richest('transactions');
    const before = ids(subject.truth.transactions ?? []);
    assert.ok(before.length >= 4, 'no account has the four transactions that two pages need');
    const pages = await walk(
      there.adapter,
      subject,
      { read: 'older', limit: Math.min(1000, Math.ceil(before.length / 4)) },
      () => book(subject.customerRef, subject.accountRef),
    );
    const found = pages.flatMap(({ items }) => ids(items));
    same(sorted(found), sorted(before), `account ${subject.accountRef}: the pages, with a booking after each`);
    const now = await walk(there.adapter, subject, { read: 'older', limit: 1000 });
    const booked = now.flatMap(({ items }) => items).length - before.length;
    assert.equal(
      booked,
      pages.length,
      'the test core was to book one transaction after each page, all newer than the rest',
    );
  });
}

export async function idsAreKept(world: World): Promise<void> {
  await world.elsewhere({}, async (there) => {
    const { settle } = there.core;
    assert.ok(settle, 'the test core cannot book a pending transaction: give it `settle`');
    const isPending = ({ status }: CoreTransaction): boolean => status === 'pending';
    const subject = there.need(
      'pending transaction',
      ({ truth }) => truth.account.permitted && truth.transactions?.some(isPending) === true,
    );
    const { id } = subject.truth.transactions?.find(isPending) as CoreTransaction;
    await settle(subject.customerRef, subject.accountRef, id);
    const rows = (await walk(there.adapter, subject, { read: 'older', limit: 1000 })).flatMap(({ items }) => items);
    const left = (subject.truth.transactions ?? []).filter((row) => isPending(row) && row.id !== id);
    same(
      sorted(ids(rows.filter(isPending))),
      sorted(ids(left)),
      `account ${subject.accountRef}: the pending transactions after one was booked`,
    );
    same(
      ids(rows.filter((row) => row.id === id && !isPending(row))),
      [id],
      `account ${subject.accountRef}: the id of the booked one`,
    );
  });
}

/** The page; of a read that fails, which one it was. */
async function page(world: World, subject: Subject, query: TransactionQuery): Promise<CoreTransactionsRead> {
  try {
    return await history(world.adapter, subject, query);
  } catch (error) {
    assert.fail(`account ${subject.accountRef}, ${described(query)}: ${(error as Error).message}`);
  }
}

export function described({ from, to, direction, status }: Conditions): string {
  const parts = [
    from && `from ${from.toISOString()}`,
    to && `to ${to.toISOString()}`,
    direction && `${direction}s`,
    status && `${status} only`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'everything' : parts.join(', ');
}
