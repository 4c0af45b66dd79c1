// `npm run test:postgres`: the tests of `npm test`, on the PostgreSQL that DATABASE_URL names.
import embedded from './jest.config.js';

/** @type {import('jest').Config} */
export default {
  ...embedded,
  globalSetup: '<rootDir>/test/support/postgres.setup.js',
  testPathIgnorePatterns: [
    ...embedded.testPathIgnorePatterns,
    // They test the embedded database itself.
    '/stores/(data-directory|directory-lock)[.]spec',
  ],
};
