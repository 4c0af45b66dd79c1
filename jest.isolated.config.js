// `npm run test:isolated`: the same tests under plain Jest, which loads all modules for each file again, in a random order.
// It shows that no test leans on another file of its worker. docs/architecture.md, "Choices", has the reason.
import embedded from './jest.config.js';

/** @type {import('jest').Config} */
export default {
  globalSetup: embedded.globalSetup,
  roots: embedded.roots,
  testMatch: embedded.testMatch,
  testPathIgnorePatterns: [
    ...embedded.testPathIgnorePatterns,
    // These look at Node's own words for a module that is missing; Jest looks for modules itself.
    'src/adapters/load-(adapter|customer-authentication)[.]spec',
    // The library oidc-provider refuses the client's keys under Jest, because it clones them into another realm.
    'test/authorisation/openid-client-authentication[.]spec',
  ],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: embedded.moduleNameMapper,
  transform: {
    '[.]ts$': [
      '@swc/jest',
      {
        swcrc: false,
        module: { type: 'es6' },
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
      },
    ],
  },
  randomize: true,
  maxWorkers: embedded.maxWorkers,
  workerIdleMemoryLimit: embedded.workerIdleMemoryLimit,
  testTimeout: embedded.testTimeout,
};
