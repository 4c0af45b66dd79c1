// `npm run test:operations`: real processes with Debian's servers, on the PostgreSQL that DATABASE_URL names or on servers
// that the test starts. They mostly wait for the limits of each: two files at a time would leave one of two cores idle.
import postgres from './jest.postgres.config.js';

/** @type {import('jest').Config} */
export default {
  ...postgres,
  globalSetup: '<rootDir>/test/support/operations.setup.js',
  testMatch: ['<rootDir>/test/operations/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '[.]nightly[.]spec[.]ts$'],
  maxWorkers: 3,
  // They start and stop gateways, databases and balancers, and wait for the limits of each.
  testTimeout: 600_000,
};
