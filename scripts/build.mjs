// Compiles src/ and sandbox/ into dist/, and bundles the gateway. A repeated build does only what has changed.
import './generate.mjs';
import { join } from 'node:path';
import { isOlder, ROOT, runNode } from './run.mjs';
import { removeSourceless } from './sourceless.mjs';

runNode(['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']);
for (const folder of ['src', 'sandbox', 'test']) removeSourceless(join(ROOT, 'dist', folder), join(ROOT, folder));

// An empty, migrated PGlite directory, from which the first start makes its own.
runNode(['dist/src/persistence/build-template.js']);

// The folder's own age: it is when a file was last added to it, or removed.
const sources = ['dist/.tsbuildinfo', 'dist/src/profiles', 'node_modules/.package-lock.json', 'scripts/bundle.mjs'];
if (isOlder('dist/gateway/main.js', sources)) runNode(['scripts/bundle.mjs']);
