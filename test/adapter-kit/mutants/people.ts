import type { CoreItems } from '../../../packages/core-adapter/core.adapter.js';
import type { TestPersona } from '../../../packages/adapter-kit/adapter-under-test.js';
import { around } from './around.js';
import { keeping, mistakeIn, type Mutant } from './mutant.js';

/** The customer who holds the account. */
function holderOf(people: readonly TestPersona[], accountRef: string): string | undefined {
  return people.find(({ accountRefs }) => accountRefs.includes(accountRef))?.customerRef;
}

/** The place of the account among those of other customers; -1 for an own or an unknown account. */
function placeAmongOthers(people: readonly TestPersona[], customerRef: string, accountRef: string): number {
  const own = people.find((person) => person.customerRef === customerRef)?.accountRefs ?? [];
  const others = people.flatMap(({ accountRefs }) => accountRefs).filter((ref) => !own.includes(ref));
  return others.indexOf(accountRef);
}

/** Asks as the account's holder where the mistake says so. */
function asHolder(
  isMistaken: (people: readonly TestPersona[], customerRef: string, accountRef: string) => boolean,
): Mutant['make'] {
  return (adapter, { people }) =>
    around(adapter, (call, ask) => {
      const { accountRef, context } = call;
      const holder = holderOf(people, accountRef);
      return holder !== undefined && isMistaken(people, context.customerRef, accountRef)
        ? ask({ ...call, context: { ...context, customerRef: holder } })
        : ask(call);
    });
}

export const mutantsOfPeople: readonly Mutant[] = [
  {
    does: 'shows accounts of other customers beyond the third',
    clauses: ['CORE-08'],
    make: asHolder((people, customerRef, accountRef) => placeAmongOthers(people, customerRef, accountRef) > 2),
  },
  {
    does: 'shows accounts of others to the last customer of the bank',
    clauses: ['CORE-08'],
    make: asHolder(
      (people, customerRef, accountRef) =>
        customerRef === people.at(-1)?.customerRef && placeAmongOthers(people, customerRef, accountRef) >= 0,
    ),
  },
  {
    does: 'cuts the list of accounts after the twentieth',
    clauses: ['CORE-81'],
    make: mistakeIn(async (call, ask) => {
      const answer = await ask(call);
      return call.read === 'accounts' ? { ...answer, items: (answer as CoreItems<object>).items.slice(0, 20) } : answer;
    }),
  },
  {
    does: 'keeps answers for a moment by the account alone',
    clauses: ['CORE-08'],
    make: keeping(
      100,
      ({ read, query }) => read !== 'accounts' && query === undefined,
      () => 'anyone',
    ),
  },
  {
    does: 'compares references without regard to case',
    clauses: ['CORE-06', 'CORE-07', 'CORE-08'],
    make: (adapter, { people }) => {
      const same = (known: readonly string[], ref: string): string =>
        known.find((one) => one.toLowerCase() === ref.toLowerCase()) ?? ref;
      const customers = people.map(({ customerRef }) => customerRef);
      const accounts = people.flatMap(({ accountRefs }) => accountRefs);
      return around(adapter, (call, ask) =>
        ask({
          ...call,
          accountRef: same(accounts, call.accountRef),
          context: { ...call.context, customerRef: same(customers, call.context.customerRef) },
        }),
      );
    },
  },
  {
    does: 'gives each transaction once for each holder of the account',
    clauses: ['CORE-56'],
    make: (adapter, { people }) =>
      around(adapter, async (call, ask) => {
        const answer = await ask(call);
        const holders = people.filter(({ accountRefs }) => accountRefs.includes(call.accountRef)).length;
        if (call.read !== 'transactions' || holders < 2) return answer;
        const { items } = answer as CoreItems<object>;
        return { ...answer, items: items.flatMap((item) => [item, item]) };
      }),
  },
  {
    does: 'keeps the party by account and shows it to the second holder',
    clauses: ['CORE-12', 'CORE-56'],
    make: (adapter) => {
      const kept = new Map<string, Promise<object>>();
      return around(adapter, async (call, ask) => {
        if (call.read !== 'party') return ask(call);
        // The second holder must be one: the account is read first.
        await ask({ ...call, read: 'account' });
        const found = kept.get(call.accountRef) ?? ask(call);
        kept.set(call.accountRef, found);
        return found;
      });
    },
  },
];
