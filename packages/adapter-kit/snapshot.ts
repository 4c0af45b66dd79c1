import assert from 'node:assert/strict';
import type { AccountRead, CoreAdapter, CoreRead } from '../core-adapter/core.adapter.js';
import type { CoreAccount, CoreTransaction } from '../core-adapter/core.records.js';
import { isError } from './is-error.js';
import { ask, contextOf, type Subject, walk } from './reads.js';

/** The results of one account's reads; of a read that threw, its error. */
export type Snapshot = Readonly<Partial<Record<AccountRead, CoreRead<object> | Error>>> & {
  readonly account: CoreAccount | Error;
};

/** Each read of the account, once. */
export async function snapshotOf(
  adapter: CoreAdapter,
  reads: readonly AccountRead[],
  subject: Subject,
): Promise<Snapshot> {
  const attempt = async <T>(read: () => Promise<T>): Promise<T | Error> => {
    try {
      return await read();
    } catch (error) {
      return isError(error) ? new Error(error.message) : new Error('a value that is not an Error was thrown');
    }
  };
  const snapshot: Record<string, unknown> = {
    account: await attempt(() => adapter.account(subject.accountRef, contextOf(subject.customerRef))),
  };
  for (const read of reads)
    snapshot[read] = await attempt(() =>
      read === 'transactions' ? fullHistory(adapter, subject) : ask(adapter, read, subject),
    );
  return snapshot as Snapshot;
}

async function fullHistory(adapter: CoreAdapter, subject: Subject): Promise<CoreRead<CoreTransaction>> {
  const pages = await walk(adapter, subject, { read: 'older', limit: 1000 });
  const [first] = pages;
  assert.ok(first);
  return { account: first.account, items: pages.flatMap(({ items }) => items), bad: pages.flatMap(({ bad }) => bad) };
}
