import { AssertionError } from 'node:assert';
import type { AdapterUnderTest } from './adapter-under-test.js';
import { judge } from './checks/checks.js';
import { type Clause, type ClauseId, clausesOf } from './clauses.js';
import { leftOutOf } from './left-out.js';
import { globalRunner, type TestRunner } from './test-runner.js';
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
  WantedCore,
} from './adapter-under-test.js';
export { printCoreAdapterCheck } from './check-printing.js';
export { type ClauseResult, checkCoreAdapter } from './clause-results.js';
export {
  type Clause,
  type ClauseId,
  clauses,
  clausesOf,
  type CoreSource,
  withoutHttp,
  withoutSpoiling,
} from './clauses.js';
export type { TestDelivery, TestReplica } from './test-replica.js';
export type { TestRunner } from './test-runner.js';

/** Ends a clause that hangs. It is too long for a clause that is merely slow. */
const clauseTimeoutMs = 600_000;

/**
 * One test for each clause, named by its id and sentence; a clause that is left out is a skipped test with its reason. It
 * starts the test core and asks the adapter for its declarations before it names the tests: await it in the test file.
 */
export async function describeCoreAdapter(
  name: string,
  kit: AdapterUnderTest,
  { describe, it, beforeAll, afterAll }: TestRunner = globalRunner(),
): Promise<void> {
  const reasons = await leftOutOf(kit);
  describe(`the core adapter ${name}`, () => {
    let world: World;
    beforeAll(async () => {
      world = await World.open(kit);
    }, clauseTimeoutMs);
    // If it could not be opened there is nothing to close, and the failure has been reported.
    afterAll(() => (world as World | undefined)?.close() ?? Promise.resolve(), clauseTimeoutMs);
    for (const clause of clausesOf(kit.source ?? 'http')) {
      const reason = reasons.get(clause.id);
      const title = `${clause.id} ${clause.sentence}`;
      if (reason === undefined) it(title, () => keeping(clause, world), clauseTimeoutMs);
      else it.skip(`${title}: ${reason}`, () => Promise.resolve());
    }
  });
}

/** Rethrows an assertion as a plain error: a test runner would print a comparison of values instead of the message. */
async function keeping(clause: Clause<ClauseId>, world: World): Promise<void> {
  try {
    await judge(clause.id, world);
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    const broken = new Error(error.message);
    broken.stack = error.stack;
    throw broken;
  }
}
