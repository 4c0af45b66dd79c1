// `npm run test:operations`: real processes with Debian's servers, on the PostgreSQL that DATABASE_URL names or on servers
// that the test starts. They take minutes and the whole machine, so one file runs after the other.
import postgres from './jest.postgres.config.js';

/** @type {import('jest').Config} */
export default {
  ...postgres,
  testMatch: ['<rootDir>/test/operations/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  // They start and stop gateways, databases and balancers, and wait for the limits of each.
  testTimeout: 600_000,
};
