import { PrismaPg } from '@prisma/adapter-pg';
import { join } from 'node:path';
import type pg from 'pg';
import { databaseLimits, type DatabaseConfig, type MigrationMode } from '../config/database-config.js';
import { readDatabaseUrl } from '../config/database-url.js';
import { changeNothing, type Database } from './database.js';
import type { MigrationNames, MigrationSession } from './migration-runner.js';
import { migrate } from './migration-runner.js';
import { readMigrations } from './migrations.js';
import { packageRoot } from './package-root.js';
import { PostgresConnections } from './postgres-connections.js';
import { refusal } from './postgres-refusal.js';

/** The database ends a statement this much earlier than the gateway stops waiting, so that an error seldom hides a change. */
const queryGraceMs = 1_000;
const watchTimeoutMs = 2_000;
/**
 * Tests whether the database would accept a change. A full disk refuses more room, so the probe writes half a megabyte,
 * which PostgreSQL removes at once. It waits for a locked table for less time than the readiness check waits, so that the
 * readiness check can name the lock.
 */
const writeProbe = `BEGIN; SET LOCAL lock_timeout = '500ms'; SET LOCAL work_mem = '64kB';
  SELECT count(*) FROM generate_series(1, 20000); ${changeNothing}; COMMIT`;

/**
 * Opens the PostgreSQL database that `config` names, and migrates it as `config` says. Statements that cannot be answered
 * fail within seconds.
 * @throws BootError when it cannot be reached, refuses the gateway, cannot be migrated or lacks migrations. The message
 * never contains the password.
 */
export async function openPostgresDatabase(config: DatabaseConfig & { readonly url: string }): Promise<Database> {
  const limits = { ...databaseLimits, ...config };
  const address = readDatabaseUrl(config.url);
  const connections = new PostgresConnections(address, limits);
  const { statementTimeoutMs } = limits;
  const migrated = await migrateOnce(connections, config.migrations).catch((error: unknown) => {
    throw refusal(error, connections.target);
  });
  // For the health checks alone, so that a busy pool does not look like a dead database.
  const watch = connections.pool({
    max: 1,
    query_timeout: watchTimeoutMs,
    statementTimeoutMs: Math.min(statementTimeoutMs, watchTimeoutMs),
  });
  const queryTimeoutMs = statementTimeoutMs + queryGraceMs;
  const pool = connections.pool({ max: limits.poolSize, statementTimeoutMs, query_timeout: queryTimeoutMs });
  return {
    adapter: new PrismaPg(pool, { schema: connections.schema }),
    migrated,
    ping: async () => void (await watch.query(writeProbe)),
    read: async () => void (await watch.query('SELECT 1')),
    pool: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      most: limits.poolSize,
      waiting: pool.waitingCount,
    }),
    close: async () => {
      await Promise.all([watch.end(), pool.end()]);
    },
  };
}

async function migrateOnce(connections: PostgresConnections, mode: MigrationMode | undefined): Promise<MigrationNames> {
  const migrations = await readMigrations(join(packageRoot(), 'prisma', 'migrations'));
  const client = await connections.connect();
  try {
    return await migrate(migrationSession(client), migrations, mode);
  } finally {
    await client.end();
  }
}

/** The driver has no timeout here: a migration may take long, and so may the wait for the migration of another process. */
export function migrationSession(client: pg.Client): MigrationSession {
  return {
    query: async (sql, values) => (await client.query(sql, [...(values ?? [])])).rows as unknown[],
    script: async (sql) => void (await client.query(sql)),
  };
}
