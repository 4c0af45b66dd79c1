// The tests that need neither server nor browser, on the embedded database: `npm test`, `npx jest <path>` and an editor's
// run button. `npm run test:browser` runs those that look at pages with Chromium.
// jest.postgres.config.js and jest.operations.config.js state what differs for the tests that need PostgreSQL.

import './scripts/supported-node.mjs';

// Jest starts its workers with the flags of its own process: they are stated here and nowhere else.
process.execArgv.push(
  // Several workers keep every processor busy: more threads of the garbage collector would only get in their way.
  '--single-threaded-gc',
  '--max-semi-space-size=64',
  // Little code of a test runs long enough to be worth the optimising compiler's time: V8 asks it nine times later.
  '--invocation-count-for-turbofan=27000',
);

const given = (...names) => process.argv.some((word) => names.includes(word));
if (given('-i', '--runInBand') && given('--watch', '--watchAll'))
  throw new Error('--runInBand would keep the modules of the first run: to watch, use --maxWorkers=1');
/** A browser takes minutes of a small machine: its tests run when the command line names them. */
const namesBrowserTests = process.argv.some((word) => word.includes('browser'));

/** @type {import('jest').Config} */
export default {
  globalSetup: '<rootDir>/test/support/embedded.setup.js',
  globalTeardown: '<rootDir>/test/support/temporary-folder.teardown.js',
  roots: ['src', 'packages', 'adapter-tools', 'sandbox', 'test'].map((folder) => `<rootDir>/${folder}`),
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: [
    ...['/node_modules/', '<rootDir>/test/operations/'],
    ...(namesBrowserTests ? [] : ['[.]browser[.]spec[.]ts$']),
  ],
  // Node loads the modules, each once for a worker; test/support/typescript-loader.mjs compiles ours.
  testEnvironment: '<rootDir>/test/support/jest-in-node.environment.js',
  testRunner: '<rootDir>/test/support/jest-in-node.runner.js',
  transform: {},
  // For the watch mode, which asks what imports what: TypeScript names the emitted file (`./clock.js`).
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1.ts'] },
  // One more than the cores of a small machine: tests that wait for a browser or another process leave theirs to others.
  maxWorkers: 3,
  // Node never lets go of a module: past this much, a new worker takes over. With a limit, Jest always starts a worker,
  // also for a single file, so that the flags hold and the watch mode sees changed modules.
  workerIdleMemoryLimit: '700MB',
  // It ends a test that hangs and judges none that is slow: a test that takes more than a tenth of it on an idle machine
  // states a limit of its own and the reason.
  testTimeout: 60_000,
};
