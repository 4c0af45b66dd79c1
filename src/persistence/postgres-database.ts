import { PrismaPg } from '@prisma/adapter-pg';
import { join } from 'node:path';
import type { ClientConfig } from 'pg';
import pg from 'pg';
import { BootError } from '../config/boot-error.js';
import type { Database } from './database.js';
import type { MigrationSession } from './migration-runner.js';
import { migrate } from './migration-runner.js';
import { readMigrations } from './migrations.js';
import { packageRoot } from './package-root.js';
import { PostgresChangeFeed } from './postgres-change-feed.js';

/** Connecting, waiting for a free connection of the pool included. */
const connectionTimeoutMs = 3000;
/** The database gives up a statement before we give up the database, so that an error seldom hides a change that was made. */
const statementTimeoutMs = 4000;
const queryTimeoutMs = 5000;
const poolSize = 10;

/**
 * Opens the PostgreSQL database that `url` names and migrates it. Statements that cannot be answered fail within seconds.
 * As with Prisma's own tools, `?schema=` names another schema than `public`.
 * @throws BootError when it cannot be reached, refuses us, or cannot be migrated. The message never holds the password.
 */
export async function openPostgresDatabase(url: string): Promise<Database> {
  const { schema, config } = connection(url);
  await migrateOnce(config);
  const pool = new pg.Pool({
    ...config,
    max: poolSize,
    keepAlive: true,
    statement_timeout: statementTimeoutMs,
    query_timeout: queryTimeoutMs,
  });
  // An idle connection that the database ends is replaced when it is next needed; unheard, its error would end the process.
  pool.on('error', () => undefined);
  const changes = new PostgresChangeFeed(config);
  return {
    adapter: new PrismaPg(pool, { schema }),
    changes,
    ping: async () => void (await pool.query('SELECT 1')),
    close: async () => {
      await Promise.all([changes.close(), pool.end()]);
    },
  };
}

function connection(text: string): { schema: string; config: ClientConfig } {
  const url = parse(text);
  const schema = url.searchParams.get('schema') ?? 'public';
  url.searchParams.delete('schema');
  // Prisma names the schema in each statement; migrations and our own SQL rely on the path.
  const options = [url.searchParams.get('options') ?? '', `-c search_path="${schema.replaceAll(/[\\ ]/g, '\\$&')}"`];
  url.searchParams.set('options', options.join(' ').trim());
  return {
    schema,
    config: {
      connectionString: url.href,
      application_name: 'account-information-gateway',
      connectionTimeoutMillis: connectionTimeoutMs,
    },
  };
}

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'postgresql:' || url?.protocol === 'postgres:') return url;
  throw new BootError('DATABASE_URL names no PostgreSQL: write it as postgresql://user:password@host:5432/database.');
}

async function migrateOnce(config: ClientConfig): Promise<void> {
  const migrations = await readMigrations(join(packageRoot(), 'prisma', 'migrations'));
  const client = new pg.Client(config);
  client.on('error', () => undefined); // Also rejects the query under way, which is where it is reported.
  try {
    await client.connect();
    await migrate(migrationSession(client), migrations);
  } catch (error) {
    if (error instanceof BootError) throw error;
    const { code, message } = error as { code?: string; message: string };
    throw new BootError(whyNot(client, code, message), { cause: error });
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

function whyNot({ host, port, user, database }: pg.Client, code: string | undefined, message: string): string {
  const address = host.startsWith('/') ? host : `${host}:${port}`;
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `No PostgreSQL answers at ${address}: start it or correct DATABASE_URL.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host ${host} of DATABASE_URL is unknown: correct DATABASE_URL or the name service.`;
    case '28P01':
    case '28000':
      return `PostgreSQL at ${address} refuses the user ${user} (${message}): correct the user or password in DATABASE_URL.`;
    case '3D000':
      return `PostgreSQL at ${address} has no database ${database}: create it or correct DATABASE_URL.`;
    default:
      return `PostgreSQL at ${address} cannot be used (${message || code}): mend it or correct DATABASE_URL.`;
  }
}
