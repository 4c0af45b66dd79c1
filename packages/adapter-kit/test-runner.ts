import { AssertionError } from 'node:assert';
import type { Clause } from './clauses.js';

/** The functions of a test runner that the kit needs: Jest's globals, or any other's that mean the same. */
export interface TestRunner {
  readonly describe: ((name: string, tests: () => void) => void) & { skip?: unknown };
  readonly it: ((name: string, test: () => Promise<void>, timeoutMs?: number) => void) & {
    readonly skip: (name: string, test: () => Promise<void>) => void;
  };
  readonly beforeAll: (start: () => Promise<void>, timeoutMs?: number) => void;
  readonly afterAll: (end: () => Promise<void>, timeoutMs?: number) => void;
}

/** Jest's functions. */
export function globalRunner(): TestRunner {
  const runner = globalThis as unknown as Partial<TestRunner>;
  if (
    runner.describe === undefined ||
    runner.it === undefined ||
    runner.beforeAll === undefined ||
    runner.afterAll === undefined
  )
    throw new Error(
      'the kit finds no describe, it, beforeAll and afterAll: call it in a test file of Jest, or give it your runner’s own as the third argument',
    );
  return runner as TestRunner;
}

/** Ends a clause that hangs. It is too long for a clause that is merely slow. */
const clauseTimeoutMs = 600_000;

interface Suite<World, Id extends string> {
  readonly title: string;
  readonly clauses: readonly Clause<Id>[];
  /** Why the clause is skipped, where that is so. */
  readonly skipped: (clause: Clause<Id>) => string | undefined;
  readonly open: () => Promise<World>;
  readonly check: (id: Id, world: World) => Promise<void>;
}

/** One test for each clause, named by its id and sentence; a skipped clause is a skipped test with its reason. */
export function describeClauses<World extends { close(): Promise<void> }, Id extends string>(
  { title, clauses, skipped, open, check }: Suite<World, Id>,
  { describe, it, beforeAll, afterAll }: TestRunner,
): void {
  describe(title, () => {
    let world: World;
    beforeAll(async () => {
      world = await open();
    }, clauseTimeoutMs);
    // If it could not be opened there is nothing to close, and the failure has been reported.
    afterAll(() => (world as World | undefined)?.close() ?? Promise.resolve(), clauseTimeoutMs);
    for (const clause of clauses) {
      const reason = skipped(clause);
      const name = `${clause.id} ${clause.sentence}`;
      if (reason !== undefined) it.skip(`${name}: ${reason}`, () => Promise.resolve());
      else it(name, () => withPlainError(check(clause.id, world)), clauseTimeoutMs);
    }
  });
}

/** Rethrows an assertion as a plain error: a test runner would print a comparison of values instead of the message. */
async function withPlainError(checking: Promise<void>): Promise<void> {
  try {
    await checking;
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    const broken = new Error(error.message);
    broken.stack = error.stack;
    throw broken;
  }
}
