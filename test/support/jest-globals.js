// '@jest/globals' for tests that Node loads itself (see jest-in-node.runner.js). The bindings change with the test file.
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

export function useGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
}
