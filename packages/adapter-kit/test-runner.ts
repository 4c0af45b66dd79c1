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
