import type { CoreAdapter, CoreTransactionsRead } from '../../packages/core-adapter/core.adapter.js';
import type {
  CoreTransaction,
  TransactionPosition,
  TransactionQuery,
} from '../../packages/core-adapter/core.records.js';
import { instantOf } from '../../src/open-banking/date-times.js';
import { withReads } from './wrapped-adapter.js';

/** An account's transactions that a test may change between requests, and the queries that it received. */
export class InMemoryHistory {
  readonly asked: TransactionQuery[] = [];
  /** Ids of rows that stand at their place but have an invalid day. */
  undatable: readonly string[] = [];
  /** Ids of rows that the adapter names as bad, with their place. */
  unreadable: readonly string[] = [];

  constructor(public rows: readonly CoreTransaction[] = []) {}

  /** The plain meaning of a query, by sorting and slicing the whole history. */
  read(query: TransactionQuery): Pick<CoreTransactionsRead, 'items' | 'more'> {
    this.asked.push(query);
    const fitting = this.rows.filter((row) => fits(row, query)).sort((a, b) => compare(positionOf(a), positionOf(b)));
    const { position, limit } = query;
    if (query.read === 'older') {
      const older = position === undefined ? fitting : fitting.filter((row) => compare(positionOf(row), position) < 0);
      return page(older.slice(-limit), older.length > limit);
    }
    const newer = position === undefined ? fitting : fitting.filter((row) => compare(positionOf(row), position) > 0);
    return page(newer.slice(0, limit), newer.length > limit);
  }

  /** The adapter, with this history as the transactions of every account. */
  in(adapter: CoreAdapter): CoreAdapter {
    return withReads(adapter, {
      transactions: async (accountRef, query, context) => ({
        account: await adapter.account(accountRef, context),
        ...this.spoiled(this.read(query)),
      }),
    });
  }

  private spoiled(read: ReturnType<InMemoryHistory['read']>): Omit<CoreTransactionsRead, 'account'> {
    const isGood = ({ id }: CoreTransaction): boolean => !this.unreadable.includes(id);
    const items = read.items
      .filter(isGood)
      .map((row) => (this.undatable.includes(row.id) ? { ...row, at: { date: '2026-02-30' } } : row));
    const bad = read.items
      .filter((row) => !isGood(row))
      .map((row) => ({ where: 'rows', fault: 'amount: missing', position: positionOf(row) }));
    return { ...read, items, bad };
  }
}

export function positionOf(row: CoreTransaction): TransactionPosition {
  return { atMs: instantOf(row.at), id: row.id };
}

/** By time, then by the code units of the id: below zero when `a` is older. */
function compare(a: TransactionPosition, b: TransactionPosition): number {
  return a.atMs - b.atMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function fits(row: CoreTransaction, { from, to, direction, status }: TransactionQuery): boolean {
  const atMs = instantOf(row.at);
  return (
    (from === undefined || atMs >= from.getTime()) &&
    (to === undefined || atMs < to.getTime()) &&
    (direction === undefined || (direction === 'debit') === row.amount.minorUnits < 0n) &&
    (status === undefined || row.status === status)
  );
}

function page(oldestFirst: CoreTransaction[], more: boolean): ReturnType<InMemoryHistory['read']> {
  return { items: oldestFirst.reverse(), more };
}
