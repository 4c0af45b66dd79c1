import { around, type Call } from './around.js';
import type { Mutant } from './mutant.js';

/** Gives calls that agree in `keyOf` one answer while the first of them is under way. */
function sharing(keyOf: (call: Call) => unknown): Mutant['make'] {
  return (adapter) => {
    const pending = new Map<string, Promise<object>>();
    return around(adapter, (call, ask) => {
      if (call.context.signal.aborted) return ask(call);
      const key = JSON.stringify(keyOf(call));
      const before = pending.get(key);
      if (before !== undefined) return before;
      const answer = ask(call);
      pending.set(key, answer);
      const end = (): void => void pending.delete(key);
      answer.then(end, end);
      return answer;
    });
  };
}

export const mutantsOfReadsAtOnce: readonly Mutant[] = [
  {
    does: 'gives equal reads at once of two customers one answer',
    clauses: ['CORE-66'],
    make: sharing(({ read, accountRef, query, context }) => [
      read,
      accountRef === '' ? context.customerRef : accountRef,
      query,
    ]),
  },
  {
    does: 'ends equal reads at once with the signal of the first',
    clauses: ['CORE-66'],
    make: sharing(({ read, accountRef, query, context }) => [read, accountRef, context.customerRef, query]),
  },
  {
    does: 'keeps the customer of the last read for all reads under way',
    clauses: ['CORE-66'],
    make: (adapter) => {
      let customerRef = '';
      return around(adapter, async (call, ask) => {
        customerRef = call.context.customerRef;
        await Promise.resolve();
        return ask({ ...call, context: { ...call.context, customerRef } });
      });
    },
  },
];
