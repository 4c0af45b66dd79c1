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
 * The path, in `folder`, of the template for these migrations: a migrated, empty data directory that the build makes. A
 * copy takes a tenth of a second; making one takes five seconds and 900 MB. Its name changes with everything from which it
 * was made.
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
 * Leaves in `folder` the template for these migrations, and no other. As in the image, the user who builds it and the user
 * who runs the gateway may differ. Only the builder may change it, because each new database is a copy of it.
 */
export async function buildTemplate(folder: string, migrations: readonly Migration[]): Promise<void> {
  const template = await templatePath(folder, migrations);
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder))
    if (name !== basename(template)) await rm(join(folder, name), { recursive: true });
  if (!existsSync(template)) await makeDataDirectory(template, migrations);
  setModes(folder, readableModes);
}

/** Makes a migrated, empty data directory at `path`. It appears there completely or not at all. */
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

/** PostgreSQL makes further databases from these. The gateway needs no further one, and these are two thirds of the files. */
const spareDatabases = ['template0', 'template1'] as const;

async function dropSpareDatabases(pglite: PGlite): Promise<void> {
  for (const name of spareDatabases) {
    await pglite.exec(`UPDATE pg_database SET datistemplate = false WHERE datname = '${name}'`);
    await pglite.exec(`DROP DATABASE ${name}`);
  }
}

/** Makes a new data directory at `path`: a copy of the template if it exists, else a directory made from nothing. */
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

/** A thousand small files, for which `fs.cp` takes four times as long. Blocking is right here: the process is only starting. */
function copyFolder(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      mkdirSync(target);
      copyFolder(source, target);
    } else copyFileSync(source, target, constants.COPYFILE_FICLONE);
  }
}

/** Renamed when it is finished, so that a process which is killed earlier leaves nothing that looks like a database. */
async function appear(path: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  const unfinished = `${path}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true });
  // From the beginning no other user can open any file in it, whatever the mode of the file is.
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
