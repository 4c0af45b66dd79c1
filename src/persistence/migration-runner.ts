import { randomUUID } from 'node:crypto';
import { BootError } from '../config/boot-error.js';
import type { MigrationMode } from '../config/database-config.js';
import type { Migration, MigrationRecord } from './migrations.js';
import { isExpansion, pendingMigrations } from './migrations.js';

/** One connection to the database to migrate. Only within a transaction do successive calls reach the same session. */
export interface MigrationSession {
  query(sql: string, values?: readonly unknown[]): Promise<readonly unknown[]>;
  /** Runs a script of any number of statements, sent whole, because a script cannot be cut at its semicolons. */
  script(sql: string): Promise<void>;
}

export interface MigrationNames {
  readonly applied: readonly string[];
  /** Contractions that are still missing, and all after them. */
  readonly waiting: readonly string[];
}

/** The key of the advisory lock of `prisma migrate`, so that it and the gateway never migrate at the same time. */
const prismaMigrateLock = 72707369;

const undefinedTable = '42P01';
const insufficientPrivilege = '42501';

/**
 * After the wait for the lock, the second read of the records must find those that were committed meanwhile. Waiting and
 * migrating may take long, whatever limit the role has.
 */
const begin = `BEGIN ISOLATION LEVEL READ COMMITTED;
  SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`;

const createRecords = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id" VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum" VARCHAR(64) NOT NULL,
    "finished_at" TIMESTAMPTZ,
    "migration_name" VARCHAR(255) NOT NULL,
    "logs" TEXT,
    "rolled_back_at" TIMESTAMPTZ,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

/**
 * Brings the database up to `ours`, or only compares it with `ours`; costs one query when nothing is pending. The pending migrations and
 * their records are one transaction, so that a failing migration leaves nothing behind. The lock belongs to the
 * transaction as well: a connection pooler guarantees one session for a transaction only. When several processes start at
 * once, one migrates and the others wait for it. A migration must not end the transaction itself (no COMMIT, no CREATE
 * INDEX CONCURRENTLY).
 *
 * Prisma's engine is not used: it cannot be downloaded everywhere, and through the driver adapters it either cuts scripts
 * at each semicolon or accepts a broken script.
 * @throws BootError that names the migration which failed, or the reason why the database must not be migrated or used.
 */
export async function migrate(
  session: MigrationSession,
  ours: readonly Migration[],
  mode: MigrationMode = 'all',
): Promise<MigrationNames> {
  const found = divide(ours, await readRecords(session), mode);
  if (found.due.length === 0) return { applied: [], waiting: names(found.waiting) };
  if (mode === 'none') throw notMigrated(found.due);
  await session.script(begin);
  try {
    await session.query('SELECT pg_advisory_xact_lock($1)', [prismaMigrateLock]);
    await session.script(createRecords);
    // Read again: another process may have migrated while this one waited for the lock.
    const { due, waiting } = divide(ours, await readRecords(session), mode);
    for (const migration of due) await apply(session, migration);
    await session.script('COMMIT');
    return { applied: names(due), waiting: names(waiting) };
  } catch (error) {
    // This fails where the session is lost; then the database has rolled back without it.
    await session.script('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Divides the missing migrations into those that the mode applies, or asks for, and the rest. */
function divide(
  ours: readonly Migration[],
  records: readonly MigrationRecord[],
  mode: MigrationMode,
): Readonly<Record<'due' | 'waiting', readonly Migration[]>> {
  const pending = pendingMigrations(ours, records);
  const due = pending.slice(0, dueCount(pending, pending.length === ours.length, mode));
  return { due, waiting: pending.slice(due.length) };
}

function dueCount(pending: readonly Migration[], isEmpty: boolean, mode: MigrationMode): number {
  const expansions = pending.findIndex(({ name }) => !isExpansion(name));
  // No release runs on an empty database.
  if (mode === 'all' || isEmpty || expansions < 0) return pending.length;
  if (mode === 'expansions') return expansions;
  return pending.some(({ name }) => isExpansion(name)) ? pending.length : 0;
}

function notMigrated(due: readonly Migration[]): BootError {
  return new BootError(
    `MIGRATE=no, and the database lacks ${names(due).join(', ')}: run \`npm run ops -- migrate\` as its owner ` +
      '(in a container the image of the operators has it), then start again.',
  );
}

function names(migrations: readonly Migration[]): readonly string[] {
  return migrations.map(({ name }) => name);
}

async function readRecords(session: MigrationSession): Promise<readonly MigrationRecord[]> {
  try {
    const rows = await session.query(
      'SELECT migration_name, checksum, finished_at, rolled_back_at FROM "_prisma_migrations"',
    );
    return rows as readonly MigrationRecord[];
  } catch (error) {
    if ((error as { code?: unknown }).code === undefinedTable) return [];
    throw error;
  }
}

async function apply(session: MigrationSession, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await session.script(sql);
    await session.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    );
  } catch (error) {
    if ((error as { code?: unknown }).code === insufficientPrivilege) throw error;
    throw new BootError(
      `Migration ${name} failed and was rolled back (${(error as Error).message}): correct its migration.sql, then start again.`,
      { cause: error },
    );
  }
}
