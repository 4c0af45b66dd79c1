import type { DatabaseConfig } from '../../src/config/database-config.js';
import type { Database } from '../../src/persistence/database.js';
import { openPgliteDatabase } from '../../src/persistence/pglite-database.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { type FreshDatabase, freshDatabase, freshPglite, postgresUrl } from './fresh-database.js';

interface OpenPglite {
  readonly opened: Database;
  readonly prisma: PrismaService;
}

const idle: OpenPglite[] = [];

/**
 * Open, migrated, empty databases that tests reuse for one gateway after another: opening a database takes ten times as
 * long as emptying it. A gateway closes its database as usual. The databases live as long as the worker, and their files as
 * long as the run.
 */
export function lentPglite(prepare?: Prepare): FreshDatabase {
  // No other process can open it.
  const config: DatabaseConfig = { dataDir: '/dev/null/lent' };
  lent.set(config, prepare);
  return { config, drop: () => Promise.resolve() };
}

/** Fills the empty database, before its gateway has it. */
type Prepare = (prisma: PrismaService) => Promise<void>;
const lent = new WeakMap<DatabaseConfig, Prepare | undefined>();

/** The database that the configuration names, or a lent one. */
export async function openDatabase(config: DatabaseConfig): Promise<PrismaService> {
  if (!lent.has(config)) return PrismaService.open(config);
  const prisma = await lend();
  await lent.get(config)?.(prisma);
  return prisma;
}

/** For a test that closes its database once, and neither opens it again nor from another process. */
export interface EmptyDatabase {
  readonly prisma: PrismaService;
  /** As the operators' commands, which may more on PostgreSQL. */
  asMaintenance(work: (prisma: PrismaService) => Promise<unknown>): Promise<void>;
  /** On PostgreSQL, removes it. */
  close(): Promise<void>;
}

/** Open, migrated and empty: a new one on the PostgreSQL that DATABASE_URL names, or else a lent one. */
export async function emptyDatabase(): Promise<EmptyDatabase> {
  const { config, maintenance, drop }: FreshDatabase = postgresUrl === undefined ? lentPglite() : await freshDatabase();
  const prisma = await openDatabase(config);
  const asMaintenance: EmptyDatabase['asMaintenance'] = async (work) => {
    const role = maintenance && (await PrismaService.open(maintenance));
    try {
      await work(role ?? prisma);
    } finally {
      await role?.onApplicationShutdown();
    }
  };
  const close = async (): Promise<void> => {
    await prisma.onApplicationShutdown();
    await drop();
  };
  return { prisma, asMaintenance, close };
}

/** Its client stays connected, and keeps the plans of the queries that an earlier gateway made. */
async function lend(): Promise<PrismaService> {
  const pglite = idle.pop() ?? (await open());
  // A gateway may be closed twice, and no two gateways may get the same database.
  let returned: Promise<void> | undefined;
  const giveBack = async (): Promise<void> => {
    await empty(pglite.prisma);
    idle.push(pglite);
  };
  const database: Database = { ...pglite.opened, close: () => (returned ??= giveBack()) };
  return Object.create(pglite.prisma, {
    database: { value: database },
    $disconnect: { value: () => Promise.resolve() },
  }) as PrismaService;
}

async function open(): Promise<OpenPglite> {
  const { config } = await freshPglite();
  const opened = await openPgliteDatabase(config);
  return { opened, prisma: new PrismaService(opened) };
}

/** By DELETE, without triggers and references: TRUNCATE makes the files of every table and index again. */
async function empty(prisma: PrismaService): Promise<void> {
  await prisma.$executeRaw`
    DO $$
    DECLARE name text;
    BEGIN
      SET LOCAL session_replication_role = replica;
      FOR name IN
        SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'
      LOOP
        EXECUTE 'DELETE FROM ' || name;
      END LOOP;
    END $$`;
}
