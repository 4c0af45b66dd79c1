import { BootError } from './boot-error.js';
import type { DatabaseConfig } from './database-config.js';
import { readDatabaseUrl } from './database-url.js';
import type { Environment } from './environment.dto.js';
import { isPrivateDatabase } from './plain-connections.js';
import { readSecret } from './secrets.js';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The database of the gateway that runs by the same settings, for a command that works on it.
 * @throws BootError where a setting is wrong, or the database is on another machine without TLS
 */
export function readDatabaseSettings(variables: Variables = process.env): DatabaseConfig {
  const [url, feedUrl] = (['DATABASE_URL', 'FEED_DATABASE_URL'] as const).map((name) => readUrl(variables, name));
  return { dataDir: variables['DATA_DIR'] || './data', ...(url && { url }), ...(url && feedUrl && { feedUrl }) };
}

function readUrl(variables: Variables, name: 'DATABASE_URL' | 'FEED_DATABASE_URL'): string | undefined {
  const url = readSecret(variables, name) || undefined;
  if (url !== undefined && variables['DATABASE_PLAIN_TCP'] !== 'allow' && !isPrivateDatabase(url, variables['PGHOST']))
    throw new BootError(
      `${name} is on another machine without TLS that knows it: add sslmode=verify-full, or set DATABASE_PLAIN_TCP=allow`,
    );
  return url;
}

/** The database of the gateway. Adds a line to `faults` for each setting that is wrong. */
export function readDatabase(environment: Environment, faults: string[]): DatabaseConfig {
  const { DATABASE_URL: url, FEED_DATABASE_URL: feedUrl } = environment;
  if (feedUrl !== undefined && url === undefined) faults.push('FEED_DATABASE_URL needs DATABASE_URL');
  try {
    const database = url === undefined ? undefined : readDatabaseUrl(url, 'DATABASE_URL');
    const { schema } = feedUrl === undefined ? {} : readDatabaseUrl(feedUrl, 'FEED_DATABASE_URL');
    if (schema !== undefined && schema !== database?.schema)
      faults.push('FEED_DATABASE_URL must not name another schema than DATABASE_URL');
  } catch (error) {
    faults.push((error as BootError).message);
  }
  return {
    dataDir: environment.DATA_DIR,
    ...(url !== undefined && { url }),
    ...(feedUrl !== undefined && { feedUrl }),
    poolSize: environment.DATABASE_POOL_SIZE,
    connectTimeoutMs: environment.DATABASE_CONNECT_TIMEOUT_MS,
    statementTimeoutMs: environment.DATABASE_STATEMENT_TIMEOUT_MS,
  };
}
