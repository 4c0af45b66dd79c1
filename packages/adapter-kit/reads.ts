import assert from 'node:assert/strict';
import type {
  AccountRead,
  CoreAdapter,
  CoreContext,
  CoreItems,
  CoreRead,
  CoreTransactionsRead,
} from '../core-adapter/core.adapter.js';
import { type CoreError, isCoreError } from '../core-adapter/core-error.js';
import type { CoreAccount, TransactionPosition, TransactionQuery } from '../core-adapter/core.records.js';
import type { AccountTruth } from './adapter-under-test.js';
import { beforeAll, compare, positionOf } from './history-model.js';
import { isError } from './is-error.js';
import { readPatienceMs } from './patience.js';

const interactionId = '5a7f1c1e-0d1b-4c9e-9f60-3f3f6f1f7a11';

/** An account as one customer sees it, and the truth about it. */
export interface Subject {
  readonly customerRef: string;
  readonly accountRef: string;
  readonly truth: AccountTruth;
}

/** Every page, in the direction of the query. */
export async function walk(
  adapter: CoreAdapter,
  subject: Subject,
  query: TransactionQuery,
  afterPage: (page: CoreTransactionsRead) => Promise<void> = async () => {},
): Promise<CoreTransactionsRead[]> {
  const pages: CoreTransactionsRead[] = [];
  const most = 10 + Math.ceil(((subject.truth.transactions?.length ?? 0) * 2) / query.limit);
  const start = query.read === 'newer' ? beforeAll(subject.truth.transactions ?? []) : undefined;
  for (let { position = start } = query; ;) {
    const page = await history(adapter, subject, { ...query, position });
    pages.push(page);
    await afterPage(page);
    const edge = edgeOf(page, query.read);
    if (!page.more || edge === undefined) return pages;
    assert.ok(pages.length < most, 'the pages come to no end: `more` stays true although all rows have been read');
    position = edge;
  }
}

/** Where the next page begins: the last row of this one in the direction of reading, in whichever order it came. */
export function edgeOf(
  { items }: CoreTransactionsRead,
  read: TransactionQuery['read'],
): TransactionPosition | undefined {
  let edge: TransactionPosition | undefined;
  for (const position of items.map(positionOf))
    if (edge === undefined || (read === 'older' ? compare(position, edge) < 0 : compare(position, edge) > 0))
      edge = position;
  return edge;
}

export function history(
  adapter: CoreAdapter,
  subject: Pick<Subject, 'customerRef' | 'accountRef'>,
  query: TransactionQuery,
  context = contextOf(subject.customerRef),
): Promise<CoreTransactionsRead> {
  assert.ok('transactions' in adapter, 'the adapter has no read of transactions');
  return (adapter as Required<CoreAdapter>).transactions(subject.accountRef, query, context);
}

/** The page of transactions that {@link ask} reads. */
export const newest: TransactionQuery = { read: 'older', limit: 25 };

/** One read of an account, as the gateway would make it; of transactions the newest 25. */
export function ask(
  adapter: CoreAdapter,
  read: AccountRead,
  subject: Pick<Subject, 'customerRef' | 'accountRef'>,
  context = contextOf(subject.customerRef),
): Promise<CoreRead<object>> {
  if (read === 'transactions') return history(adapter, subject, newest, context);
  assert.ok(read in adapter, `the adapter has no read ${read}`);
  return (adapter as Required<CoreAdapter>)[read](subject.accountRef, context);
}

export type AnyRead = AccountRead | 'accounts' | 'account';

export function askAny(
  adapter: CoreAdapter,
  read: AnyRead,
  subject: Pick<Subject, 'customerRef' | 'accountRef'>,
  signal?: AbortSignal,
  context = contextOf(subject.customerRef, signal),
): Promise<CoreItems<object> | CoreAccount> {
  if (read === 'accounts') return adapter.accounts(context);
  if (read === 'account') return adapter.account(subject.accountRef, context);
  return ask(adapter, read, subject, context);
}

export function contextOf(customerRef: string, signal: AbortSignal = AbortSignal.timeout(readPatienceMs)): CoreContext {
  return { interactionId, customerRef, signal, tpp: 'the-tpp-of-the-kit', customerPresent: true };
}

/** The `CoreError` with which a read ends; anything else breaks the clause. */
export async function faultOf(reading: Promise<unknown>, where: string): Promise<CoreError> {
  let answer: unknown;
  try {
    answer = await reading;
  } catch (error) {
    assert.ok(
      isCoreError(error),
      `${where}: threw ${isError(error) ? error.name : typeof error} where only CoreError may be thrown`,
    );
    return error;
  }
  assert.fail(`${where}: answered${answer === undefined ? '' : ' with records'} where it has to throw a CoreError`);
}
