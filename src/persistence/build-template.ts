// Run by the build, so that the first start on embedded PGlite need not make its data directory from nothing.
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readMigrations } from './migrations.js';
import { packageRoot } from './package-root.js';
import { makeDataDirectory, templatePath } from './pglite-template.js';

const folder = join(packageRoot(), 'dist', 'pglite');
const migrations = await readMigrations(join(packageRoot(), 'prisma', 'migrations'));
const template = await templatePath(folder, migrations);
await mkdir(folder, { recursive: true });
for (const name of await readdir(folder)) {
  if (name !== basename(template)) await rm(join(folder, name), { recursive: true });
}
if (!existsSync(template)) await makeDataDirectory(template, migrations);
