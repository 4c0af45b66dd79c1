import { CommandFailed } from '../../src/commands/command.js';
import { databaseLimits } from '../../src/config/database-config.js';
import { readDatabaseSettings } from '../../src/config/database-settings.js';
import { readDatabaseUrl } from '../../src/config/database-url.js';
import { refusal } from '../../src/persistence/postgres-refusal.js';
import { PostgresServers } from '../../src/persistence/postgres-servers.js';
import type { ChainRecord } from '../../src/trail/root-record.js';
import { isRecord, recordFiles, type RecordFiles } from './record-files.js';

/** The records of a trail's chain, in their order, and the place from which they come. */
export interface RootRecords extends RecordFiles {
  readonly source: 'database' | 'files';
}

/** From the database, which the gateways cannot change, where DATABASE_URL names it; otherwise from the files. */
export async function rootRecords(folders: readonly string[]): Promise<RootRecords> {
  const { url } = readDatabaseSettings();
  if (url === undefined) return { source: 'files', ...(await recordFiles(folders)) };
  return { source: 'database', records: await recordsOfDatabase(url), unreadable: [] };
}

async function recordsOfDatabase(url: string): Promise<ChainRecord[]> {
  const servers = new PostgresServers(readDatabaseUrl(url, 'DATABASE_URL'), databaseLimits);
  try {
    const client = await servers.connect();
    try {
      const { rows } = await client.query<{ record: unknown }>('SELECT record FROM trail_roots ORDER BY sequence');
      return rows.map(({ record }) => {
        if (isRecord(record)) return record;
        throw new CommandFailed('a row of trail_roots is no root record: a later release may have written it');
      });
    } finally {
      await client.end();
    }
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw refusal(error, servers, 'DATABASE_URL');
  }
}
