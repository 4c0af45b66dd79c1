import { accountReads, type CoreAdapter, type CoreContext } from '../../packages/core-adapter/core.adapter.js';
import type { TransactionQuery } from '../../packages/core-adapter/core.records.js';

/** The adapter with some of its reads replaced; all else goes to it. */
export function withReads(adapter: CoreAdapter, reads: Partial<CoreAdapter>): CoreAdapter {
  return Object.assign(Object.create(adapter) as CoreAdapter, reads);
}

/** One read that the gateway asked of the core. */
export interface AskedRead {
  readonly read: string;
  readonly customerRef: string;
  /** Absent for the list of accounts. */
  readonly accountRef?: string;
  readonly query?: TransactionQuery;
}

const plainReads = ['account', ...accountReads.filter((read) => read !== 'transactions')] as const;

type AccountReader = (accountRef: string, context: CoreContext) => Promise<never>;

/** The adapter, which reports each read to `before` and waits for it. An error of `before` is the result of the read. */
export function watched(adapter: CoreAdapter, before: (asked: AskedRead) => unknown): CoreAdapter {
  const reads: Record<string, unknown> = {
    accounts: async (context: CoreContext) => {
      await before({ read: 'accounts', customerRef: context.customerRef });
      return adapter.accounts(context);
    },
    transactions: async (accountRef: string, query: TransactionQuery, context: CoreContext) => {
      await before({ read: 'transactions', customerRef: context.customerRef, accountRef, query });
      return adapter.transactions?.(accountRef, query, context);
    },
  };
  for (const read of plainReads) {
    reads[read] = async (accountRef: string, context: CoreContext) => {
      await before({ read, customerRef: context.customerRef, accountRef });
      return (adapter[read] as AccountReader).call(adapter, accountRef, context);
    };
  }
  return withReads(adapter, reads);
}
