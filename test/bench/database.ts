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

/** The work of the server in one database so far. */
export interface Work {
  readonly statements: number;
  /** Blocks of tables and indexes that it looked at, in memory or on the disk. */
  readonly blocks: number;
}

/** Returns the work in that database; it is `undefined` where the server does not count it. */
export async function workOf(serverUrl: string, databaseUrl: string): Promise<() => Promise<Work | undefined>> {
  const database = new URL(databaseUrl).pathname.slice(1);
  try {
    await withClient(serverUrl, (client) => client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements'));
    const count = (): Promise<Work> =>
      withClient(serverUrl, async (client) => {
        const { rows } = await client.query<Record<keyof Work, string>>(
          `SELECT sum(calls) AS statements, sum(shared_blks_hit + shared_blks_read) AS blocks FROM pg_stat_statements
           WHERE dbid = (SELECT oid FROM pg_database WHERE datname = $1)`,
          [database],
        );
        return { statements: Number(rows[0]?.statements), blocks: Number(rows[0]?.blocks) };
      });
    await count();
    return count;
  } catch (error) {
    console.log(`The work of PostgreSQL is not counted: ${String(error)}`);
    return () => Promise.resolve(undefined);
  }
}

/** The figures of the server so far. */
export interface DatabaseSpent {
  /** In this database; `undefined` where they are not counted. */
  readonly statements: number | undefined;
  /** The whole server; `undefined` unless it runs on this machine. */
  readonly cpuMs: number | undefined;
  /** The write-ahead log of the whole server. */
  readonly walBytes: number;
}

export async function databaseSpent(serverUrl: string, databaseUrl: string): Promise<() => Promise<DatabaseSpent>> {
  const work = await workOf(serverUrl, databaseUrl);
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
  return async () => ({ statements: (await work())?.statements, ...(await read()) });
}

/** Afterwards a page that is written goes into the write-ahead log whole, the first time: as in every few minutes of a day. */
export async function checkpoint(serverUrl: string): Promise<void> {
  await withClient(serverUrl, (client) => client.query('CHECKPOINT'));
}

export interface DatabaseSize {
  /** Tables, indexes and long values. */
  readonly bytes: number;
  readonly indexBytes: number;
  /** From all clients to this database, without the connection that asks. */
  readonly connections: number;
  /** The release of PostgreSQL. */
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
