// Nightly: it tests the kit, a tool for banks, with wrong adapters.
import { setTimeout as pause } from 'node:timers/promises';
import type { TestPersona } from '../../../packages/adapter-kit/adapter-kit.js';
import { CoreError } from '../../../packages/core-adapter/core-error.js';
import { CoreSettingFault } from '../../../packages/core-adapter/core-settings.js';
import type { CoreAccount } from '../../../packages/core-adapter/core.records.js';
import { findsEach } from './finds-each.js';
import {
  answers,
  but,
  type Call,
  calls,
  keeping,
  list,
  type Make,
  records,
  type WrongAdapter,
} from './wrong-adapter.js';

/** Asks with other references. */
const asks = (whose: 'account' | 'customer', change: (ref: string) => string): Make =>
  calls(
    () => (call, ask) =>
      ask(
        whose === 'account'
          ? { ...call, accountRef: change(call.accountRef) }
          : { ...call, context: { ...call.context, customerRef: change(call.context.customerRef) } },
      ),
  );

function decoded(ref: string): string {
  try {
    return decodeURIComponent(ref);
  } catch {
    return ref;
  }
}

const holderOf = (people: readonly TestPersona[], accountRef: string): string | undefined =>
  people.find(({ accountRefs }) => accountRefs.includes(accountRef))?.customerRef;

/** Asks as the account's first holder where the mistake says so; `place` is the account's among those of others, or -1. */
const asHolder = (isMistaken: (call: Call, place: number, people: readonly TestPersona[]) => boolean): Make =>
  calls(({ people }) => (call, ask) => {
    const { accountRef, context } = call;
    const own = people.find(({ customerRef }) => customerRef === context.customerRef)?.accountRefs ?? [];
    const others = people.flatMap(({ accountRefs }) => accountRefs).filter((ref) => !own.includes(ref));
    const holder = holderOf(people, accountRef);
    return holder !== undefined && isMistaken(call, others.indexOf(accountRef), people)
      ? ask({ ...call, context: { ...context, customerRef: holder } })
      : ask(call);
  });

/** Gives calls that agree in `keyOf` one answer while the first of them is under way. */
const sharing = (keyOf: (call: Call) => unknown): Make =>
  calls(() => {
    const pending = new Map<string, Promise<object>>();
    return (call, ask) => {
      if (call.context.signal.aborted) return ask(call);
      const key = JSON.stringify(keyOf(call));
      const answer = pending.get(key) ?? ask(call);
      pending.set(key, answer);
      const end = (): void => void pending.delete(key);
      answer.then(end, end);
      return answer;
    };
  });

/** Keeps the state of accounts for half a minute, and puts it into the account of each answer. */
function keepsState(): Make {
  const kept = new Map<string, boolean>();
  return records<CoreAccount>('account', (account) => {
    const permitted = kept.get(account.ref) ?? account.permitted;
    kept.set(account.ref, permitted);
    return { ...account, permitted };
  });
}

findsEach([
  [
    'CORE-01',
    'takes whatever it is given for a token',
    (kit) => ({
      ...kit,
      create: async (settings, services) => {
        const created = async (token?: string) =>
          kit.create({ ...settings, variables: { ...settings.variables, CORE_TOKEN: token ?? '' } }, services);
        return created(settings.variables['CORE_TOKEN']).catch((error: unknown) => {
          if (error instanceof CoreSettingFault) return created('any');
          throw error as Error;
        });
      },
    }),
  ],
  ['CORE-02', 'declares a read missing that it serves', but(() => ({ missing: { offers: 'the core has no offers' } }))],
  ['CORE-02', 'declares no pending transactions while there are some', but(() => ({ pending: 'none' }))],
  [
    'CORE-03',
    'shouts the names of accounts',
    records<CoreAccount>('account', ({ description, ...account }) => ({
      ...account,
      description: description?.toUpperCase(),
    })),
  ],
  [
    'CORE-04',
    'turns the list round every second time',
    calls(() => {
      let times = 0;
      return async (call, ask) => {
        const { items = [], ...answer } = await ask(call);
        return call.read !== 'accounts' ? ask(call) : { ...answer, items: times++ % 2 ? items.toReversed() : items };
      };
    }),
  ],
  [
    'CORE-05',
    'takes an account that is read alone for a business’s',
    answers('account', (one) => ({ ...one, holder: 'business' })),
  ],
  [
    'CORE-05',
    'gives another description of the account with its funds',
    answers('fundsAvailable', (found) => ({ ...found, account: { ...found.account, description: 'Account' } })),
  ],
  ...(['account', 'customer'] as const).flatMap((whose): WrongAdapter[] => {
    const [clause, of] =
      whose === 'account' ? (['CORE-06', 'an account'] as const) : (['CORE-08', 'a customer'] as const);
    return [
      [clause, `trims the reference of ${of}`, asks(whose, (ref) => ref.trim())],
      [clause, `decodes the reference of ${of}`, asks(whose, decoded)],
      [clause, `normalises the reference of ${of}`, asks(whose, (ref) => ref.normalize('NFKC'))],
      [clause, `drops leading zeros of the reference of ${of}`, asks(whose, (ref) => ref.replace(/^0+(?=.)/, ''))],
    ];
  }),
  [
    'CORE-06',
    'calls a strange reference a bad record',
    calls(() => async (call, ask) => {
      if (call.accountRef.includes('?')) throw new CoreError('bad-record', 'not a reference');
      return ask(call);
    }),
  ],
  [
    'CORE-06',
    'compares references without regard to case',
    calls(({ people }) => {
      const known = people.flatMap(({ accountRefs }) => accountRefs);
      const same = (ref: string) => known.find((one) => one.toLowerCase() === ref.toLowerCase()) ?? ref;
      return (call, ask) => ask({ ...call, accountRef: same(call.accountRef) });
    }),
  ],
  [
    'CORE-07',
    'knows no customer without accounts',
    list('accounts', (items) => {
      if (items.length === 0) throw new CoreError('account-not-found', 'no such customer');
      return items;
    }),
  ],
  ['CORE-08', 'shows accounts of other customers beyond the third', asHolder((_, place) => place > 2)],
  [
    'CORE-08',
    'shows accounts of others to the last customer of the bank',
    asHolder(({ context }, place, people) => context.customerRef === people.at(-1)?.customerRef && place >= 0),
  ],
  ['CORE-08', 'confirms the funds of accounts of other customers', asHolder(({ read }) => read === 'fundsAvailable')],
  [
    'CORE-08',
    'keeps answers for a moment by the account alone',
    keeping(
      100,
      ({ read, query }) => read !== 'accounts' && query === undefined,
      ({ read, accountRef }) => [read, accountRef],
    ),
  ],
  ['CORE-09', 'permits every account', records('account', (account) => ({ ...account, permitted: true }))],
  [
    'CORE-41',
    'shows the whole number of a card',
    records<CoreAccount>('account', ({ cardLastFour: last, ...account }) => ({
      ...account,
      ...(last !== undefined && { cardLastFour: `492900000000${last}` }),
    })),
  ],
  [
    'CORE-53',
    'remembers one account at a time',
    calls(() => {
      let asked = '';
      return async (call, ask) => {
        asked = call.accountRef;
        await pause(1);
        return ask(call.read === 'account' ? { ...call, accountRef: asked } : call);
      };
    }),
  ],
  [
    'CORE-56',
    'gives each transaction once for each holder of the account',
    calls(({ people }) => async (call, ask) => {
      const { items = [], ...answer } = await ask(call);
      const holders = people.filter(({ accountRefs }) => accountRefs.includes(call.accountRef));
      if (call.read !== 'transactions') return ask(call);
      return { ...answer, items: items.flatMap((item) => holders.map(() => item)) };
    }),
  ],
  [
    'CORE-56',
    'keeps the party by account and shows it to the second holder',
    calls(() => {
      const kept = new Map<string, Promise<object>>();
      return async (call, ask) => {
        if (call.read !== 'party') return ask(call);
        // The second holder must be one: the account is read first.
        await ask({ ...call, read: 'account' });
        const found = kept.get(call.accountRef) ?? ask(call);
        kept.set(call.accountRef, found);
        return found;
      };
    }),
  ],
  ['CORE-59', 'keeps the state of an account', (kit) => keepsState()(kit)],
  ['CORE-59', 'keeps the list of accounts for five minutes', keeping(300_000, ({ read }) => read === 'accounts')],
  ['CORE-59', 'keeps balances for a minute', keeping(60_000, ({ read }) => read === 'balances')],
  [
    'CORE-66',
    'gives equal reads at once of two customers one answer',
    sharing(({ read, accountRef, query, context }) => [read, accountRef || context.customerRef, query]),
  ],
  [
    'CORE-66',
    'ends equal reads at once with the signal of the first',
    sharing(({ read, accountRef, query, context }) => [read, accountRef, context.customerRef, query]),
  ],
  [
    'CORE-66',
    'keeps the customer of the last read for all reads under way',
    calls(() => {
      let customerRef = '';
      return async (call, ask) => {
        ({ customerRef } = call.context);
        await Promise.resolve();
        return ask({ ...call, context: { ...call.context, customerRef } });
      };
    }),
  ],
  [
    'CORE-81',
    'cuts the list of accounts after the twentieth',
    list('accounts', (items) => items.slice(0, 20)),
    'accounts of C4001: 20 where the core has 108: read the core’s list to its end',
  ],
]);
