import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BootError } from '../config/boot-error.js';

/** One migration of the gateway: the content of `prisma/migrations/<name>/migration.sql`. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** Prisma's checksum: SHA-256 of the file, in hex. */
  readonly checksum: string;
}

/** A row of Prisma's table `_prisma_migrations`, which `prisma migrate deploy` also reads and writes. */
export interface MigrationRecord {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished_at: unknown;
  readonly rolled_back_at: unknown;
}

/**
 * Whether the previous release runs on the schema that the migration leaves. The name says so: `<time>_expand_<subject>` or
 * `<time>_contract_<subject>`. The database records the name, also where `prisma migrate deploy` applied the migration, and
 * an earlier release knows nothing else of it.
 */
export function isExpansion(name: string): boolean {
  return /^\d{14}_expand_/.test(name);
}

/** Reads every migration of the folder, oldest first. */
export async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const file = await readFile(join(folder, name, 'migration.sql'));
      return { name, sql: file.toString('utf8'), checksum: createHash('sha256').update(file).digest('hex') };
    }),
  );
}

/**
 * The migrations that the database still lacks, oldest first. It may have expansions of a later release.
 * @throws BootError when other migrations made the database: then none may be applied to it, and this release may not run.
 */
export function pendingMigrations(
  ours: readonly Migration[],
  records: readonly MigrationRecord[],
): readonly Migration[] {
  const standing = records.filter((record) => record.rolled_back_at === null);
  for (const { migration_name: name, checksum, finished_at } of standing) {
    if (finished_at === null) {
      throw new BootError(
        `Migration ${name} failed half-way when \`prisma migrate deploy\` ran it: repair the database, ` +
          `then mark it with \`prisma migrate resolve --rolled-back ${name}\` (or --applied).`,
      );
    }
    const own = ours.find((migration) => migration.name === name);
    if (own === undefined) {
      if (isExpansion(name)) continue;
      throw new BootError(
        `The database is newer than this gateway, which does not know its migration ${name}: start the release that brought it, or a later one.`,
      );
    }
    if (own.checksum !== checksum) {
      throw new BootError(
        `Migration ${name} was changed after it was applied to this database: restore its file (line endings included) and put the change into a new migration.`,
      );
    }
  }
  const applied = new Set(standing.map((record) => record.migration_name));
  return ours.filter((migration) => !applied.has(migration.name));
}
