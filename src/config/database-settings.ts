import { BootError } from './boot-error.js';
import type { DatabaseConfig } from './config.js';
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
