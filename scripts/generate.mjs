// Writes the Prisma client, if the schema or the installed packages are newer than the one that is there.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runNode } from './run.mjs';

const modifiedAtMs = (path) => statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

const sources = ['prisma/schema.prisma', 'prisma.config.ts', 'node_modules/.package-lock.json'];
// Prisma writes all its files anew each time, so one tells the age of all.
if (modifiedAtMs('src/persistence/generated/client.ts') < Math.max(...sources.map(modifiedAtMs))) {
  runNode(['node_modules/prisma/build/index.js', 'generate', '--no-hints']);
}
