import type { AdapterUnderTest } from './adapter-under-test.js';
import { checkClause } from './checks/checks.js';
import { clausesOf } from './clauses.js';
import { skippedClausesOf } from './skipped-clauses.js';
import { describeClauses, globalRunner, type TestRunner } from './test-runner.js';
import { World } from './world.js';

export type {
  AccountTruth,
  AdapterUnderTest,
  CoreFaults,
  GivenAccount,
  GivenCustomer,
  Spoiling,
  TestCore,
  TestPersona,
  TruthOfFunds,
  WantedCore,
} from './adapter-under-test.js';
export { printCoreAdapterCheck } from './check-printing.js';
export { type ClauseResult, checkCoreAdapter } from './clause-results.js';
export { type Clause, type ClauseId, clauses, clausesOf, type CoreSource } from './clauses.js';
export type { TestDelivery, TestReplica } from './adapter-under-test.js';
export type { TestRunner } from './test-runner.js';

/**
 * One test for each clause, named by its id and sentence; a skipped clause is a skipped test with its reason. It
 * starts the test core and asks the adapter for its declarations before it names the tests: await it in the test file.
 */
export async function describeCoreAdapter(
  name: string,
  kit: AdapterUnderTest,
  runner: TestRunner = globalRunner(),
): Promise<void> {
  const reasons = await skippedClausesOf(kit);
  describeClauses(
    {
      title: `the core adapter ${name}`,
      clauses: clausesOf(kit.source ?? 'http'),
      skipped: ({ id }) => reasons.get(id),
      open: () => World.open(kit),
      check: checkClause,
    },
    runner,
  );
}
