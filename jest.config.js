// The tests that need neither server nor browser, on the embedded database: `npm test`, `npx jest <path>` and an editor's
// run button. `npm run test:browser` runs those that look at pages with Chromium.
// jest.postgres.config.js and jest.operations.config.js state what differs for the tests that need PostgreSQL.

import './scripts/supported-node.mjs';

// Jest starts its workers with the flags of its process, which only this file sets.
process.execArgv.push(
  // Several workers keep every processor busy: more threads of the garbage collector would only disturb them.
  '--single-threaded-gc',
  '--max-semi-space-size=64',
  // Marks in one go: that takes less time in all, and only a user would notice the longer pause.
  '--no-incremental-marking',
  // The memory of an embedded database would start three collections of the whole heap otherwise.
  '--external-memory-accounted-in-global-limit',
  // Little code of a test runs long enough to be worth the optimising compiler's time, so V8 calls it nine times later.
  '--invocation-count-for-turbofan=27000',
);

const given = (...names) => process.argv.some((word) => names.includes(word));
if (given('-i', '--runInBand') && given('--watch', '--watchAll'))
  throw new Error('--runInBand would keep the modules of the first run: to watch, use --maxWorkers=1');
/** Tests with a browser, of `npm start` or for the night take minutes of a small machine: they run where they are named. */
const named = (kind) => process.argv.some((word) => word.includes(kind));

/** @type {import('jest').Config} */
export default {
  globalSetup: '<rootDir>/test/support/embedded.setup.js',
  roots: ['src', 'packages', 'adapter-tools', 'ops', 'sandbox', 'test'].map((folder) => `<rootDir>/${folder}`),
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/operations/',
    ...['browser', 'nightly', 'npm-start'].filter((kind) => !named(kind)).map((kind) => `[.]${kind}[.]spec[.]ts$`),
  ],
  // Node loads the modules, each once for a worker; test/support/typescript-loader.mjs compiles the project's modules.
  testEnvironment: '<rootDir>/test/support/jest-in-node.environment.js',
  testRunner: '<rootDir>/test/support/jest-in-node.runner.js',
  testSequencer: '<rootDir>/test/support/long-first.sequencer.js',
  transform: {},
  // For the watch mode, which needs the imports of each file: TypeScript names the emitted file (`./clock.js`).
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1.ts'] },
  // One more than the cores of a small machine: tests that wait for a browser or another process leave theirs to others.
  maxWorkers: 3,
  // Node never frees a module: beyond this heap, a new worker takes over, which loads all modules again for four seconds of
  // processor time. Jest counts what V8 has not collected yet: 700 MB where 240 MB are in use. With a limit, Jest always
  // starts a worker, also for a single file, so that the flags hold and the watch mode sees changed modules.
  workerIdleMemoryLimit: '1500MB',
  // A worker with a large heap ends in a third of a second, and on a busy machine in more than half a second, after which
  // Jest would end it by force and blame the tests.
  workerGracefulExitTimeout: 10_000,
  // Ends a test that hangs; a slow test stays below it. A test that takes more than a tenth of it on an idle machine states
  // its limit and the reason.
  testTimeout: 60_000,
};
