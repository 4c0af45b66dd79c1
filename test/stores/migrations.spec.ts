import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PGlite } from '@electric-sql/pglite';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { BootError } from '../../src/config/boot-error.js';
import type { MigrationMode } from '../../src/config/database-config.js';
import type { MigrationSession } from '../../src/persistence/migration-runner.js';
import { migrate } from '../../src/persistence/migration-runner.js';
import type { Migration } from '../../src/persistence/migrations.js';
import { readMigrations } from '../../src/persistence/migrations.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { migrationSession as pgliteSession } from '../../src/persistence/pglite-template.js';
import { migrationSession as postgresSession } from '../../src/persistence/postgres-database.js';
import { freshPglite, postgresUrl } from '../support/fresh-database.js';

interface OpenSession extends MigrationSession {
  close(): Promise<void>;
}

interface Backend {
  /** A session whose tables lie in `schema`. */
  session(schema: string): Promise<OpenSession>;
  close(): Promise<void>;
}

async function onPglite(): Promise<Backend> {
  const { config, drop } = await freshPglite();
  const pglite = await PGlite.create({ dataDir: join(config.dataDir, 'pglite') });
  return {
    session: async (schema) => {
      await pglite.exec(`SET search_path TO ${schema}`);
      return { ...pgliteSession(pglite), close: async () => undefined };
    },
    close: async () => {
      await pglite.close();
      await drop();
    },
  };
}

async function onPostgres(url: string): Promise<Backend> {
  return {
    session: async (schema) => {
      const client = new pg.Client(url);
      await client.connect();
      await client.query(`SET search_path TO ${schema}`);
      return { ...postgresSession(client), close: () => client.end() };
    },
    close: async () => undefined,
  };
}

const backends: [name: string, open: () => Promise<Backend>][] = [['PGlite', onPglite]];
if (postgresUrl !== undefined) {
  const url = postgresUrl;
  backends.push(['PostgreSQL', () => onPostgres(url)]);
}

function migration(name: string, sql: string): Migration {
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

const first = migration(
  '1_first',
  `CREATE TABLE one (id INTEGER PRIMARY KEY);
   CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM 1; RETURN NULL; END; $$;
   CREATE TRIGGER trigger_one AFTER UPDATE ON one FOR EACH ROW EXECUTE FUNCTION nothing();`,
);
const second = migration('2_second', 'CREATE TABLE two (id INTEGER PRIMARY KEY); INSERT INTO one VALUES (1);');
const expansion = migration('20270101000000_expand_two', second.sql);
const contraction = migration('20270202000000_contract_one', 'ALTER TABLE one DROP COLUMN id;');
const afterIt = migration('20270303000000_expand_three', 'CREATE TABLE three (id INTEGER PRIMARY KEY);');
const broken = migration('2_second', 'CREATE TABLE two (id INTEGER PRIMARY KEY); INSERT INTO three VALUES (1);');

describe.each(backends)('Migrations of %s', (_name, open) => {
  let backend: Backend;
  let schema: string;
  let session: OpenSession;

  beforeAll(async () => {
    backend = await open();
  });

  afterAll(() => backend.close());

  beforeEach(async () => {
    schema = `migrations_${randomBytes(6).toString('hex')}`;
    session = await backend.session(schema);
    await session.script(`CREATE SCHEMA ${schema}`);
  });

  afterEach(async () => {
    await session.script(`DROP SCHEMA ${schema} CASCADE`);
    await session.close();
  });

  async function tables(): Promise<readonly unknown[]> {
    const rows = await session.query(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1 ORDER BY 1',
      [schema],
    );
    return rows.map((row) => (row as { name: unknown }).name);
  }

  const records = (): Promise<readonly unknown[]> =>
    session.query(
      `SELECT migration_name, checksum, applied_steps_count, logs, rolled_back_at, finished_at >= started_at AS finished
       FROM _prisma_migrations ORDER BY 1`,
    );

  const recordOf = ({ name, checksum }: Migration): unknown => ({
    migration_name: name,
    checksum,
    applied_steps_count: 1,
    logs: null,
    rolled_back_at: null,
    finished: true,
  });

  /** A record such as `prisma migrate` leaves. */
  async function record(
    { name, checksum }: Migration,
    finishedAt: Date | null,
    rolledBackAt: Date | null,
  ): Promise<void> {
    await session.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, rolled_back_at)
       VALUES ($1, $2, $3, $4, $5)`,
      [randomUUID(), checksum, name, finishedAt, rolledBackAt],
    );
  }

  async function refusal(ours: readonly Migration[], mode?: MigrationMode): Promise<string> {
    const before = [await tables(), await records()];
    const error: unknown = await migrate(session, ours, mode).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(BootError);
    expect([await tables(), await records()]).toEqual(before);
    return (error as BootError).message;
  }

  it('are applied in order and recorded as Prisma does', async () => {
    await migrate(session, [first, second]);
    expect(await records()).toEqual([recordOf(first), recordOf(second)]);
    expect(await session.query('SELECT id FROM one')).toEqual([{ id: 1 }]);
  });

  it('are applied where only later ones are missing', async () => {
    await migrate(session, [first]);
    await migrate(session, [first, second]);
    expect(await records()).toEqual([recordOf(first), recordOf(second)]);
  });

  it('cost one query when nothing is pending', async () => {
    await migrate(session, [first, second]);
    const queries: string[] = [];
    const counted: MigrationSession = {
      query: async (sql, values) => (queries.push(sql), session.query(sql, values)),
      script: async (sql) => (queries.push(sql), session.script(sql)),
    };
    await migrate(counted, [first, second]);
    expect(queries).toHaveLength(1);
  });

  it('that are broken leave nothing behind, are not recorded, and are named; they are applied after their repair', async () => {
    await expect(migrate(session, [first, broken])).rejects.toThrow(
      /^Migration 2_second failed and was rolled back \(relation "three" does not exist\): .*$/,
    );
    expect(await tables()).toEqual([]);
    await migrate(session, [first]);
    await expect(migrate(session, [first, broken])).rejects.toThrow(/^Migration 2_second failed/);
    expect([await tables(), await records()]).toEqual([['_prisma_migrations', 'one'], [recordOf(first)]]);
    await migrate(session, [first, second]);
    expect(await records()).toEqual([recordOf(first), recordOf(second)]);
  });

  it('leave no lock behind in the session, which a pooler gives to others', async () => {
    await migrate(session, [first, second]);
    await migrate(session, [first, second]);
    expect(
      await session.query(
        `SELECT objid FROM pg_locks WHERE locktype = 'advisory' AND objid = 72707369 AND pid = pg_backend_pid()`,
      ),
    ).toEqual([]);
  });

  it('that were changed after they had been applied are refused', async () => {
    await migrate(session, [first]);
    expect(await refusal([migration(first.name, `${first.sql}\n`), second])).toMatch(/^Migration 1_first was changed/);
  });

  it('of a later release are refused', async () => {
    await migrate(session, [first, second]);
    expect(await refusal([first])).toMatch(/^The database is newer than this gateway.* 2_second/);
  });

  it('of a later release on which this one runs too are not a reason to refuse', async () => {
    await migrate(session, [first, expansion]);
    for (const mode of ['all', 'expansions', 'none'] as const)
      expect(await migrate(session, [first], mode)).toEqual({ applied: [], waiting: [] });
  });

  it('that contract the schema of a later release are refused', async () => {
    await migrate(session, [first, expansion, contraction]);
    for (const mode of ['all', 'none'] as const)
      expect(await refusal([first, expansion], mode)).toMatch(
        /^The database is newer than this gateway.* \d+_contract_one/,
      );
  });

  it('wait from the first contraction on, where only expansions are applied', async () => {
    await migrate(session, [first]);
    const ours = [first, expansion, contraction, afterIt];
    const waiting = [contraction.name, afterIt.name];
    expect(await migrate(session, ours, 'expansions')).toEqual({ applied: [expansion.name], waiting });
    expect(await migrate(session, ours, 'expansions')).toEqual({ applied: [], waiting });
    expect(await migrate(session, ours)).toEqual({ applied: waiting, waiting: [] });
  });

  it('are all applied to an empty database, on which no release runs', async () => {
    const ours = [first, expansion, contraction];
    const applied = ours.map(({ name }) => name);
    expect(await migrate(session, ours, 'expansions')).toEqual({ applied, waiting: [] });
  });

  it('that are missing stop a gateway that may not migrate, except for a contraction that nothing follows', async () => {
    expect(await migrate(session, [first], 'none').catch((error: Error) => error.message)).toMatch(
      /^MIGRATE=no, and the database lacks 1_first: run `npm run ops -- migrate` as its owner .*$/,
    );
    expect(await tables()).toEqual([]);
    await migrate(session, [first]);
    expect(await refusal([first, expansion], 'none')).toMatch(/lacks 20270101000000_expand_two: run/);
    await migrate(session, [first, expansion]);
    const waiting = [contraction.name];
    expect(await migrate(session, [first, expansion, contraction], 'none')).toEqual({ applied: [], waiting });
    expect(await refusal([first, expansion, contraction, afterIt], 'none')).toMatch(
      /_contract_one, .*_expand_three: run/,
    );
  });

  it('that `prisma migrate deploy` left incomplete are refused', async () => {
    await migrate(session, [first]);
    await record(second, null, null);
    expect(await refusal([first, second])).toMatch(/^Migration 2_second failed half-way/);
  });

  it('that were marked as rolled back are applied again', async () => {
    await migrate(session, [first]);
    await record(broken, null, new Date('2026-03-01T10:00:00Z'));
    await migrate(session, [first, second]);
    expect(await records()).toContainEqual(recordOf(second));
  });
});

describe('The shipped migrations', () => {
  it('send no notification, because a commit with one waits for a lock of the whole cluster', async () => {
    const backend = await onPglite();
    const session = await backend.session('public');
    const functions = `SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosrc ~* 'notify'`;
    expect(await session.query(functions)).toEqual([]);
    expect(await session.query(`SELECT tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname`)).toEqual([
      { tgname: 'consents_record_change' },
      { tgname: 'consents_remove_ended_authorisations' },
      { tgname: 'consents_remove_reads_of_erased' },
      { tgname: 'customer_journeys_remove_former_artefact' },
      { tgname: 'tpp_standings_record_withdrawal_of_all' },
      { tgname: 'trail_roots_are_kept' },
      { tgname: 'trail_roots_are_not_emptied' },
    ]);
    await session.close();
    await backend.close();
  });

  it('make exactly the indexes of the schema, under the names that Prisma gives them', async () => {
    const backend = await onPglite();
    const session = await backend.session('public');
    const rows = await session.query(
      `SELECT indexname AS name FROM pg_indexes WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
      [],
    );
    const made = rows.map((row) => (row as { name: string }).name);
    const ofSchema = indexesOf(await readFile(join(packageRoot(), 'prisma', 'schema.prisma'), 'utf8'));
    // Prisma's schema cannot express an exclusion.
    expect(made.sort()).toEqual([...ofSchema, 'planned_outages_apart'].sort());
    await session.close();
    await backend.close();
  });

  it('are in the package, with Prisma’s checksum; the name of each after the first says whether it expands or contracts', async () => {
    const migrations = await readMigrations(join(packageRoot(), 'prisma', 'migrations'));
    expect(migrations.length).toBeGreaterThan(0);
    for (const [index, { name, sql, checksum }] of migrations.entries()) {
      expect(name).toMatch(index === 0 ? /^\d{14}_init$/ : /^\d{14}_(expand|contract)_\w+$/);
      expect(checksum).toBe(createHash('sha256').update(sql).digest('hex'));
    }
  });
});

/** The names of all indexes of a Prisma schema, including keys. */
function indexesOf(schema: string): string[] {
  return [...schema.matchAll(/^model \w+ \{$([^]*?)^\}$/gm)].flatMap(([, model = '']) => {
    const table = /@@map\("(\w+)"\)/.exec(model)?.[1];
    const column = (field: string): string =>
      new RegExp(`^ +${field} .*@map\\("(\\w+)"\\)`, 'm').exec(model)?.[1] ?? field;
    const single = [...model.matchAll(/^ +(\w+) .* @(id|unique)\b/gm)].map(([, field = '', kind]) =>
      kind === 'id' ? `${table}_pkey` : `${table}_${column(field)}_key`,
    );
    const several = [...model.matchAll(/@@(index|unique|id)\(\[(.*?)\](?:, type: Gin)?\)/g)].map(
      ([, kind, fields = '']) => {
        if (kind === 'id') return `${table}_pkey`;
        const columns = [...fields.matchAll(/(\w+)(\(.*?\))?/g)].map(([, field = '']) => column(field));
        return `${table}_${columns.join('_')}_${kind === 'index' ? 'idx' : 'key'}`;
      },
    );
    return [...single, ...several];
  });
}

(postgresUrl === undefined ? describe.skip : describe)('Five processes that start at once', () => {
  it('on an empty PostgreSQL all start, and each migration is applied once', async () => {
    const backend = await onPostgres(postgresUrl!);
    const schema = `migrations_${randomBytes(6).toString('hex')}`;
    const sessions = await Promise.all(Array.from({ length: 5 }, () => backend.session(schema)));
    await sessions[0]!.script(`CREATE SCHEMA ${schema}`);
    // As a role may have it: only a role can set limits behind a pooler.
    for (const session of sessions)
      await session.script(`SET statement_timeout = '100ms'; SET default_transaction_isolation = 'repeatable read'`);
    const slow = migration('3_slow', 'SELECT pg_sleep(0.3)');
    await Promise.all(
      sessions.map(async (session) => {
        await migrate(session, [first, second, slow]);
        await session.close();
      }),
    );
    const session = await backend.session(schema);
    const rows = await session.query('SELECT migration_name FROM _prisma_migrations ORDER BY 1');
    expect(rows).toEqual([first, second, slow].map(({ name }) => ({ migration_name: name })));
    await session.script(`DROP SCHEMA ${schema} CASCADE`);
    await session.close();
  });
});
