import { accountReads, type CoreAdapter, type CoreContext } from '../../packages/core-adapter/core.adapter.js';
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

export const allReads = ['accounts', 'account', ...accountReads, 'fundsAvailable', 'findPaymentAccount'] as const;

/** The adapter, which reports each read to `before` and waits for it. An error of `before` is the result of the read. */
export function watched(adapter: CoreAdapter, before: (asked: AskedRead) => unknown): CoreAdapter {
  const reads = allReads.map((read) => {
    const method = adapter[read] as ((...given: unknown[]) => Promise<unknown>) | undefined;
    const reported = async (...given: unknown[]): Promise<unknown> => {
      const [accountRef, query] = given;
      const { customerRef = '' } = given.at(-1) as Partial<CoreContext>;
      await before({
        read,
        customerRef,
        ...(typeof accountRef === 'string' && { accountRef }),
        ...(read === 'transactions' && { query: query as TransactionQuery }),
      });
      return method?.apply(adapter, given);
    };
    return [read, method && reported];
  });
  return withReads(adapter, Object.fromEntries(reads) as Partial<CoreAdapter>);
}
