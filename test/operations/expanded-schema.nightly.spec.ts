// Nightly: it needs the build of the previous release.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { gatewayCommand } from '../../sandbox/gateway-command.js';
import type { MigrationMode } from '../../src/config/database-config.js';
import { migrate, type MigrationNames } from '../../src/persistence/migration-runner.js';
import { readMigrations, type Migration } from '../../src/persistence/migrations.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { migrationSession } from '../../src/persistence/postgres-database.js';
import { GatewayClient } from './gateway-client.js';
import { environmentOf, freePorts, GatewayProcess, startBank } from './gateway-process.js';
import { PostgresServer } from './postgres-cluster.js';

/** The build of the previous release, where there is one; else the present build, which does not know the made-up migrations. */
const previous = process.env['PREVIOUS_RELEASE'] ?? packageRoot();

const madeUp = (name: string, sql: string): Migration => ({
  name,
  sql,
  checksum: createHash('sha256').update(sql).digest('hex'),
});
const expansion = madeUp(
  '99990101000000_expand_made_up',
  `CREATE TABLE made_up (id INTEGER PRIMARY KEY);
   ALTER TABLE consents ADD COLUMN made_up TEXT, ADD CONSTRAINT made_up CHECK (made_up IS NULL OR made_up <> '');
   CREATE INDEX made_up_idx ON consents (made_up);`,
);
const contraction = madeUp('99990202000000_contract_made_up', 'ALTER TABLE consents DROP COLUMN display_name;');

describe('the previous release on the schema of the next one', () => {
  let bank: SandboxBank;
  let server: PostgresServer;
  let ours: readonly Migration[];
  let gateway: GatewayProcess | undefined;
  beforeAll(async () => {
    [bank, server] = await Promise.all([startBank(), PostgresServer.start()]);
    ours = await readMigrations(join(packageRoot(), 'prisma/migrations'));
  });
  afterAll(async () => {
    await gateway?.kill();
    await server.remove();
    await bank.close();
  });

  async function bring(migrations: readonly Migration[], mode: MigrationMode): Promise<MigrationNames> {
    const client = new pg.Client(server.url());
    await client.connect();
    try {
      return await migrate(migrationSession(client), migrations, mode);
    } finally {
      await client.end();
    }
  }
  async function start(settings: NodeJS.ProcessEnv): Promise<GatewayProcess> {
    const environment = environmentOf(bank, await freePorts(), { DATABASE_URL: server.url(), ...settings });
    const main = join(previous, 'dist/gateway/main.js');
    return GatewayProcess.start(environment, { command: [process.execPath, ...gatewayCommand.nodeOptions, main] });
  }
  /** A consent lives and ends: it is given, read, withdrawn, and read again. */
  async function life(): Promise<(number | undefined)[]> {
    const client = new GatewayClient(gateway!, bank);
    const access = await client.give('tpp-one');
    const before = await client.read(access);
    await client.report(`/consents/${access.consentId}/revoke`);
    return [before, await client.read(access)];
  }

  it('goes on running while the schema expands, and starts on it', async () => {
    await bring(await readMigrations(join(previous, 'prisma/migrations')), 'all');
    gateway = await start({ MIGRATE: 'no' });
    expect(await life()).toEqual([200, 401]);
    if (previous === packageRoot())
      expect((await bring([...ours, expansion], 'expansions')).applied).toEqual([expansion.name]);
    else await bring(ours, 'expansions');
    expect(await life()).toEqual([200, 401]);
    await gateway.stop();
    for (const MIGRATE of ['no', 'yes']) {
      gateway = await start({ MIGRATE });
      expect(await life()).toEqual([200, 401]);
      await gateway.stop();
    }
  });

  it('refuses to start once the schema was contracted, in one line', async () => {
    const all = [...ours, expansion, contraction];
    expect((await bring(all, 'expansions')).waiting).toContain(contraction.name);
    await bring(all, 'all');
    for (const MIGRATE of ['no', 'yes'])
      await expect(start({ MIGRATE })).rejects.toThrow(
        /gateway: The database is newer than this gateway, which does not know its migration \d+_contract_\w+: [^\n]*\n$/,
      );
  });
});
