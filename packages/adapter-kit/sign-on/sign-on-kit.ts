import { AssertionError } from 'node:assert';
import { printCheck } from '../check-printing.js';
import { globalRunner, type TestRunner } from '../test-runner.js';
import { signOnChecks } from './checks.js';
import { checkCustomerAuthentication, leftOut } from './clause-results.js';
import { signOnClauses, type SignOnClause } from './clauses.js';
import type { SignOnUnderTest } from './sign-on-under-test.js';
import { SignOnWorld } from './sign-on-world.js';

export { checkCustomerAuthentication } from './clause-results.js';
export { signOnClauses, type SignOnClause, type SignOnClauseId } from './clauses.js';
export type { OpenStep, SignOnUnderTest, TestCustomer, TestSignOn } from './sign-on-under-test.js';

/** Ends a clause that hangs. It is too long for a clause that is merely slow. */
const clauseTimeoutMs = 600_000;

/** One test for each clause, named by its id and sentence; a clause that is left out is a skipped test with its reason. */
export function describeCustomerAuthentication(
  name: string,
  kit: SignOnUnderTest,
  { describe, it, beforeAll, afterAll }: TestRunner = globalRunner(),
): void {
  describe(`the customer authentication ${name}`, () => {
    let world: SignOnWorld;
    beforeAll(async () => {
      world = await SignOnWorld.open(kit);
    }, clauseTimeoutMs);
    afterAll(() => (world as SignOnWorld | undefined)?.close() ?? Promise.resolve(), clauseTimeoutMs);
    for (const clause of signOnClauses) {
      const reason = leftOut(kit, clause);
      const title = `${clause.id} ${clause.sentence}`;
      if (reason === undefined) it(title, () => keeping(clause, world), clauseTimeoutMs);
      else it.skip(`${title}: ${reason}`, () => Promise.resolve());
    }
  });
}

/** Judges the adapter without a test runner, and prints one line for each clause. @returns how many are broken */
export function printCustomerAuthenticationCheck(kit: SignOnUnderTest): Promise<number> {
  return printCheck(checkCustomerAuthentication(kit), signOnClauses.length);
}

/** Rethrows an assertion as a plain error: a test runner would print a comparison of values instead of the message. */
async function keeping(clause: SignOnClause, world: SignOnWorld): Promise<void> {
  try {
    await signOnChecks[clause.id](world);
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    const broken = new Error(error.message);
    broken.stack = error.stack;
    throw broken;
  }
}
