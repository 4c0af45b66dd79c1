import { resultOf, type ClauseResult } from '../clause-results.js';
import { signOnChecks } from './checks.js';
import { signOnClauses, type SignOnClause, type SignOnClauseId } from './clauses.js';
import type { SignOnUnderTest } from './sign-on-under-test.js';
import { SignOnWorld } from './sign-on-world.js';

/** Checks the adapter without a test runner. Yields each result as soon as it is there. @throws KitFault */
export async function* checkCustomerAuthentication(
  kit: SignOnUnderTest,
  only: readonly SignOnClauseId[] = signOnClauses.map(({ id }) => id),
): AsyncGenerator<ClauseResult<SignOnClauseId>> {
  const world = await SignOnWorld.open(kit);
  try {
    for (const clause of signOnClauses.filter(({ id }) => only.includes(id))) {
      const reason = skippedReason(kit, clause);
      yield reason === undefined
        ? await resultOf(clause, () => signOnChecks[clause.id](world))
        : { clause, outcome: 'skipped', reason };
    }
  } finally {
    await world.close();
  }
}

/** Why the clause is skipped, where that is so. */
export function skippedReason({ without = {} }: SignOnUnderTest, { id, also }: SignOnClause): string | undefined {
  const reason = without[id];
  if (reason !== undefined && also === 'never') throw new Error(`without: ${id} may not be skipped`);
  return reason;
}
