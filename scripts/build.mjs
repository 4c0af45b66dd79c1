// Compiles src/ and sandbox/ into dist/, and bundles the gateway. A repeated build does only what has changed.
import './generate.mjs';
import { isOlder, runNode } from './run.mjs';

runNode(['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']);

// An empty, migrated PGlite directory, from which the first start makes its own.
runNode(['dist/src/persistence/build-template.js']);

if (isOlder('dist/gateway/main.js', ['dist/.tsbuildinfo', 'node_modules/.package-lock.json', 'scripts/bundle.mjs']))
  runNode(['scripts/bundle.mjs']);
