import { PrismaPg } from '@prisma/adapter-pg';
import { join } from 'node:path';
import type pg from 'pg';
import { databaseLimits, type DatabaseConfig, type DatabaseLimits } from '../config/database-config.js';
import { readDatabaseUrl } from '../config/database-url.js';
import { changeNothing, type Database } from './database.js';
import type { MigrationSession } from './migration-runner.js';
import { migrate } from './migration-runner.js';
import { readMigrations } from './migrations.js';
import { packageRoot } from './package-root.js';
import { PostgresChangeFeed } from './postgres-change-feed.js';
import { refusal } from './postgres-refusal.js';
import { PostgresServers } from './postgres-servers.js';

/** The database gives up a statement so long before we give up the database: an error seldom hides a change that was made. */
const queryGraceMs = 1_000;
const watchTimeoutMs = 2_000;
/**
 * Whether a change would be taken. A full disk refuses more room, so the probe asks for some: half a megabyte that
 * PostgreSQL removes at once. The echo of the feed writes as well, to the log of changes, and may do so for long when
 * the disk is full. That echo waits for the same connection: a table that somebody has locked must not hold it up for so
 * long that the feed is not trusted any more.
 */
const writeProbe = `BEGIN; SET LOCAL lock_timeout = '500ms'; SET LOCAL work_mem = '64kB';
  SELECT count(*) FROM generate_series(1, 20000); ${changeNothing}; COMMIT`;
/** PostgreSQL's code for a change where nothing may be changed: on a standby NOTIFY is one. */
const readOnlySession = '25006';

/**
 * Opens the PostgreSQL database that `config` names and migrates it. Statements that cannot be answered fail within seconds.
 * @throws BootError when it cannot be reached, refuses us, or cannot be migrated. The message never holds the password.
 */
export async function openPostgresDatabase(config: DatabaseConfig & { readonly url: string }): Promise<Database> {
  const limits = { ...databaseLimits, ...config };
  const address = readDatabaseUrl(config.url, 'DATABASE_URL');
  const servers = new PostgresServers(address, limits);
  const direct = directServers(config, servers, limits);
  const { statementTimeoutMs } = limits;
  // A connection of its own: the pool may be busy for longer than the feed is trusted without an echo.
  const watch = servers.pool({
    ...{ max: 1, idleTimeoutMillis: 0, query_timeout: watchTimeoutMs },
    statementTimeoutMs: Math.min(statementTimeoutMs, watchTimeoutMs),
  });
  const changes = new PostgresChangeFeed({
    connect: () => direct.connect(),
    notify: (channel, payload) => notify(watch, servers, channel, payload),
  });
  try {
    // Before anything is written: behind a pooler that shares connections not even the lock of the migrations holds.
    await changes.open();
    await migrateOnce(direct);
  } catch (error) {
    await Promise.all([changes.close(), watch.end()]);
    const isDirect = config.feedUrl !== undefined && direct.isConnectFault(error as Error);
    throw isDirect ? refusal(error, direct, 'FEED_DATABASE_URL') : refusal(error, servers, 'DATABASE_URL');
  }
  const queryTimeoutMs = statementTimeoutMs + queryGraceMs;
  const pool = servers.pool({ max: limits.poolSize, statementTimeoutMs, query_timeout: queryTimeoutMs });
  return {
    adapter: new PrismaPg(pool, { schema: servers.schema }),
    changes,
    ping: async () => void (await watch.query(writeProbe)),
    read: async () => void (await watch.query('SELECT 1')),
    close: async () => {
      await Promise.all([changes.close(), watch.end(), pool.end()]);
    },
  };
}

/** Where FEED_DATABASE_URL leads, past a pooler; the same servers without it. */
function directServers({ feedUrl }: DatabaseConfig, servers: PostgresServers, limits: DatabaseLimits): PostgresServers {
  if (feedUrl === undefined) return servers;
  // The same schema, whatever the URL itself says: migrations run there.
  return new PostgresServers({ ...readDatabaseUrl(feedUrl, 'FEED_DATABASE_URL'), schema: servers.schema }, limits);
}

/**
 * Notifies, and looks what the server is now: a pooler may stand before another one than a second ago. Where that is no
 * primary any more, nothing more is read from it.
 */
async function notify(watch: pg.Pool, servers: PostgresServers, channel: string, payload: string): Promise<void> {
  try {
    const { rows } = await watch.query<{ readOnly: boolean }>(
      `SELECT pg_notify($1, $2), current_setting('transaction_read_only') = 'on' AS "readOnly"`,
      [channel, payload],
    );
    if (servers.needsReadWrite && rows[0]?.readOnly === true) servers.disconnectAll();
  } catch (error) {
    if ((error as { code?: unknown }).code === readOnlySession) servers.disconnectAll();
    throw error;
  }
}

async function migrateOnce(servers: PostgresServers): Promise<void> {
  const migrations = await readMigrations(join(packageRoot(), 'prisma', 'migrations'));
  const client = await servers.connect();
  try {
    await migrate(migrationSession(client), migrations);
  } finally {
    await client.end();
  }
}

/** Without a timeout: a migration takes its time, and so does waiting for another process's. */
export function migrationSession(client: pg.Client): MigrationSession {
  return {
    query: async (sql, values) => (await client.query(sql, [...(values ?? [])])).rows as unknown[],
    script: async (sql) => void (await client.query(sql)),
  };
}
