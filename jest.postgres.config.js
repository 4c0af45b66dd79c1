// `npm run test:postgres`: the tests that work on a database once more, on the PostgreSQL that DATABASE_URL names.
import embedded from './jest.config.js';

/** @type {import('jest').Config} */
export default {
  ...embedded,
  globalSetup: '<rootDir>/test/support/postgres.setup.js',
  // The rooms whose state is in the database. The other tests do not depend on the kind of database.
  testMatch: [
    '<rootDir>/test/{authorisation,bank-facing,commands,consents,quotas,stores,trail}/**/*.spec.ts',
    '**/*.store.spec.ts',
  ],
  testPathIgnorePatterns: [
    '/node_modules/',
    '[.]browser[.]spec[.]ts$',
    // They test the embedded database itself.
    '/stores/(data-directory|directory-lock)[.]spec',
    // They test pages, texts, certificates, addresses and files, which are the same with each database.
    '/authorisation/(behind-proxy|endless-answers|key-sets|languages|pages|refusals|two-hosts)[.]spec',
    // They test the protocol of requests one at a time, the accounts of the core, and limits in memory.
    '/authorisation/(offered-accounts|offered-profiles|profiles|request-limits|requests|unsigned-requests)[.]spec',
    '/bank-facing/(credentials|openapi|tls)[.]spec',
    '/commands/(command-lines|sealed-journal)[.]spec',
  ],
};
