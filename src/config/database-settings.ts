import { BootError } from './boot-error.js';
import type { DatabaseConfig, MigrationMode } from './database-config.js';
import { readDatabaseUrl } from './database-url.js';
import type { Environment } from './environment.dto.js';
import { allowsPlain, isPrivateDatabase, plainSwitch } from './plain-connections.js';
import { readSetting } from './read-setting.js';
import { wantedWorkers } from './workers.js';

/**
 * The database of the gateway that runs by the same settings, for a command that works on it.
 * @throws BootError where a setting is wrong, or the database is on another machine without TLS
 */
export function readDatabaseSettings(variables: NodeJS.ProcessEnv = process.env): DatabaseConfig {
  const url = readSetting(variables, 'DATABASE_URL');
  if (
    url !== undefined &&
    !allowsPlain(readSetting(variables, plainSwitch)) &&
    !isPrivateDatabase(url, variables['PGHOST'])
  )
    throw new BootError(
      'DATABASE_URL is on another machine, and TLS does not verify that machine: add sslmode=verify-full, or in a sandbox set ALLOW_PLAIN_CONNECTIONS=sandbox',
    );
  const migrate = readSetting(variables, 'MIGRATE') ?? 'yes';
  if (migrate !== 'yes' && migrate !== 'no') throw new BootError('MIGRATE must be yes or no');
  return {
    dataDir: readSetting(variables, 'DATA_DIR') ?? './data',
    ...(url && { url }),
    migrations: migrationsBy(migrate),
  };
}

function migrationsBy(migrate: string): MigrationMode {
  return migrate === 'no' ? 'none' : 'all';
}

/** Reads the database of the gateway. Adds a line to `faults` for each setting that is wrong. */
export function readDatabase(environment: Environment, faults: string[]): DatabaseConfig {
  const { DATABASE_URL: url } = environment;
  try {
    if (url !== undefined) readDatabaseUrl(url);
  } catch (error) {
    faults.push((error as BootError).message);
  }
  if (url === undefined && wantedWorkers(environment.WORKERS) > 1)
    faults.push('WORKERS must be 1 with the embedded database, which serves one process: set DATABASE_URL');
  return {
    dataDir: environment.DATA_DIR,
    migrations: migrationsBy(environment.MIGRATE),
    ...(url !== undefined && { url }),
    poolSize: environment.DATABASE_POOL_SIZE,
  };
}
