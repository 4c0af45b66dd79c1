import { existsSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { familyCpuMilliseconds, parentOf } from './process-figures.js';

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The same, where the names of tables are those of the URL's schema. */
export function withSchema<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return withClient(url, async (client) => {
    const schema = new URL(url).searchParams.get('schema') ?? 'public';
    await client.query(`SET search_path TO ${client.escapeIdentifier(schema)}`);
    return work(client);
  });
}

/** Returns the statements that the server has run in that database; `undefined` where it does not count them. */
export async function statementCount(
  serverUrl: string,
  databaseUrl: string,
): Promise<() => Promise<number | undefined>> {
  const database = new URL(databaseUrl).pathname.slice(1);
  try {
    await withClient(serverUrl, (client) => client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements'));
    const count = (): Promise<number> =>
      withClient(serverUrl, async (client) => {
        const { rows } = await client.query<{ calls: string }>(
          `SELECT sum(calls) AS calls FROM pg_stat_statements
           WHERE dbid = (SELECT oid FROM pg_database WHERE datname = $1)`,
          [database],
        );
        return Number(rows[0]?.calls);
      });
    await count();
    return count;
  } catch (error) {
    console.log(`Statements are not counted: ${String(error)}`);
    return () => Promise.resolve(undefined);
  }
}

/** What the server has spent so far. */
export interface DatabaseSpent {
  /** In this database; `undefined` where they are not counted. */
  readonly statements: number | undefined;
  /** Of the whole server; `undefined` unless it runs on this machine. */
  readonly cpuMs: number | undefined;
  /** Of the write-ahead log of the whole server. */
  readonly walBytes: number;
}

export async function databaseSpent(serverUrl: string, databaseUrl: string): Promise<() => Promise<DatabaseSpent>> {
  const statements = await statementCount(serverUrl, databaseUrl);
  const read = (): Promise<Pick<DatabaseSpent, 'cpuMs' | 'walBytes'>> =>
    withClient(serverUrl, async (client) => {
      const { rows } = await client.query<{ pid: number; wal: string }>(
        `SELECT pg_backend_pid() AS pid, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS wal`,
      );
      const statFile = `/proc/${rows[0]?.pid}/stat`;
      const stat = existsSync(statFile) ? readFileSync(statFile, 'utf8') : '';
      const cpuMs = stat.includes('(postgres)') ? familyCpuMilliseconds(parentOf(stat)) : undefined;
      return { cpuMs, walBytes: Number(rows[0]?.wal) };
    });
  return async () => ({ statements: await statements(), ...(await read()) });
}

/** Afterwards a page that is written goes into the write-ahead log whole, the first time: as in every few minutes of a day. */
export async function checkpoint(serverUrl: string): Promise<void> {
  await withClient(serverUrl, (client) => client.query('CHECKPOINT'));
}

export interface DatabaseSize {
  /** Tables, indexes and long values. */
  readonly bytes: number;
  readonly indexBytes: number;
  /** Of all clients of this database but the one that asks. */
  readonly connections: number;
  /** Of PostgreSQL. */
  readonly version: string;
}

export function databaseSize(databaseUrl: string): Promise<DatabaseSize> {
  return withSchema(databaseUrl, async (client) => {
    const { rows } = await client.query<Record<keyof DatabaseSize, string>>(
      `SELECT sum(pg_total_relation_size(oid)) AS bytes, sum(pg_indexes_size(oid)) AS "indexBytes",
         (SELECT count(*) - 1 FROM pg_stat_activity WHERE datname = current_database()) AS connections,
         current_setting('server_version') AS version
       FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
    );
    const { bytes = '', indexBytes = '', connections = '', version = '' } = rows[0] ?? {};
    return { bytes: Number(bytes), indexBytes: Number(indexBytes), connections: Number(connections), version };
  });
}
