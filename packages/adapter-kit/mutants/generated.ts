import type { CoreTransaction } from '../../core-adapter/core.records.js';
import { type Mutant, type MutantPlace, mistakeIn, mistakeInRecords, withoutRead } from './mutant.js';

const needs = 'references and amounts that a bank does not think of: give the test core `fill`';

/** Without `fill` the kit has only the references and amounts of the truth. */
function withoutFill(place: MutantPlace): string | undefined {
  return (
    withoutRead('transactions')(place) ??
    (place.core.fill === undefined ? 'the test core has no `fill`, which would bring such data' : undefined)
  );
}

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
    needs,
    hindrance: withoutFill,
    make: mistakeIn((call, ask) => ask({ ...call, accountRef: decoded(call.accountRef) })),
  },
  {
    does: 'takes an apostrophe for the end of a text',
    clauses: ['CORE-64'],
    needs,
    hindrance: withoutFill,
    make: mistakeInRecords('transactions', (record) => {
      const { description } = record as CoreTransaction;
      return { ...record, description: description?.split("'")[0] };
    }),
  },
  {
    does: 'keeps amounts of transactions in 32 bits',
    clauses: ['CORE-64'],
    needs,
    hindrance: withoutFill,
    make: mistakeInRecords('transactions', (record) => {
      const { amount } = record as CoreTransaction;
      return { ...record, amount: { ...amount, minorUnits: BigInt.asIntN(32, amount.minorUnits) } };
    }),
  },
];
