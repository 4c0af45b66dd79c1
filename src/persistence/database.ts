import type { Prisma } from '../../prisma/client/client.js';
import type { MigrationNames } from './migration-runner.js';

/** How the connections of a pool are used now. */
interface PoolState {
  readonly inUse: number;
  readonly idle: number;
  readonly most: number;
  /** Queries that wait for a connection. */
  readonly waiting: number;
}

/** An open, migrated database: PostgreSQL, or PGlite embedded in this process. */
export interface Database {
  readonly adapter: NonNullable<Prisma.PrismaClientOptions['adapter']>;
  /** The migrations of its opening. */
  readonly migrated: MigrationNames;
  /**
   * Resolves when the database accepts changes; rejects, within seconds, when it does not. Waits for no connection of the
   * pool.
   */
  ping(): Promise<void>;
  /** Resolves when the database answers a query; rejects as `ping` does. */
  read(): Promise<void>;
  /** The pool of connections, where there is one. */
  pool?(): PoolState;
  /** Releases every connection, file and lock. */
  close(): Promise<void>;
}

/**
 * Changes no row. The database refuses it where it accepts no changes: on a standby, on a read-only server, without the
 * right to write.
 */
export const changeNothing =
  'INSERT INTO consents SELECT * FROM consents WHERE false; UPDATE consents SET status = status WHERE false';
