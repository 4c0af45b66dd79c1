/**
 * `all` and `expansions` apply migrations: all that are missing, or those before the first contraction. `none` applies
 * nothing, and refuses a database that lacks an expansion.
 */
export type MigrationMode = 'all' | 'expansions' | 'none';

export interface DatabaseConfig extends Partial<DatabaseLimits> {
  /** PostgreSQL, see `readDatabaseUrl`; without it the gateway keeps its data in an embedded PGlite under `dataDir`. */
  readonly url?: string;
  readonly dataDir: string;
  /** `all` by default. */
  readonly migrations?: MigrationMode;
}

export interface DatabaseLimits {
  readonly poolSize: number;
  /** Includes connecting and waiting for a free connection of the pool. */
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
}

export const databaseLimits: DatabaseLimits = { poolSize: 10, connectTimeoutMs: 3_000, statementTimeoutMs: 4_000 };
