import type { DatabaseConfig } from './config.js';
import { readSecret } from './secrets.js';

/** The database of the gateway that runs by the same settings, for a command that works on it. */
export function readDatabaseSettings(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): DatabaseConfig {
  const [url, feedUrl] = [readSecret(variables, 'DATABASE_URL'), readSecret(variables, 'FEED_DATABASE_URL')];
  const { DATA_DIR: dataDir } = variables;
  return { dataDir: dataDir || './data', ...(url && { url }), ...(feedUrl && { feedUrl }) };
}
