// Compiles src/ and sandbox/ into dist/. A repeated build of unchanged sources takes about a second.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import './generate.mjs';
import { isOlder, ROOT, runNode } from './run.mjs';

runNode(['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']);

// An empty, migrated PGlite directory, from which the first start makes its own.
const template = 'dist/src/persistence/build-template.js';
if (existsSync(join(ROOT, template))) runNode([template]);

if (isOlder('dist/gateway/main.js', ['dist/.tsbuildinfo', 'node_modules/.package-lock.json', 'scripts/bundle.mjs']))
  runNode(['scripts/bundle.mjs']);
