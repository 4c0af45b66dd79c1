import type { ChangeFeed } from './change-feed.js';
import type { Prisma } from './generated/client.js';

/** An open, migrated database: PostgreSQL, or PGlite embedded in this process. */
export interface Database {
  readonly adapter: NonNullable<Prisma.PrismaClientOptions['adapter']>;
  readonly changes: ChangeFeed;
  /** Resolves when the database answers; rejects, within seconds, when it does not. */
  ping(): Promise<void>;
  /** Gives back every connection, file and lock. */
  close(): Promise<void>;
}
