import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailed } from '../../src/commands/command.js';
import { databaseLimits } from '../../src/config/database-config.js';
import { readDatabaseSettings } from '../../src/config/database-settings.js';
import { readDatabaseUrl } from '../../src/config/database-url.js';
import { refusal } from '../../src/persistence/postgres-refusal.js';
import { PostgresServers } from '../../src/persistence/postgres-servers.js';
import type { ChainRecord } from '../../src/trail/root-record.js';
import { goneMeanwhile } from '../../src/trail/segment-files.js';
import { fileOf, isDay, isDroppedFile, parseSegmentFile } from '../../src/trail/segment-names.js';

/** The records of a trail's chain, in their order, and the place from which they come. */
export interface RootRecords {
  readonly source: 'database' | 'files';
  readonly records: readonly ChainRecord[];
  /** The files that are no records. */
  readonly unreadable: readonly string[];
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

/** The records in the files next to the segments, and in those of dropped days, by their sequence. */
export async function recordFiles(
  folders: readonly string[],
): Promise<{ records: readonly ChainRecord[]; unreadable: readonly string[] }> {
  const paths = (await Promise.all(folders.map(recordPaths))).flat();
  const read = (await Promise.all(paths.map(recordsIn))).flat();
  return {
    records: read.flatMap(({ record }) => record ?? []).sort((one, other) => one.sequence - other.sequence),
    unreadable: read.flatMap(({ path, record }) => (record === undefined ? [path] : [])),
  };
}

async function recordPaths(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  const days = names.filter(isDay).map((day) => join(folder, day));
  const files = await Promise.all(
    days.map(async (day) =>
      ((await readdir(day).catch(goneMeanwhile)) ?? []).flatMap((file) => {
        const name = parseSegmentFile(file);
        return name?.state === 'root' ? [join(day, fileOf(name.segment, 'root'))] : [];
      }),
    ),
  );
  return [...files.flat(), ...names.filter(isDroppedFile).map((file) => join(folder, file))];
}

/** Each line is a record. */
async function recordsIn(path: string): Promise<{ path: string; record: ChainRecord | undefined }[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(`${path} cannot be read (${error.code})`);
  });
  return text
    .trimEnd()
    .split('\n')
    .map((line) => ({ path, record: recordOf(line) }));
}

function recordOf(line: string): ChainRecord | undefined {
  try {
    const record: unknown = JSON.parse(line);
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is ChainRecord {
  const record = (value ?? {}) as Readonly<Record<string, unknown>>;
  const texts = [
    'previous',
    'keyId',
    'signature',
    ...(Array.isArray(record['segments']) ? ['dropped'] : ['segment', 'root']),
  ];
  return typeof record['sequence'] === 'number' && texts.every((name) => typeof record[name] === 'string');
}
