import type { CoreTime, CoreTransaction, TransactionPosition, TransactionQuery } from './core.records.js';

/** Milliseconds since 1970; a day without a time counts as its 00:00 UTC. */
export function timeMs(time: CoreTime): number {
  return time instanceof Date ? time.getTime() : Date.parse(`${time.date}T00:00:00Z`);
}

/** The order of history: by time, then by the code units of the id. Below zero where `a` is the older. */
export function comparePositions(a: TransactionPosition, b: TransactionPosition): number {
  if (a.atMs !== b.atMs) return a.atMs - b.atMs;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}

/** Whether the place is in the part of history that the query asks for: between its times, and beyond its position. */
export function isInRange(row: TransactionPosition, { from, to, read, position }: TransactionQuery): boolean {
  if (from !== undefined && row.atMs < from.getTime()) return false;
  if (to !== undefined && row.atMs >= to.getTime()) return false;
  if (position === undefined) return true;
  const apart = comparePositions(row, position);
  return read === 'older' ? apart < 0 : apart > 0;
}

/** Whether the transaction has the direction and the status that the query asks for. */
export function isOfKind({ amount, status }: CoreTransaction, query: TransactionQuery): boolean {
  if (query.direction !== undefined && amount.minorUnits < 0n !== (query.direction === 'debit')) return false;
  return query.status === undefined || status === query.status;
}
