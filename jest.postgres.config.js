// `npm run test:postgres`: the tests that work on a database once more, on the PostgreSQL that DATABASE_URL names.
import embedded from './jest.config.js';

/** @type {import('jest').Config} */
export default {
  ...embedded,
  globalSetup: '<rootDir>/test/support/postgres.setup.js',
  testMatch: ['<rootDir>/test/**/*.spec.ts', '**/*.store.spec.ts'],
  // They read sources, judge adapters, look at pages, measure, or have a run of their own.
  testPathIgnorePatterns: [
    ...['/node_modules/', '[.]browser[.]spec[.]ts$'],
    '<rootDir>/test/(architecture|bench|cores|customer-pages|operations|support)/',
  ],
};
