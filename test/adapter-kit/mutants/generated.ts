import type { CoreTransaction } from '../../../packages/core-adapter/core.records.js';
import { type Mutant, mistakeIn, mistakeInRecords } from './mutant.js';

/** As a server does that decodes a path twice. */
function decoded(ref: string): string {
  try {
    return decodeURIComponent(ref);
  } catch {
    return ref;
  }
}

export const mutantsOfGeneratedWorlds: readonly Mutant[] = [
  {
    does: 'decodes percent signs in a reference',
    clauses: ['CORE-64'],
    make: mistakeIn((call, ask) => ask({ ...call, accountRef: decoded(call.accountRef) })),
  },
  {
    does: 'takes an apostrophe for the end of a text',
    clauses: ['CORE-64'],
    make: mistakeInRecords('transactions', (record) => {
      const { description } = record as CoreTransaction;
      return { ...record, description: description?.split("'")[0] };
    }),
  },
  {
    does: 'keeps amounts of transactions in 32 bits',
    clauses: ['CORE-64'],
    make: mistakeInRecords('transactions', (record) => {
      const { amount } = record as CoreTransaction;
      return { ...record, amount: { ...amount, minorUnits: BigInt.asIntN(32, amount.minorUnits) } };
    }),
  },
];
