const decorators = {
  target: 'es2022',
  parser: { syntax: 'typescript', decorators: true },
  transform: { legacyDecorator: true, decoratorMetadata: true },
};

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/sandbox', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
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
  globalSetup: '<rootDir>/test/support/temporary-folder.setup.ts',
  globalTeardown: '<rootDir>/test/support/temporary-folder.teardown.ts',
  setupFiles: ['<rootDir>/test/support/known-warning.ts'],
  // One more than the cores of a small machine: suites that wait for a browser or another process leave theirs to others.
  maxWorkers: 3,
  // Modules that a test file imported as ES modules are never let go of: past this much, collecting costs more than starting.
  workerIdleMemoryLimit: '300MB',
  // No test takes a tenth of it on an idle machine. It ends a test that hangs and judges none that is slow.
  testTimeout: 600_000,
};
