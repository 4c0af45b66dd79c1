import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { administer } from '../support/fresh-database.js';
import { journalKey } from '../support/journal-lines.js';
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
    for (const name of ['gateway', 'restored']) await administer(server.url(), `CREATE DATABASE ${name}`);
  });
  afterAll(async () => {
    await gateway?.kill();
    await server.remove();
    await bank.close();
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (database: string): Promise<GatewayClient> => {
    const settings = {
      DATABASE_URL: server.url(database),
      REVOCATION_JOURNAL: folder,
      REVOCATION_JOURNAL_KEY: journalKey,
    };
    gateway = await GatewayProcess.start(environmentOf(bank, await freePorts(), settings));
    return new GatewayClient(gateway, bank);
  };
  const trail = mkdtempSync(join(tmpdir(), 'recover-trail-'));
  const recover = (since: string, key = journalKey) =>
    spawnSync(
      process.execPath,
      [join(packageRoot(), 'dist/gateway/commands.js'), 'recover', '--journal', folder, '--since', since],
      {
        env: {
          PATH: process.env['PATH'],
          DATABASE_URL: server.url('restored'),
          REVOCATION_JOURNAL_KEY: key,
          ...trailKeys,
          TRAIL_DIR: trail,
        },
        encoding: 'utf8',
      },
    );

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

    const began = new Date(realNowMs()).toISOString();
    const backup = join(folder, 'backup.sql');
    await writeFile(backup, await server.program('pg_dump', ['--dbname', server.url('gateway')]), { mode: 0o644 });

    await first.report(`/consents/${withdrawn.revoked.consentId}/revoke`);
    await first.delete(withdrawn.deleted);
    await first.report('/tpps/tpp-suspended/suspend');
    await first.report('/tpps/tpp-cut-off/revoke-consents');
    const later = await first.give('tpp-one');
    await first.report(`/consents/${later.consentId}/revoke`);
    expect(await statuses(first)).toEqual([200, 401, 401, 401, 401]);
    // Acknowledged data are on the disk, even if the process is killed.
    await gateway.kill();
    expect((await readdir(folder)).filter((name) => name.endsWith('.jsonl'))).toHaveLength(1);

    await server.program('psql', [
      '--quiet',
      '--set=ON_ERROR_STOP=1',
      '--dbname',
      server.url('restored'),
      '--file',
      backup,
    ]);
    const unrecovered = await start('restored');
    expect(await statuses(unrecovered)).toEqual([200, 200, 200, 200, 200]);
    await gateway.stop();

    expect(recover(began, '')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('REVOCATION_JOURNAL_KEY is not set: it must be that of the gateways'),
    });
    expect(recover(began, `another-${journalKey}`)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('1 files are refused, and nothing was changed.'),
    });

    const { status, stdout, stderr } = recover(began);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('backup.sql: not a file of the journal, not read\n');
    expect(stdout).toContain('5 entries since');
    expect(stdout).toContain('4 applied, 0 already so, 1 of an id that this database does not know');
    expect(recover(began).stdout).toContain('0 applied, 4 already so, 1 of an id');

    const recovered = await start('restored');
    expect(await statuses(recovered, [...all, later])).toEqual([200, 401, 401, 401, 401, 401]);
  });

  it.each<[string, () => NodeJS.ProcessEnv, RegExp]>([
    [
      'whose journal cannot be written',
      () => ({ REVOCATION_JOURNAL: join(folder, 'absent'), REVOCATION_JOURNAL_KEY: journalKey }),
      /^gateway: REVOCATION_JOURNAL names [^\n]*absent, where no file can be made \(ENOENT\)[^\n]*\n$/,
    ],
    [
      'that has another ID_KEY than the one before the backup',
      () => ({ DATABASE_URL: server.url('restored'), ID_KEY: 'another-id-key-0123456789abcdef01234567' }),
      /^gateway: ID_KEY is not the key [^\n]*accept-key[^\n]*\n$/,
    ],
  ])('starts no gateway %s', async (_name, changed, refusal) => {
    const settings = { DATABASE_URL: server.url('gateway'), ...changed() };
    const started = GatewayProcess.start(environmentOf(bank, await freePorts(), settings));
    const { message } = (await started.catch((error: unknown) => error)) as Error;
    expect(message.replace('the gateway did not become ready: ', '')).toMatch(refusal);
  });
});
