import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { administer } from '../support/fresh-database.js';
import { eventsOf } from '../support/read-trail.js';
import { realNowMs } from '../support/real-time.js';
import { GatewayClient, type GivenAccess } from './gateway-client.js';
import { trailKeys } from '../support/trail-keys.js';
import { environmentOf, freePorts, GatewayProcess, startBank } from './gateway-process.js';
import { PostgresServer } from './postgres-cluster.js';

describe('Restoring a backup', () => {
  let bank: SandboxBank;
  let server: PostgresServer;
  let folder: string;
  let gateway: GatewayProcess;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recovery-'));
    // PostgreSQL's user reads the backup there.
    await chmod(folder, 0o755);
    [bank, server] = await Promise.all([startBank(), PostgresServer.start()]);
    for (const name of ['gateway', 'restored', 'killed']) await administer(server.url(), `CREATE DATABASE ${name}`);
  });
  afterAll(async () => {
    await gateway?.kill();
    await server.remove();
    await bank.close();
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (database: string): Promise<GatewayClient> => {
    const settings = { DATABASE_URL: server.url(database), TRAIL_DIR: trail() };
    gateway = await GatewayProcess.start(environmentOf(bank, await freePorts(), settings));
    return new GatewayClient(gateway, bank);
  };
  const trail = (): string => join(folder, 'trail');
  const recover = (since: string, database = 'restored', key: string = trailKeys.TRAIL_KEY) =>
    spawnSync(process.execPath, [join(packageRoot(), 'dist/operations/main.js'), 'recover', '--since', since], {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: server.url(database),
        ...trailKeys,
        TRAIL_KEY: key,
        TRAIL_DIR: trail(),
      },
      encoding: 'utf8',
    });
  /** Makes a backup of the first database. @returns the file, and when it began */
  const backUp = async (name: string): Promise<{ path: string; began: string }> => {
    const [path, began] = [join(folder, name), new Date(realNowMs()).toISOString()];
    await writeFile(path, await server.program('pg_dump', ['--dbname', server.url('gateway')]), { mode: 0o644 });
    return { path, began };
  };
  const restore = async (path: string, database: string): Promise<void> => {
    const options = ['--quiet', '--set=ON_ERROR_STOP=1', '--dbname', server.url(database), '--file', path];
    await server.program('psql', options);
  };

  it('restores every access that was withdrawn after it, until recover has run', async () => {
    const first = await start('gateway');
    const kept = await first.give('tpp-one');
    const withdrawn = {
      revoked: await first.give('tpp-one'),
      deleted: await first.give('tpp-one'),
      ofSuspended: await first.give('tpp-suspended'),
      ofCutOff: await first.give('tpp-cut-off'),
    };
    const all = [kept, ...Object.values(withdrawn)];
    const statuses = (by: GatewayClient, of: readonly GivenAccess[] = all) =>
      Promise.all(of.map((access) => by.read(access)));

    const { path, began } = await backUp('backup.sql');

    await first.report(`/consents/${withdrawn.revoked.consentId}/revoke`);
    await first.delete(withdrawn.deleted);
    await first.report('/tpps/tpp-suspended/suspend');
    await first.report('/tpps/tpp-cut-off/revoke-consents');
    const later = await first.give('tpp-one');
    await first.report(`/consents/${later.consentId}/revoke`);
    expect(await statuses(first)).toEqual([200, 401, 401, 401, 401]);
    // Acknowledged data are on the disk, even if the process is killed.
    await gateway.kill();
    expect(await eventsOf(trail(), 'withdrawal')).toHaveLength(5);

    await restore(path, 'restored');
    const unrecovered = await start('restored');
    expect(await statuses(unrecovered)).toEqual([200, 200, 200, 200, 200]);
    await gateway.stop();

    expect(recover(began, 'restored', '')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('TRAIL_KEY is not set: it must be that of the gateways'),
    });
    expect(recover(began, 'restored', `another-${trailKeys.TRAIL_KEY}`)).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(
        /\b0 withdrawals since [^]* 0 applied, [^]*run this again with the previous key\.\n$/,
      ),
    });

    const { status, stdout, stderr } = recover(began);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('5 withdrawals since');
    expect(stdout).toContain('the TPP tpp-suspended of the issuer ');
    expect(stdout).toContain('4 applied, 0 already done, 1 of an id that this database does not know');
    expect(recover(began).stdout).toContain('0 applied, 4 already done, 1 of an id');

    const recovered = await start('restored');
    expect(await statuses(recovered, [...all, later])).toEqual([200, 401, 401, 401, 401, 401]);
    await gateway.stop();
  });

  it('gives no access back that a gateway had acknowledged as withdrawn before it was killed in the middle of others', async () => {
    const client = await start('gateway');
    const all: GivenAccess[] = [];
    for (let count = 0; count < 24; count++) all.push(await client.give('tpp-one'));
    const { path, began } = await backUp('killed.sql');
    const acknowledged: GivenAccess[] = [];
    const withdrawals = all.map(async (access, index) => {
      await (index % 2 === 0 ? client.report(`/consents/${access.consentId}/revoke`) : client.delete(access));
      if (acknowledged.push(access) === 5) gateway.child.kill('SIGKILL');
    });
    await Promise.allSettled(withdrawals);
    await gateway.ended;
    expect(acknowledged.length).toBeGreaterThanOrEqual(5);

    await restore(path, 'killed');
    expect(recover(began, 'killed')).toMatchObject({ status: 0, stderr: '' });
    const recovered = await start('killed');
    expect(new Set(await Promise.all(acknowledged.map((access) => recovered.read(access))))).toEqual(new Set([401]));
    await gateway.stop();
  });
});
