// Writes the Prisma client, if the schema or the installed packages are newer than the one that is there.
import { isOlder, runNode } from './run.mjs';

// Prisma writes all its files anew each time, so one tells the age of all.
const sources = ['prisma/schema.prisma', 'prisma.config.ts', 'node_modules/.package-lock.json'];
if (isOlder('src/persistence/generated/client.ts', sources)) {
  runNode(['node_modules/prisma/build/index.js', 'generate', '--no-hints']);
}
