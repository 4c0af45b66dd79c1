import { CommandFailed } from '../../src/command-line/command.js';
import { readDatabaseSettings } from '../../src/config/database-settings.js';
import { chainLock, type ChainRecord } from '../../src/trail/root-record.js';
import { withClient } from './gateway-database.js';
import { isRecord, recordFiles, type RecordFiles } from './record-files.js';

/** The records of a trail's chain, in their order, and the place from which they come. */
export interface RootRecords extends RecordFiles {
  readonly source: 'database' | 'files';
}

/**
 * From the database, which the gateways cannot change, where DATABASE_URL names it; otherwise from the files.
 * @param from of files: the first day whose segments' records are read
 */
export async function rootRecords(folders: readonly string[], from?: string): Promise<RootRecords> {
  const { url } = readDatabaseSettings();
  if (url === undefined) return { source: 'files', ...(await recordFiles(folders, from)) };
  return { source: 'database', records: await recordsOfDatabase(url), unreadable: [] };
}

function recordsOfDatabase(url: string): Promise<ChainRecord[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ record: unknown }>('SELECT record FROM trail_roots ORDER BY sequence');
    return rows.map(({ record }) => {
      if (isRecord(record)) return record;
      throw new CommandFailed(
        'a row of trail_roots is not a root record that this release can read: a later release may have written it',
      );
    });
  });
}

/** Appends a record to the chain, as the maintenance role. @param make makes the record that comes after this one */
export function appendRecord(
  url: string,
  id: string,
  make: (before: ChainRecord | undefined) => ChainRecord,
): Promise<ChainRecord> {
  return withClient(url, async (client) => {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [chainLock]);
    const last = 'SELECT record FROM trail_roots ORDER BY sequence DESC LIMIT 1';
    const { rows } = await client.query<{ record: ChainRecord }>(last);
    const record = make(rows[0]?.record);
    const insert = 'INSERT INTO trail_roots (segment, sequence, previous, record) VALUES ($1, $2, $3, $4)';
    const row = [id, record.sequence, record.previous, JSON.stringify(record)];
    await client.query(insert, row).catch((error: Error & { code?: string }) => {
      if (error.code === '42501') throw new CommandFailed('DATABASE_URL must be that of the maintenance role');
      throw error;
    });
    await client.query('COMMIT');
    return record;
  });
}
