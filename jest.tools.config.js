// `npm run test:tools`: the tests that need a tool of tools/ci, which `npm run tools` installs.
import embedded from './jest.config.js';

/** @type {import('jest').Config} */
export default {
  ...embedded,
  roots: ['<rootDir>/tools/ci'],
  testPathIgnorePatterns: ['/node_modules/'],
  // Each linter reads the whole document, and the rules on imports every file.
  testTimeout: 300_000,
};
