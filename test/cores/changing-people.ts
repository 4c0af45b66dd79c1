import type { AccountTruth, AdapterUnderTest, TestCore } from '../../packages/adapter-kit/adapter-kit.js';
import type { CoreMoney } from '../../packages/core-adapter/core.records.js';
import type { People } from './people.js';

/** The answers to the kit's questions about these people. */
export const knowing = (truths: People): Pick<AdapterUnderTest, 'personas' | 'truth'> => ({
  personas: () =>
    [...truths].map(([customerRef, accounts]) => ({
      customerRef,
      accountRefs: accounts.map(({ account }) => account.ref),
    })),
  truth: (customerRef, accountRef) =>
    truths.get(customerRef)?.find(({ account }) => account.ref === accountRef) as AccountTruth,
});

/** The changes for which the kit asks, made in the people; `write` brings the changed people into the core. */
export function changing(
  people: People,
  write: (people: People) => Promise<void>,
): Required<Pick<TestCore, 'book' | 'change' | 'open' | 'settle'>> {
  const now = new Map(people);
  const change = (accountRef: string, one: (truth: AccountTruth) => AccountTruth): Promise<void> => {
    for (const [ref, accounts] of now)
      now.set(
        ref,
        accounts.map((truth) => (truth.account.ref === accountRef ? one(truth) : truth)),
      );
    return write(now);
  };
  let booked = 0;
  return {
    change: (what, _, accountRef) =>
      change(accountRef, (truth) =>
        what === 'access'
          ? { ...truth, account: { ...truth.account, permitted: false } }
          : { ...truth, balances: (truth.balances ?? []).map((row) => ({ ...row, amount: oneLess(row.amount) })) },
      ),
    open: (customerRef, count) => {
      const accounts = now.get(customerRef) as readonly [AccountTruth, ...AccountTruth[]];
      const [{ account, balances = [] }] = accounts;
      const more = Array.from({ length: count }, (_, index): AccountTruth => ({
        account: {
          ...account,
          ref: String(400_000 + index),
          accountNumber: String(40_000_000 + index),
          iban: undefined,
        },
        balances,
      }));
      now.set(customerRef, [...accounts, ...more]);
      return write(now);
    },
    book: (_, accountRef) => {
      const [id, at] = [String(990_000 + ++booked), new Date(firstBookingMs + booked * 86_400_000)];
      return change(accountRef, ({ account, transactions = [], ...truth }) => {
        const amount = { minorUnits: 5n, currency: account.currency };
        return { ...truth, account, transactions: [...transactions, { id, status: 'booked', at, amount }] };
      });
    },
    settle: (_, accountRef, id) =>
      change(accountRef, ({ transactions = [], ...truth }) => {
        const settled = { status: 'booked', at: new Date(firstBookingMs), expectedBookingAt: undefined } as const;
        return { ...truth, transactions: transactions.map((row) => (row.id === id ? { ...row, ...settled } : row)) };
      }),
  };
}

const firstBookingMs = Date.parse('2026-12-01T08:00:00Z');

const oneLess = ({ minorUnits, currency }: CoreMoney): CoreMoney => ({ minorUnits: minorUnits - 1n, currency });
