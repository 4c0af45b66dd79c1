import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const environment = {
  'no-restricted-properties': [
    'error',
    { object: 'process', property: 'env', message: 'Settings are read once, in config/: pass values as arguments.' },
  ],
  'no-restricted-imports': [
    'error',
    { name: 'node:process', message: 'Use the global `process`: the rules on process.env see nothing else.' },
    { name: 'process', message: 'Use the global `process`: the rules on process.env see nothing else.' },
  ],
};

const spread = 'Write the members themselves: a spread literal only hides how many there are.';
const spreadLiterals = [
  { selector: 'ObjectExpression > SpreadElement > ObjectExpression', message: spread },
  { selector: 'ArrayExpression > SpreadElement > ArrayExpression', message: spread },
];

const theTime = 'Only clock/ reads the time; take a Clock or the time itself as an argument.';
const readsTheTime = [
  { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: theTime },
  { selector: 'CallExpression[callee.name="Date"]', message: theTime },
  { selector: 'MemberExpression[object.name="Date"][property.name="now"]', message: theTime },
];
const syntax = { 'no-restricted-syntax': ['error', ...readsTheTime, ...spreadLiterals] };

const console = { 'no-console': 'error' };

/**
 * Every line counts, blank ones and comments too, because a reader scrolls through all of them. A class that needs
 * more than eight others does more than one thing.
 */
const size = {
  'max-lines': ['error', 250],
  'max-lines-per-function': ['error', 40],
  '@typescript-eslint/max-params': ['error', { max: 8 }],
};

const off = (rules) => Object.fromEntries(Object.keys(rules).map((name) => [name, 'off']));

export default tseslint.config(
  { ignores: ['dist/', 'data/', 'coverage/', '.bench/', 'prisma/client/'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-deprecated': 'error',
      // A union may have a member that another member covers, because it still informs the reader.
      '@typescript-eslint/no-duplicate-type-constituents': 'off',
      '@typescript-eslint/no-redundant-type-constituents': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      eqeqeq: 'error',
      ...environment,
      ...syntax,
      ...console,
    },
  },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        crypto: 'readonly',
        fetch: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        module: 'writable',
      },
    },
  },

  {
    files: ['src/**/*.ts', 'packages/**/*.ts', 'adapter-tools/**/*.ts', 'ops/**/*.ts', 'sandbox/**/*.ts'],
    // A table of texts has a line for each text.
    ignores: ['**/*.spec.ts', 'src/authorisation-server/pages/texts/*.ts'],
    rules: size,
  },

  // The files in which each of the three habits above is allowed.
  {
    files: ['src/config/**', 'adapter-tools/main.ts', 'sandbox/**/*.config.ts', 'test/**', '**/*.spec.ts', 'tools/**'],
    rules: off(environment),
  },
  {
    // It sets the zone of the process.
    files: ['packages/adapter-kit/process-zone.ts'],
    rules: off(environment),
  },
  {
    // The kit runs in banks' repositories, where an adapter has the machine's clock.
    files: ['src/clock/**', 'test/support/**', 'test/bench/**', 'packages/adapter-kit/**', 'test/adapter-kit/**'],
    rules: { 'no-restricted-syntax': ['error', ...spreadLiterals] },
  },
  // Programs that speak to a person: they have no log.
  {
    files: [
      'src/main.ts',
      'adapter-tools/main.ts',
      'ops/main.ts',
      'tools/build/write-event-schema.ts',
      'tools/build/write-settings.ts',
      'tools/build/write-clauses.ts',
      'tools/build/write-openapi.ts',
      'tools/build/build-template.ts',
      'sandbox/start.ts',
      'sandbox/cli/**',
      'test/bench/**',
      'test/pictures/**',
    ],
    rules: off(console),
  },
  {
    files: ['**/*.spec.ts', 'test/**'],
    rules: {
      // Answers in tests are JSON that the assertion itself checks.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
