import { PGlite } from '@electric-sql/pglite';
import { createHash } from 'node:crypto';
import { constants, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { privateModes, readableModes, setModes } from './folder-modes.js';
import type { MigrationSession } from './migration-runner.js';
import { migrate } from './migration-runner.js';
import type { Migration } from './migrations.js';

/**
 * Where, in `folder`, the template for these migrations lies: a data directory, migrated and empty, made by the build.
 * Copying it takes a tenth of a second; making it takes five and 900 MB. Its name changes with all that it was made from.
 */
export async function templatePath(folder: string, migrations: readonly Migration[]): Promise<string> {
  const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const { version } = JSON.parse(await readFile(join(dirname(pglite), '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const key = createHash('sha256').update(
    JSON.stringify([version, spareDatabases, migrations.map(({ checksum }) => checksum)]),
  );
  return join(folder, `pglite-${key.digest('hex').slice(0, 16)}`);
}

/**
 * Leaves in `folder` the template for these migrations, and no other. Another user than the one who builds it may run
 * the gateway, as in the image, and none but the builder may change it: each new database is a copy of it.
 */
export async function buildTemplate(folder: string, migrations: readonly Migration[]): Promise<void> {
  const template = await templatePath(folder, migrations);
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder))
    if (name !== basename(template)) await rm(join(folder, name), { recursive: true });
  if (!existsSync(template)) await makeDataDirectory(template, migrations);
  setModes(folder, readableModes);
}

/** Makes a migrated, empty data directory at `path`; it appears there whole or not at all. */
export async function makeDataDirectory(path: string, migrations: readonly Migration[]): Promise<void> {
  await appear(path, async (unfinished) => {
    const pglite = await PGlite.create({ dataDir: unfinished });
    try {
      await migrate(migrationSession(pglite), migrations);
      await dropSpareDatabases(pglite);
    } finally {
      await pglite.close();
    }
  });
}

/** PostgreSQL makes further databases from these. There will be none, and these are two thirds of the files to copy. */
const spareDatabases = ['template0', 'template1'] as const;

async function dropSpareDatabases(pglite: PGlite): Promise<void> {
  for (const name of spareDatabases) {
    await pglite.exec(`UPDATE pg_database SET datistemplate = false WHERE datname = '${name}'`);
    await pglite.exec(`DROP DATABASE ${name}`);
  }
}

/** A new data directory at `path`: a copy of the template if there is one, else made anew. */
export async function newDataDirectory(
  path: string,
  template: string,
  migrations: readonly Migration[],
): Promise<void> {
  if (!existsSync(template)) return makeDataDirectory(path, migrations);
  await appear(path, (unfinished) => {
    copyFolder(template, unfinished);
    return Promise.resolve();
  });
}

/** A thousand small files: `fs.cp` takes four times as long over them. Nothing else happens meanwhile: it is the boot. */
function copyFolder(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      mkdirSync(target);
      copyFolder(source, target);
    } else copyFileSync(source, target, constants.COPYFILE_FICLONE);
  }
}

/** Renamed into place when finished, so that a process killed on the way leaves nothing that looks like a database. */
async function appear(path: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${path}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true });
  // From the beginning no other user can open what is being made in it, whatever its own mode is.
  await mkdir(unfinished, { mode: privateModes.folder });
  await make(unfinished);
  await rename(unfinished, path);
}

export function migrationSession(pglite: PGlite): MigrationSession {
  return {
    query: async (sql, values) => (await pglite.query(sql, [...(values ?? [])])).rows,
    script: async (sql) => void (await pglite.exec(sql)),
  };
}
