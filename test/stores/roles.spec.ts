import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { BootError } from '../../src/config/boot-error.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import {
  administer,
  freshDatabase,
  freshRoles,
  postgresUrl,
  type FreshRoles,
  runRoles,
} from '../support/fresh-database.js';

const rows = 'SELECT,INSERT,UPDATE,DELETE';

// The whole of `npm run test:postgres` runs gateways under the serving role.
(postgresUrl === undefined ? describe.skip : describe)('the roles of deploy/postgresql/roles.sql', () => {
  let roles: FreshRoles;
  beforeAll(async () => {
    roles = await freshRoles(postgresUrl!);
  });
  afterAll(() => roles.drop());

  async function ask(role: 'owner' | 'serving' | 'maintenance', sql: string): Promise<unknown[]> {
    const url = new URL(roles[role].url);
    url.search = '';
    const client = new pg.Client({ connectionString: url.href, options: `-c search_path=${roles.name}` });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows ?? [];
    } finally {
      await client.end();
    }
  }
  /** The rights on each table, of every kind that PostgreSQL has. */
  async function rights(role: 'serving' | 'maintenance'): Promise<Record<string, string>> {
    const found = (await ask(
      'owner',
      `SELECT relname AS name, concat_ws(',', ${[...rows.split(','), 'TRUNCATE', 'REFERENCES', 'TRIGGER']
        .map((right) => `CASE WHEN has_table_privilege('${roles.name}_${role}', oid, '${right}') THEN '${right}' END`)
        .join(', ')}) AS rights
       FROM pg_class WHERE relnamespace = '${roles.name}'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')`,
    )) as { name: string; rights: string }[];
    return Object.fromEntries(found.map(({ name, rights: of }) => [name, of]));
  }

  it('are those of the gateways of all other tests on PostgreSQL', async () => {
    const { config, drop } = await freshDatabase();
    const prisma = await PrismaService.open(config);
    expect(await prisma.$queryRaw`SELECT current_user::text AS role`).toEqual([
      { role: expect.stringMatching(/^test_\w+_serving$/) },
    ]);
    await prisma.onApplicationShutdown();
    await drop();
  });

  it('give the serving role the rows of each table, and less of those that it must not change', async () => {
    const found = await rights('serving');
    expect(Object.keys(found)).toContain('consents');
    expect(Object.fromEntries(Object.entries(found).filter(([, of]) => of !== rows))).toEqual({
      _prisma_migrations: 'SELECT',
      consent_withdrawals: 'SELECT,INSERT',
      known_keys: 'SELECT,INSERT,DELETE',
      planned_outages: 'SELECT,INSERT,DELETE',
      proposals: 'SELECT,INSERT,DELETE',
      tpp_withdrawals: 'SELECT,INSERT',
      trail_roots: 'SELECT,INSERT',
      used_references: 'SELECT,INSERT',
    });
  });

  it('let the maintenance role add no row but the record of a deleted day or a loss, and see no key, and of a TPP the name only', async () => {
    const { trail_roots: ofRoots, ...found } = await rights('maintenance');
    expect(ofRoots).toBe('SELECT,INSERT');
    expect(Object.values(found).join()).not.toMatch(/INSERT|TRUNCATE|REFERENCES|TRIGGER/);
    expect(found).toMatchObject({
      consents: 'SELECT,UPDATE,DELETE',
      signing_keys: '',
      tpps: '',
      tpp_standings: 'SELECT',
    });
    expect(await ask('maintenance', 'SELECT client_id, name FROM tpps')).toEqual([]);
    await expect(ask('maintenance', 'SELECT metadata FROM tpps')).rejects.toMatchObject({ code: '42501' });
  });

  it('let the serving role add roots only, and the maintenance role deleted days and losses only', async () => {
    const add = (role: 'serving' | 'maintenance', segment: string, sequence: number) =>
      ask(
        role,
        `INSERT INTO trail_roots (segment, sequence, previous, record) VALUES ('${segment}', ${sequence}, '${segment}', '{}')`,
      );
    await expect(add('serving', 'dropped.2026-11-20', 1)).rejects.toMatchObject({ code: '42501' });
    await expect(add('maintenance', '20261120T000000000Z.host-1-0123abcd', 1)).rejects.toMatchObject({ code: '42501' });
    await add('serving', '20261120T000000000Z.host-1-0123abcd', 1);
    await expect(add('serving', 'lost.1', 1)).rejects.toMatchObject({ code: '42501' });
    await add('maintenance', 'dropped.2026-11-20', 2);
    await add('maintenance', 'lost.1', 3);
    for (const role of ['serving', 'maintenance'] as const) {
      expect(await ask(role, 'SELECT sequence FROM trail_roots ORDER BY 1')).toEqual([
        { sequence: 1 },
        { sequence: 2 },
        { sequence: 3 },
      ]);
      await expect(ask(role, 'DELETE FROM trail_roots')).rejects.toMatchObject({ code: '42501' });
    }
  });

  const refused = [
    'CREATE TABLE own (id INTEGER)',
    'CREATE TEMPORARY TABLE own (id INTEGER)',
    'CREATE FUNCTION own() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END; $$',
    'CREATE INDEX own ON consents (client_id)',
    'ALTER TABLE consents ADD COLUMN own INTEGER',
    'ALTER TABLE consents DISABLE TRIGGER USER',
    'DROP TRIGGER consents_remove_ended_authorisations ON consents',
    'SET session_replication_role = replica',
    'TRUNCATE consents',
    'DROP TABLE consents',
    'DELETE FROM _prisma_migrations',
  ];
  it.each(refused)('refuse to the serving and to the maintenance role: %s', async (sql) => {
    for (const role of ['serving', 'maintenance'] as const)
      await expect(ask(role, sql)).rejects.toMatchObject({ code: '42501' });
  });

  it('are not members of each other', async () => {
    for (const role of ['serving', 'maintenance'] as const)
      await expect(ask(role, `SET ROLE ${roles.name}_owner`)).rejects.toMatchObject({ code: '42501' });
  });

  it('let no function run with more rights than those of its caller', async () => {
    expect(
      await ask(
        'owner',
        `SELECT proname FROM pg_proc WHERE pronamespace = '${roles.name}'::regnamespace AND prosecdef`,
      ),
    ).toEqual([]);
  });

  it('give a new table to neither role until the file names it', async () => {
    await ask('owner', 'CREATE TABLE later (id INTEGER)');
    await roles.grant();
    expect([(await rights('serving'))['later'], (await rights('maintenance'))['later']]).toEqual(['', '']);
    await ask('owner', 'DROP TABLE later');
  });

  it('take a right away again that was given by hand', async () => {
    await ask('owner', `GRANT TRUNCATE ON consents TO ${roles.name}_serving`);
    await roles.grant();
    expect((await rights('serving'))['consents']).toBe(rows);
  });

  it('take over a database whose gateway migrated it under another role', async () => {
    const name = `${roles.name}_before`;
    const url = new URL(postgresUrl!);
    url.pathname = name;
    await administer(postgresUrl!, `CREATE DATABASE ${name}`);
    try {
      await (await PrismaService.open({ url: url.href, dataDir: '' })).onApplicationShutdown();
      await runRoles(url.href, { schema: 'public', prefix: roles.name });
      const [serving, owner] = [new URL(roles.serving.url), new URL(roles.owner.url)];
      [serving.pathname, serving.search, owner.pathname, owner.search] = [name, '', name, ''];
      const prisma = await PrismaService.open({ url: serving.href, dataDir: '', migrations: 'none' });
      expect(await prisma.consent.count()).toBe(0);
      await prisma.onApplicationShutdown();
      await administer(owner.href, 'ALTER TABLE consents ADD COLUMN later INTEGER');
    } finally {
      await administer(postgresUrl!, `DROP DATABASE ${name} WITH (FORCE)`);
    }
  });

  describe('on a database that is not migrated', () => {
    let empty: FreshRoles;
    beforeAll(async () => {
      empty = await freshRoles(postgresUrl!, false);
    });
    afterAll(() => empty.drop());
    const refusal = async (migrations: 'all' | 'none'): Promise<string> => {
      const error: unknown = await PrismaService.open({ ...empty.serving, migrations }).catch((caught) => caught);
      expect(error).toBeInstanceOf(BootError);
      return (error as BootError).message;
    };

    it('stop a gateway with one line that names the command, and start it once the owner has migrated', async () => {
      expect(await refusal('none')).toMatch(
        /^MIGRATE=no, and the database lacks 2026\d+_init: run `npm run ops -- migrate` .*$/,
      );
      expect(await refusal('all')).toMatch(
        /^PostgreSQL at .* does not give the user of DATABASE_URL a right that the gateway needs: run `npm run ops -- migrate` .*$/,
      );
      const owner = await PrismaService.open({ ...empty.owner, migrations: 'expansions' });
      await owner.onApplicationShutdown();
      expect(await refusal('none')).toMatch(
        /^PostgreSQL at .* does not give the user of DATABASE_URL a right .* and after it deploy\/postgresql\/roles[.]sql/,
      );
      await empty.grant();
      const prisma = await PrismaService.open({ ...empty.serving, migrations: 'none' });
      await prisma.database.ping();
      await prisma.onApplicationShutdown();
    });
  });
});
