import { accountReads, type CoreAdapter, type CoreContext } from '../../../packages/core-adapter/core.adapter.js';
import type { TransactionQuery } from '../../../packages/core-adapter/core.records.js';
import { type AnyRead } from '../../../packages/adapter-kit/reads.js';

/** One call of the gateway to an adapter. */
export interface Call {
  readonly read: AnyRead;
  /** Empty with `accounts`. */
  readonly accountRef: string;
  /** With `transactions`. */
  readonly query?: TransactionQuery;
  readonly context: CoreContext;
}

/** Carries a call out by the right adapter. */
export type Ask = (call: Call) => Promise<object>;

/** Carries calls out by this adapter. */
export function asking(adapter: CoreAdapter): Ask {
  return ({ read, accountRef, query, context }) => {
    if (read === 'accounts') return adapter.accounts(context);
    if (read === 'account') return adapter.account(accountRef, context);
    const all = adapter as Required<CoreAdapter>;
    return read === 'transactions'
      ? all.transactions(accountRef, query as TransactionQuery, context)
      : all[read](accountRef, context);
  };
}

/** The adapter with each of its reads replaced by `change`, which may ask the right adapter. */
export function around(adapter: CoreAdapter, change: (call: Call, ask: Ask) => Promise<object>): CoreAdapter {
  const ask = asking(adapter);
  const reads: Record<string, unknown> = {
    accounts: (context: CoreContext) => change({ read: 'accounts', accountRef: '', context }, ask),
    account: (accountRef: string, context: CoreContext) => change({ read: 'account', accountRef, context }, ask),
  };
  for (const read of accountReads) {
    if (adapter[read] === undefined) continue;
    reads[read] =
      read === 'transactions'
        ? (accountRef: string, query: TransactionQuery, context: CoreContext) =>
            change({ read, accountRef, query, context }, ask)
        : (accountRef: string, context: CoreContext) => change({ read, accountRef, context }, ask);
  }
  return {
    name: adapter.name,
    pending: adapter.pending,
    maxTransactionHistory: adapter.maxTransactionHistory,
    connectionsPerRead: adapter.connectionsPerRead,
    missing: adapter.missing,
    health: (signal: AbortSignal) => adapter.health(signal),
    close: () => adapter.close(),
    ...reads,
  } as CoreAdapter;
}
