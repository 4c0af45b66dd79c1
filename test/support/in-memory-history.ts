import { positionOf, select } from '../../packages/adapter-kit/history-model.js';
import type { CoreAdapter, CoreTransactionsRead } from '../../packages/core-adapter/core.adapter.js';
import type { CoreTransaction, TransactionQuery } from '../../packages/core-adapter/core.records.js';
import { withReads } from './wrapped-adapter.js';

export { positionOf };

/** An account's transactions that a test may change between requests, and the queries that it received. */
export class InMemoryHistory {
  readonly asked: TransactionQuery[] = [];
  /** Ids of rows that stand at their place but have an invalid day. */
  undatable: readonly string[] = [];
  /** Ids of rows that the adapter names as bad, with their place. */
  unreadable: readonly string[] = [];

  constructor(public rows: readonly CoreTransaction[] = []) {}

  read(query: TransactionQuery): ReturnType<typeof select> {
    this.asked.push(query);
    return select(this.rows, query);
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

  private spoiled({ items, more }: ReturnType<typeof select>): Omit<CoreTransactionsRead, 'account'> {
    const isGood = ({ id }: CoreTransaction): boolean => !this.unreadable.includes(id);
    return {
      items: items
        .filter(isGood)
        .map((row) => (this.undatable.includes(row.id) ? { ...row, at: { date: '2026-02-30' } } : row)),
      bad: items
        .filter((row) => !isGood(row))
        .map((row) => ({ where: 'rows', fault: 'amount: missing', position: positionOf(row) })),
      more,
    };
  }
}
