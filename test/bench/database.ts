import pg from 'pg';
import { familyCpuMs, ticksOf } from './server-process.js';

/** A session in which the names of tables are those of the URL's schema. */
export async function withSchema<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const schema = new URL(url).searchParams.get('schema') ?? 'public';
    await client.query(`SET search_path TO ${client.escapeIdentifier(schema)}`);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The figures of the whole server so far. */
export interface DatabaseSpent {
  readonly cpuMs: number;
  /** The size of its write-ahead log. */
  readonly walBytes: number;
}

export function databaseSpent(databaseUrl: string): Promise<DatabaseSpent> {
  return withSchema(databaseUrl, async (client) => {
    const { rows } = await client.query<{ pid: number; wal: string }>(
      `SELECT pg_backend_pid() AS pid, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS wal`,
    );
    return { cpuMs: familyCpuMs(ticksOf(rows[0]?.pid ?? 0, 1)), walBytes: Number(rows[0]?.wal) };
  });
}

/** Tables, indexes and long values; and the connections of all clients, without the one that asks. */
export function databaseSize(databaseUrl: string): Promise<string> {
  return withSchema(databaseUrl, async (client) => {
    const { rows } = await client.query<Record<'bytes' | 'indexes' | 'connections' | 'version', string>>(
      `SELECT sum(pg_total_relation_size(oid)) AS bytes, sum(pg_indexes_size(oid)) AS indexes,
         (SELECT count(*) - 1 FROM pg_stat_activity WHERE datname = current_database()) AS connections,
         current_setting('server_version') AS version
       FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
    );
    const { bytes, indexes, connections, version } = rows[0] ?? {};
    return `PostgreSQL ${version}: ${bytes} bytes, of them ${indexes} of indexes; ${connections} connections.`;
  });
}
