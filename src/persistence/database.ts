import type { Prisma } from '../../prisma/client/client.js';

/** An open, migrated database: PostgreSQL, or PGlite embedded in this process. */
export interface Database {
  readonly adapter: NonNullable<Prisma.PrismaClientOptions['adapter']>;
  /** Resolves when the database takes changes; rejects, within seconds, when it does not. Waits for no connection of the pool. */
  ping(): Promise<void>;
  /** Resolves when the database answers a question; rejects as `ping` does. */
  read(): Promise<void>;
  /** Gives back every connection, file and lock. */
  close(): Promise<void>;
}

/** Changes no row, and is refused where nothing may be changed: on a standby, on a read-only one, without the right to it. */
export const changeNothing =
  'INSERT INTO consents SELECT * FROM consents WHERE false; UPDATE consents SET status = status WHERE false';
