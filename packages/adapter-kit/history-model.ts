import type { CoreTime, CoreTransaction, TransactionPosition, TransactionQuery } from '../core-adapter/core.records.js';

/** Milliseconds since 1970; a day without a time counts as its 00:00 UTC. */
export function msOf(time: CoreTime): number {
  return time instanceof Date ? time.getTime() : Date.parse(`${time.date}T00:00:00Z`);
}

/** The order of history: by time, then by the code units of the id. Below zero where `a` is the older. */
export function compare(a: TransactionPosition, b: TransactionPosition): number {
  return a.atMs - b.atMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

export function positionOf({ at, id }: CoreTransaction): TransactionPosition {
  return { atMs: msOf(at), id };
}

/** A place that every row is newer than, from which the rows are read towards the newest. */
export function beforeAll(rows: readonly CoreTransaction[]): TransactionPosition {
  return { atMs: Math.min(...rows.map(({ at }) => msOf(at))) - 1, id: '' };
}

/** The right answer to a query, found by looking at every row: newest first. */
export function select(
  rows: readonly CoreTransaction[],
  query: TransactionQuery,
): { items: CoreTransaction[]; more: boolean } {
  const { from, to, direction, status, position, limit } = query;
  const fitting = rows
    .map((row) => ({ row, ...positionOf(row) }))
    .filter(
      ({ row, atMs }) =>
        (from === undefined || atMs >= from.getTime()) &&
        (to === undefined || atMs < to.getTime()) &&
        (direction === undefined || (direction === 'debit') === row.amount.minorUnits < 0n) &&
        (status === undefined || row.status === status),
    )
    .sort((a, b) => compare(b, a));
  const older = query.read === 'older';
  const beyond =
    position === undefined
      ? fitting
      : fitting.filter((other) => (older ? compare(other, position) < 0 : compare(other, position) > 0));
  const found = older ? beyond.slice(0, limit) : beyond.slice(-limit);
  return { items: found.map(({ row }) => row), more: beyond.length > found.length };
}
