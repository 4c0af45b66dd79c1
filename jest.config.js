// The tests that need no server, on the embedded database: `npm test`, `npx jest <path>` and an editor's run button.
// jest.postgres.config.js and jest.operations.config.js state what differs for the tests that need PostgreSQL.
import vm from 'node:vm';

// Jest starts its workers with the flags of its own process: they are stated here and nowhere else.
process.execArgv.push(
  // The packages are ES modules, and Jest loads such only under this flag.
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  // Several workers keep every processor busy: more threads of the garbage collector would only get in their way.
  '--single-threaded-gc',
  '--max-semi-space-size=64',
  // Little code of a test runs long enough to be worth the optimising compiler's time: V8 asks it nine times later.
  '--interrupt-budget=600000',
);
if (vm.SourceTextModule === undefined && process.argv.some((word) => word === '--runInBand' || word === '-i'))
  throw new Error('--runInBand uses no worker, so that the flags of jest.config.js do not hold: use --maxWorkers=1');

const decorators = {
  target: 'es2022',
  parser: { syntax: 'typescript', decorators: true },
  transform: { legacyDecorator: true, decoratorMetadata: true },
};

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/support/embedded.setup.js',
  globalTeardown: '<rootDir>/test/support/temporary-folder.teardown.js',
  roots: ['src', 'packages', 'adapter-tools', 'sandbox', 'test'].map((folder) => `<rootDir>/${folder}`),
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/operations/'],
  extensionsToTreatAsEsm: ['.ts'],
  // TypeScript names the emitted file (`./clock.js`); Jest reads the source.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1.ts'] },
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: decorators, module: { type: 'es6' }, sourceMaps: 'inline', swcrc: false }],
    // ES modules that Fastify's light-my-request and @fastify/static require. Node can do that; Jest's loader cannot.
    '/node_modules/(cookie|content-disposition)/.+\\.js$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } }, module: { type: 'commonjs' }, swcrc: false },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!(cookie|content-disposition)/)'],
  setupFiles: ['<rootDir>/test/support/known-warning.ts'],
  // One more than the cores of a small machine: tests that wait for a browser or another process leave theirs to others.
  maxWorkers: 3,
  // Modules that a test file imported as ES modules are never let go of: past this much, collecting costs more than
  // starting. With a limit, Jest always starts a worker, also for a single file; the flags above need one.
  workerIdleMemoryLimit: '300MB',
  // No test takes a tenth of it on an idle machine. It ends a test that hangs and judges none that is slow.
  testTimeout: 600_000,
};
