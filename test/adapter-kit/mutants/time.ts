import type { CoreRead } from '../../../packages/core-adapter/core.adapter.js';
import type { CoreAccount, CoreBalance, CoreTransaction } from '../../../packages/core-adapter/core.records.js';
import { msOf } from '../../../packages/adapter-kit/history-model.js';
import { around } from './around.js';
import { keeping, type Mutant, mistakeInRecords } from './mutant.js';

const dayMs = 86_400_000;

/** Keeps the state of accounts and puts it into the account of each answer. */
function keepingState(forMs: number): Mutant['make'] {
  return (adapter) => {
    const kept = new Map<string, { readonly untilMs: number; readonly permitted: boolean }>();
    const aged = (account: CoreAccount): CoreAccount => {
      const before = kept.get(account.ref);
      if (before !== undefined && before.untilMs > Date.now()) return { ...account, permitted: before.permitted };
      kept.set(account.ref, { untilMs: Date.now() + forMs, permitted: account.permitted });
      return account;
    };
    return around(adapter, async (call, ask) => {
      const answer = await ask(call);
      if (call.read === 'accounts') return answer;
      if (call.read === 'account') return aged(answer as CoreAccount);
      return { ...answer, account: aged((answer as CoreRead<object>).account) };
    });
  };
}

/** Reports a pending transaction as booked after a while. */
function bookedAfter(ms: number): Mutant['make'] {
  return mistakeInRecords('transactions', (record) => {
    const row = record as CoreTransaction;
    return row.status === 'pending' && msOf(row.at) < Date.now() - ms ? { ...row, status: 'booked' } : row;
  });
}

export const mutantsOfTime: readonly Mutant[] = [
  { does: 'keeps the state of an account for 30 seconds', clauses: ['CORE-59'], make: keepingState(30_000) },
  {
    does: 'keeps the list of accounts for five minutes',
    clauses: ['CORE-59'],
    make: keeping(300_000, ({ read }) => read === 'accounts'),
  },
  {
    does: 'keeps balances for a minute',
    clauses: ['CORE-59'],
    make: keeping(60_000, ({ read }) => read === 'balances'),
  },
  {
    does: 'cuts the time of a balance to the minute',
    clauses: ['CORE-27'],
    make: mistakeInRecords('balances', (record) => {
      const { at } = record as CoreBalance;
      return at instanceof Date ? { ...record, at: new Date(at.getTime() - (at.getTime() % 60_000)) } : record;
    }),
  },
  { does: 'shows a pending transaction as booked after a day', clauses: ['CORE-11'], make: bookedAfter(dayMs) },
  { does: 'shows a pending transaction as booked after a month', clauses: ['CORE-11'], make: bookedAfter(31 * dayMs) },
  {
    does: 'declares that there are no pending transactions while there are some',
    clauses: ['CORE-02'],
    make: (adapter) => ({ ...around(adapter, (call, ask) => ask(call)), pending: 'none' }),
  },
];
