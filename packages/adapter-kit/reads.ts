import assert from 'node:assert/strict';
import type {
  AccountRead,
  CoreAdapter,
  CoreContext,
  CoreItems,
  CoreRead,
  CoreTransactionsRead,
  FundsRead,
} from '../core-adapter/core.adapter.js';
import { payeeNumber } from '../core-adapter/account-numbers.js';
import type { CoreFunds, FoundAccount, FundsQuestion, StatedAccount } from '../core-adapter/core.funds.js';
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

export type AnyRead = AccountRead | FundsRead | 'accounts' | 'account';
/** A read that answers with a list of records. */
export type ListRead = AccountRead | 'accounts';
/** The answer of any read. */
export type AnyAnswer = CoreItems<object> | CoreAccount | CoreFunds | FoundAccount | NotFound;
/** No account has the number. */
interface NotFound {
  readonly holderNames: readonly [];
}

export function askAny(
  adapter: CoreAdapter,
  read: AnyRead,
  subject: Pick<Subject, 'customerRef' | 'accountRef'> & Partial<Pick<Subject, 'truth'>>,
  signal?: AbortSignal,
  context = contextOf(subject.customerRef, signal),
): Promise<AnyAnswer> {
  if (read === 'accounts') return adapter.accounts(context);
  if (read === 'account') return adapter.account(subject.accountRef, context);
  if (read === 'findPaymentAccount') return findOf(adapter, subject.truth, context);
  if (read === 'fundsAvailable') {
    const amount = { minorUnits: 1n, currency: subject.truth?.account.currency ?? 'GBP' };
    return askFunds(adapter, subject, { amount, countOverdraft: false }, context);
  }
  return ask(adapter, read, subject, context);
}

/** The numbers by which the account can be found. */
export function numbersOf({ sortCode, accountNumber, iban }: CoreAccount): StatedAccount[] {
  const numbers = [
    { scheme: 'sort-code', number: sortCode && accountNumber && sortCode + accountNumber },
    { scheme: 'iban', number: iban },
  ] as const;
  return numbers.flatMap(({ scheme, number }) => {
    const identification = number && payeeNumber(scheme, number);
    return identification ? [{ scheme, identification }] : [];
  });
}

export function find(
  adapter: CoreAdapter,
  stated: StatedAccount,
  { interactionId: id, signal, tpp }: Pick<CoreContext, 'interactionId' | 'signal' | 'tpp'> = contextOf(''),
): Promise<FoundAccount | undefined> {
  assert.ok('findPaymentAccount' in adapter, 'the adapter has no read findPaymentAccount');
  return (adapter as Required<CoreAdapter>).findPaymentAccount(stated, {
    interactionId: id,
    signal,
    ...(tpp && { tpp }),
  });
}

async function findOf(
  adapter: CoreAdapter,
  truth: AccountTruth | undefined,
  context: CoreContext,
): Promise<FoundAccount | NotFound> {
  const [stated] = truth === undefined ? [] : numbersOf(truth.account);
  assert.ok(stated, 'the account has no number by which it can be found');
  return (await find(adapter, stated, context)) ?? { holderNames: [] };
}

export function askFunds(
  adapter: CoreAdapter,
  { customerRef, accountRef }: Pick<Subject, 'customerRef' | 'accountRef'>,
  question: FundsQuestion,
  context = contextOf(customerRef),
): Promise<CoreFunds> {
  assert.ok('fundsAvailable' in adapter, 'the adapter has no read fundsAvailable');
  return (adapter as Required<CoreAdapter>).fundsAvailable(accountRef, question, context);
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
