import {
  accountReads,
  type CallContext,
  type CoreAdapter,
  type CoreContext,
} from '../../packages/core-adapter/core.adapter.js';
import type { FundsQuestion, StatedAccount } from '../../packages/core-adapter/core.funds.js';
import type { TransactionQuery } from '../../packages/core-adapter/core.records.js';

/** The adapter with some of its reads replaced; all else goes to it. */
export function withReads(adapter: CoreAdapter, reads: Partial<CoreAdapter>): CoreAdapter {
  return Object.assign(Object.create(adapter) as CoreAdapter, reads);
}

/** One read that the gateway asked of the core. */
export interface AskedRead {
  readonly read: string;
  /** Empty for the search of an account by its number. */
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
  if (adapter.findPaymentAccount !== undefined)
    reads.findPaymentAccount = async (stated: StatedAccount, context: CallContext) => {
      await before({ read: 'findPaymentAccount', customerRef: '' });
      return adapter.findPaymentAccount?.(stated, context);
    };
  if (adapter.fundsAvailable !== undefined)
    reads.fundsAvailable = async (accountRef: string, question: FundsQuestion, context: CoreContext) => {
      await before({ read: 'fundsAvailable', customerRef: context.customerRef, accountRef });
      return adapter.fundsAvailable?.(accountRef, question, context);
    };
  for (const read of plainReads) {
    reads[read] = async (accountRef: string, context: CoreContext) => {
      await before({ read, customerRef: context.customerRef, accountRef });
      return (adapter[read] as AccountReader).call(adapter, accountRef, context);
    };
  }
  return withReads(adapter, reads);
}
