import type { DatabaseConfig } from './config.js';

/** The database of the gateway that runs by the same settings, for a command that works on it. */
export function readDatabaseSettings(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): DatabaseConfig {
  const { DATABASE_URL: url, FEED_DATABASE_URL: feedUrl, DATA_DIR: dataDir } = variables;
  return { dataDir: dataDir || './data', ...(url && { url }), ...(feedUrl && { feedUrl }) };
}
