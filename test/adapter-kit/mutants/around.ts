import { accountReads, type CoreAdapter, type CoreContext } from '../../../packages/core-adapter/core.adapter.js';
import type { FundsQuestion, StatedAccount } from '../../../packages/core-adapter/core.funds.js';
import type { TransactionQuery } from '../../../packages/core-adapter/core.records.js';
import { type AnyRead } from '../../../packages/adapter-kit/reads.js';

/** One call of the gateway to an adapter. */
export interface Call {
  readonly read: AnyRead;
  /** Empty with `accounts` and `findPaymentAccount`. */
  readonly accountRef: string;
  /** With `transactions`. */
  readonly query?: TransactionQuery;
  /** With `fundsAvailable`. */
  readonly question?: FundsQuestion;
  /** With `findPaymentAccount`, for which no customer is known. */
  readonly stated?: StatedAccount;
  readonly context: CoreContext;
}

/** No account was found. */
export const none = {};

/** Carries a call out by the right adapter. */
export type Ask = (call: Call) => Promise<object>;

/** Carries calls out by this adapter. */
export function asking(adapter: CoreAdapter): Ask {
  return ({ read, accountRef, query, question, stated, context }) => {
    if (read === 'accounts') return adapter.accounts(context);
    if (read === 'account') return adapter.account(accountRef, context);
    const all = adapter as Required<CoreAdapter>;
    if (read === 'fundsAvailable') return all.fundsAvailable(accountRef, question as FundsQuestion, context);
    // The mistakes are in answers, so an account that is not found has an answer, too.
    if (read === 'findPaymentAccount')
      return all.findPaymentAccount(stated as StatedAccount, context).then((found) => found ?? none);
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
  if (adapter.fundsAvailable !== undefined)
    reads.fundsAvailable = (accountRef: string, question: FundsQuestion, context: CoreContext) =>
      change({ read: 'fundsAvailable', accountRef, question, context }, ask);
  if (adapter.findPaymentAccount !== undefined)
    reads.findPaymentAccount = async (stated: StatedAccount, context: CoreContext) => {
      const found = await change({ read: 'findPaymentAccount', accountRef: '', stated, context }, ask);
      return found === none ? undefined : found;
    };
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
