// `npm run test:nightly`: the tests that `.ci/nightly` runs and `.ci/run` does not. CONTRIBUTING.md says which tests belong there.
import operations from './jest.operations.config.js';

/** @type {import('jest').Config} */
export default { ...operations, testMatch: ['**/*.nightly.spec.ts'], testPathIgnorePatterns: ['/node_modules/'] };
