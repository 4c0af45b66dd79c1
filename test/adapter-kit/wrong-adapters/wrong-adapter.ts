import type { AdapterUnderTest, ClauseId, TestPersona } from '../../../packages/adapter-kit/adapter-kit.js';
import type { AnyRead } from '../../../packages/adapter-kit/reads.js';
import type { CoreAdapter, CoreContext } from '../../../packages/core-adapter/core.adapter.js';
import type { FundsQuestion, StatedAccount } from '../../../packages/core-adapter/core.funds.js';
import type { CoreAccount, TransactionQuery } from '../../../packages/core-adapter/core.records.js';
import type { CoreServices } from '../../../packages/core-adapter/core-services.js';
import type { HttpCore } from '../../../packages/core-adapter/http-core.client.js';
import { allReads, withReads } from '../../support/wrapped-adapter.js';
import { withHttp } from '../right-kit.js';

/** A mistake that adapters make, and a clause that finds it; where its words are a rule, with the reason that the kit gives. */
export type WrongAdapter = readonly [clause: ClauseId, does: string, make: Make, reason?: string];
/** Makes the mistake in every adapter that the kit creates. */
export type Make = (kit: AdapterUnderTest) => AdapterUnderTest;

/** One call of the gateway to an adapter. */
export interface Call {
  readonly read: AnyRead;
  /** Empty with `accounts` and `findPaymentAccount`. */
  readonly accountRef: string;
  /** With `transactions`. */
  readonly query?: TransactionQuery;
  /** With `fundsAvailable`. */
  readonly question?: FundsQuestion;
  /** With `findPaymentAccount`. */
  readonly stated?: StatedAccount;
  readonly context: CoreContext;
}
/** Carries a call out by the right adapter. */
export type Ask = (call: Call) => Promise<Answer>;
export interface Answer {
  readonly items?: readonly object[];
  readonly bad?: readonly object[];
  readonly account?: CoreAccount;
}
/** The answer where no account has the number. */
export const none: Answer = {};

export interface Parts {
  readonly kit: AdapterUnderTest;
  readonly people: readonly TestPersona[];
  /** Another adapter with the same settings. */
  readonly another: () => Promise<CoreAdapter>;
  readonly services: CoreServices;
}

export function asking(adapter: CoreAdapter): Ask {
  return async ({ read, accountRef, query, question, stated, context }) => {
    const others: Partial<Record<AnyRead, readonly unknown[]>> = {
      accounts: [],
      transactions: [accountRef, query],
      fundsAvailable: [accountRef, question],
      findPaymentAccount: [stated],
    };
    const given = others[read] ?? [accountRef];
    const method = adapter[read] as (...given: unknown[]) => Promise<Answer | undefined>;
    return (await method.apply(adapter, [...given, context])) ?? none;
  };
}

/** The adapter with `change` in the place of each read. */
export function around(adapter: CoreAdapter, change: (call: Call, ask: Ask) => Promise<object>): CoreAdapter {
  const ask = asking(adapter);
  const changed = allReads
    .filter((read) => adapter[read] !== undefined)
    .map((read) => [
      read,
      async (...given: readonly unknown[]) => {
        const [first, second] = given;
        const call: Call = {
          read,
          accountRef: typeof first === 'string' ? first : '',
          ...(read === 'transactions' && { query: second as TransactionQuery }),
          ...(read === 'fundsAvailable' && { question: second as FundsQuestion }),
          ...(read === 'findPaymentAccount' && { stated: first as StatedAccount }),
          context: given.at(-1) as CoreContext,
        };
        const answer = await change(call, ask);
        return answer === none ? undefined : answer;
      },
    ]);
  return withReads(adapter, Object.fromEntries(changed));
}

/** A mistake of the adapter as a whole. */
export const adapter =
  (change: (right: CoreAdapter, parts: Parts) => CoreAdapter): Make =>
  (kit) => ({
    ...kit,
    create: async (...given) => {
      const another = async (): Promise<CoreAdapter> => kit.create(...given);
      return change(await another(), { kit, people: await kit.personas(), another, services: given[1] });
    },
  });

/** Other members in the place of the right ones. */
export const but = (own: (right: CoreAdapter) => Partial<CoreAdapter>): Make =>
  adapter((right) => withReads(right, own(right)));

/** A mistake in the calls, or in their answers; `begin` has the memory of the adapter. */
export const calls = (begin: (parts: Parts) => (call: Call, ask: Ask) => Promise<object>): Make =>
  adapter((right, parts) => around(right, begin(parts)));

/** A mistake in the answers of one read, or of all. */
export const answers = <T = Answer>(
  wanted: AnyRead | 'all',
  change: (answer: T & Answer, call: Call) => object,
): Make =>
  calls(() => async (call, ask) => {
    const answer = await ask(call);
    return wanted === 'all' || call.read === wanted ? change(answer as T & Answer, call) : answer;
  });

/** A mistake in the list of a read. */
export const list = <T extends object>(
  read: AnyRead,
  change: (items: readonly T[], call: Call) => readonly object[],
): Make => answers(read, (answer, call) => ({ ...answer, items: change((answer.items ?? []) as readonly T[], call) }));

/** A mistake in the records of one read, in the account with each read, or in all. */
export const records = <T extends object>(
  wanted: AnyRead | 'all',
  change: (record: T, account: CoreAccount | undefined) => object,
): Make =>
  answers('all', (answer, { read }) => {
    const [ofAccount, ofItems] = [['account', 'all'].includes(wanted), [read, 'all'].includes(wanted)];
    if (read === 'account') return ofAccount ? change(answer as unknown as T, undefined) : answer;
    const { account, items } = answer;
    const isChanged = ofItems || (ofAccount && read === 'accounts');
    return {
      ...answer,
      ...(ofAccount && account && { account: change(account as unknown as T, undefined) }),
      ...(isChanged && items && { items: items.map((item) => change(item as T, account)) }),
    };
  });

/** A mistake in the transport. */
export const http =
  (change: (right: HttpCore) => Partial<HttpCore>): Make =>
  (kit) => ({ ...kit, create: (settings, services) => kit.create(settings, withHttp(services, change)) });

/** Keeps answers for a while, by the key of the call. */
export const keeping = (
  forMs: number,
  isKept: (call: Call) => boolean,
  keyOf: (call: Call) => unknown = ({ read, accountRef, context }) => [read, accountRef, context.customerRef],
): Make =>
  calls(() => {
    const kept = new Map<string, { readonly untilMs: number; readonly answer: Promise<Answer> }>();
    return (call, ask) => {
      const key = JSON.stringify(keyOf(call));
      const before = kept.get(key);
      if (!isKept(call)) return ask(call);
      if (before !== undefined && before.untilMs > Date.now()) return before.answer;
      const answer = ask(call);
      answer.catch(() => kept.delete(key));
      kept.set(key, { untilMs: Date.now() + forMs, answer });
      return answer;
    };
  });
