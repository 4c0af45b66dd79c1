import { printCheck } from '../check-printing.js';
import { describeClauses, globalRunner, type TestRunner } from '../test-runner.js';
import { signOnChecks } from './checks.js';
import { checkCustomerAuthentication, skippedReason } from './clause-results.js';
import { signOnClauses } from './clauses.js';
import type { SignOnUnderTest } from './sign-on-under-test.js';
import { SignOnWorld } from './sign-on-world.js';

export { checkCustomerAuthentication } from './clause-results.js';
export { signOnClauses, type SignOnClause, type SignOnClauseId } from './clauses.js';
export type { OpenStep, SignOnUnderTest, TestCustomer, TestSignOn } from './sign-on-under-test.js';

/** One test for each clause, named by its id and sentence; a skipped clause is a skipped test with its reason. */
export function describeCustomerAuthentication(
  name: string,
  kit: SignOnUnderTest,
  runner: TestRunner = globalRunner(),
): void {
  describeClauses(
    {
      title: `the customer authentication ${name}`,
      clauses: signOnClauses,
      skipped: (clause) => skippedReason(kit, clause),
      open: () => SignOnWorld.open(kit),
      check: (id, world) => signOnChecks[id](world),
    },
    runner,
  );
}

/** Checks the adapter without a test runner, and prints one line for each clause. @returns how many are broken */
export function printCustomerAuthenticationCheck(kit: SignOnUnderTest): Promise<number> {
  return printCheck(checkCustomerAuthentication(kit));
}
