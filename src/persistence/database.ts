import type { ConsentChanges } from '../consents/consent.store.js';
import type { Prisma } from './generated/client.js';

/** An open, migrated database: PostgreSQL, or PGlite embedded in this process. */
export interface Database {
  readonly adapter: NonNullable<Prisma.PrismaClientOptions['adapter']>;
  readonly changes: ConsentChanges;
  /** Resolves when the database answers; rejects, within seconds, when it does not. */
  ping(): Promise<void>;
  /** Gives back every connection, file and lock. */
  close(): Promise<void>;
}

/** On this channel a trigger tells the id of each consent that was changed, once the change is committed. */
export const consentChangedChannel = 'consent_changed';
