import { PGlite } from '@electric-sql/pglite';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { BootError } from '../config/boot-error.js';
import type { DatabaseConfig } from '../config/database-config.js';
import { changeNothing, type Database } from './database.js';
import { DirectoryLock } from './directory-lock.js';
import { privateModes, setModes } from './folder-modes.js';
import { migrate } from './migration-runner.js';
import { readMigrations } from './migrations.js';
import { packageRoot } from './package-root.js';
import { migrationSession, newDataDirectory, templatePath } from './pglite-template.js';

// V8's optimising compiler needs 600 MB for a short time to compile one function of PGlite. The code of its first compiler
// is fast enough, because the gateway keeps rows in memory and queries the database rarely.
setFlagsFromString('--no-wasm-tier-up');
setFlagsFromString('--no-wasm-dynamic-tiering');

/** The number of the type `text[]`. */
const textArray = '1009';

/**
 * Opens the PGlite database under `dataDir`, and makes it when it does not exist. An answered change survives the death of
 * the process, SIGKILL included, but not the death of the machine: PGlite does not force its files to the disk. No other
 * user of the machine can open the database, also where others can open `dataDir`.
 * @param templateFolder the folder in which the build left the template; by default the package's `dist/pglite`
 * @throws BootError when another process has it open, when it cannot be opened or migrated, or lacks migrations.
 */
export async function openPgliteDatabase(
  { dataDir, migrations: mode }: Pick<DatabaseConfig, 'dataDir' | 'migrations'>,
  templateFolder = join(packageRoot(), 'dist', 'pglite'),
): Promise<Database> {
  const directory = join(resolve(dataDir), 'pglite');
  const migrations = await readMigrations(join(packageRoot(), 'prisma', 'migrations'));
  const lock = await orRefuse(dataDir, () => DirectoryLock.acquire(`${directory}.owners`));
  try {
    const pglite = await orRefuse(dataDir, async () => {
      if (!existsSync(directory)) {
        await newDataDirectory(directory, await templatePath(templateFolder, migrations), migrations);
      }
      setModes(directory, privateModes);
      return PGlite.create({ dataDir: directory });
    });
    keepParsers(pglite);
    const migrated = await migrate(migrationSession(pglite), migrations, mode);
    return {
      adapter: new PrismaPGlite(pglite),
      migrated,
      ping: async () => void (await pglite.exec(changeNothing)),
      read: async () => void (await pglite.query('SELECT 1')),
      close: async () => {
        await pglite.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * PGlite copies its parsers of 300 array types for each statement, for a third of the statement's time. The adapter brings
 * those of our columns except this one, and PGlite has those of plain values elsewhere.
 */
function keepParsers(pglite: PGlite): void {
  pglite.parsers = Object.fromEntries(Object.entries(pglite.parsers).filter(([type]) => type === textArray));
}

async function orRefuse<T>(dataDir: string, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof BootError) throw error;
    throw new BootError(
      `The embedded database under ${dataDir} cannot be opened (${reason(error)}): make DATA_DIR a folder that this ` +
        'user may write, and if it is, restore its `pglite` folder from a backup, or move it to another folder to start empty.',
      { cause: error },
    );
  }
}

function reason(error: unknown): string {
  const { message = String(error) } = error as Partial<Error>;
  return message.split('\n', 1).join();
}
