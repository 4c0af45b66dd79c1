import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import type { DatabaseConfig } from '../../src/config/database-config.js';
import { readMigrations } from '../../src/persistence/migrations.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { makeDataDirectory, newDataDirectory, templatePath } from '../../src/persistence/pglite-template.js';

/** A separate database for one test file. */
export interface FreshDatabase {
  /** The configuration that `PrismaService.open` takes; it may be opened, closed and opened again. */
  readonly config: DatabaseConfig;
  /** For what the operators' commands do, where the database has roles. */
  readonly maintenance?: DatabaseConfig;
  /** Removes it with all its data. Close every connection to it before. */
  drop(): Promise<void>;
}

/**
 * A busy machine may keep PostgreSQL waiting for longer than a bank would. The tests of these limits set their own limits.
 */
export const patience = { connectTimeoutMs: 60_000, statementTimeoutMs: 60_000 } as const;

/** The PostgreSQL that `npm run test:postgres` names; without it the suites run on PGlite. */
export const postgresUrl = process.env['TEST_POSTGRES_URL'];

/**
 * Empty and migrated: a new database on the PostgreSQL that DATABASE_URL names, or else a new PGlite. On PostgreSQL the
 * gateway has the rights of the serving role, as in production.
 */
export async function freshDatabase(): Promise<FreshDatabase> {
  if (postgresUrl === undefined) return freshPglite();
  const { serving, maintenance, drop } = await freshRoles(postgresUrl);
  return { config: serving, maintenance, drop };
}

/** A copy of a template that is made once for each change of the migrations, as the build makes it for the gateway. */
export async function freshPglite(): Promise<FreshDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-test-'));
  const migrations = await readMigrations(join(packageRoot(), 'prisma', 'migrations'));
  await newDataDirectory(join(dataDir, 'pglite'), await pgliteTemplate(), migrations);
  return { config: { dataDir }, drop: () => rm(dataDir, { recursive: true, force: true }) };
}

/** The path of the migrated, empty data directory that the tests copy. */
export async function pgliteTemplate(): Promise<string> {
  const migrations = await readMigrations(join(packageRoot(), 'prisma', 'migrations'));
  const folder = join(packageRoot(), 'node_modules', '.cache', 'account-information-gateway');
  const template = await templatePath(folder, migrations);
  if (!existsSync(template)) {
    // Several Jest workers may come here at once: each makes a template, and all use the first that is finished.
    const own = `${template}.${process.pid}`;
    await makeDataDirectory(own, migrations);
    await rename(own, template).catch(() => rm(own, { recursive: true }));
  }
  return template;
}

/**
 * An empty schema in a new database, because notifications reach every session of a database in any schema. The first
 * process that opens it migrates it.
 */
export async function freshPostgres(serverUrl: string): Promise<FreshDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = name;
  await administer(url.href, `CREATE SCHEMA ${name}`);
  url.searchParams.set('schema', name);
  return {
    config: { url: url.href, dataDir: '', ...patience },
    // A session that was closed may still be ending at the server.
    drop: () => administer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/**
 * Runs deploy/postgresql/roles.sql with psql, as docs/operate/database.md has it.
 * @param url of a database, without parameters
 */
export async function runRoles(url: string, { schema, prefix }: Record<'schema' | 'prefix', string>): Promise<void> {
  const file = join(packageRoot(), 'deploy/postgresql/roles.sql');
  const options = ['--quiet', '--no-psqlrc', `--set=schema=${schema}`, `--set=prefix=${prefix}`, `--file=${file}`];
  await promisify(execFile)('psql', [url, ...options]);
}

/** A new migrated database, by the roles of deploy/postgresql/roles.sql. */
export interface FreshRoles extends Readonly<
  Record<'owner' | 'serving' | 'maintenance', DatabaseConfig & { url: string }>
> {
  /** The name of the schema, and the prefix of the roles. */
  readonly name: string;
  /** Sets the rights once more, as the owner. */
  grant(): Promise<void>;
  drop(): Promise<void>;
}

/** @param migrates whether the owner migrates the database */
export async function freshRoles(serverUrl: string, migrates = true): Promise<FreshRoles> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(serverUrl, `CREATE DATABASE ${name}`);
  const database = new URL(serverUrl);
  database.pathname = name;
  await runRoles(database.href, { schema: name, prefix: name });
  const roles = ['owner', 'serving', 'maintenance'] as const;
  const password = randomBytes(16).toString('hex');
  await administer(serverUrl, roles.map((role) => `ALTER ROLE ${name}_${role} PASSWORD '${password}';`).join(''));
  const urlOf = (role: (typeof roles)[number], search = `?schema=${name}`): string => {
    const url = new URL(database);
    [url.username, url.password, url.search] = [`${name}_${role}`, password, search];
    return url.href;
  };
  const configOf = (role: (typeof roles)[number]) => ({ url: urlOf(role), dataDir: '', ...patience });
  const grant = () => runRoles(urlOf('owner', ''), { schema: name, prefix: name });
  if (migrates) {
    await (await PrismaService.open(configOf('owner'))).onApplicationShutdown();
    await grant();
  }
  return {
    name,
    owner: configOf('owner'),
    serving: configOf('serving'),
    maintenance: configOf('maintenance'),
    grant,
    drop: async () => {
      await administer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
      await administer(serverUrl, `DROP ROLE ${roles.map((role) => `${name}_${role}`).join(', ')}`);
    },
  };
}

/** Runs statements on a separate connection. */
export async function administer(serverUrl: string, sql: string): Promise<void> {
  const client = new pg.Client(serverUrl);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
