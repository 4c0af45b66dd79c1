// Run by the build, so that the first start on embedded PGlite need not make its data directory from nothing.
import { join } from 'node:path';
import { readMigrations } from '../../src/persistence/migrations.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { buildTemplate } from '../../src/persistence/pglite-template.js';

await buildTemplate(
  join(packageRoot(), 'dist', 'pglite'),
  await readMigrations(join(packageRoot(), 'prisma', 'migrations')),
);
