import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { administer } from '../support/fresh-database.js';
import { until } from '../support/until.js';
import { GatewayClient } from './gateway-client.js';
import { environmentOf, freePorts, GatewayProcess, patienceMs, startBank } from './gateway-process.js';
import { ownedByPostgres, PostgresServer } from './postgres-cluster.js';

/**
 * Root may mount a small disk where the machine grants it that right (Linux: CAP_SYS_ADMIN), which many containers do not.
 */
const mayMount =
  BigInt(`0x${/CapEff:\s*(\w+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`) & (1n << 21n);
const onSmallDisk = mayMount !== 0n ? it : it.skip;

describe('the health of a gateway whose PostgreSQL answers', () => {
  let bank: SandboxBank;
  const clientOf = (to: GatewayProcess) => new GatewayClient(to, bank);
  let server: PostgresServer;
  const cleanUps: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    bank = await startBank();
  }, 5 * patienceMs);
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  }, patienceMs);
  afterAll(() => bank.close());

  /** A ready gateway whose database user owns the database and is not a superuser. */
  async function gateway(folder?: string, settings: NodeJS.ProcessEnv = {}): Promise<GatewayProcess> {
    server = await PostgresServer.start(['max_wal_size = 32MB', 'min_wal_size = 32MB'], folder);
    cleanUps.push(() => server.remove());
    await administer(server.url(), 'CREATE ROLE bank LOGIN');
    await administer(server.url(), 'CREATE DATABASE bank OWNER bank');
    const url = server.url('bank').replace('gateway@', 'bank@');
    const started = await GatewayProcess.start(
      environmentOf(bank, await freePorts(), { DATABASE_URL: url, ...settings }),
    );
    cleanUps.push(() => started.kill());
    return started;
  }
  const health = async ({ ports }: GatewayProcess, name: 'ready' | 'serving'): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${ports.bankPort}/health/${name}`);
    return [answer.status, await answer.json()];
  };
  const ready = [200, { status: 'ready' }];
  const serving = [200, { status: 'serving' }];
  const notReady = (...faults: readonly string[]) => [503, { status: 'not ready', faults, serving: true }];
  const notServing = (...faults: readonly string[]) => [503, { status: 'not ready', faults, serving: false }];
  /** Asks repeatedly, because a check that is under way may have begun earlier. */
  const becomes = async (at: GatewayProcess, expected: unknown): Promise<void> => {
    let last: unknown;
    await until(async () => {
      last = await health(at, 'ready');
      return JSON.stringify(last) === JSON.stringify(expected);
    }, patienceMs).catch(() => expect(last).toEqual(expected));
  };
  const superuser = (sql: string): Promise<void> => administer(server.url('bank'), sql);

  it(
    'reports that changes are not permitted and that reads continue',
    async () => {
      const at = await gateway();
      await superuser('REVOKE UPDATE ON consents FROM bank');
      await becomes(at, notReady('the database does not permit changes'));
      expect(await health(at, 'serving')).toEqual(serving);
      await superuser('GRANT UPDATE ON consents TO bank');
      await becomes(at, ready);
    },
    4 * patienceMs,
  );

  it(
    'reports that the database is read-only and that reads continue',
    async () => {
      const at = await gateway();
      const consent = await clientOf(at).give();
      const renewSessions = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = 'bank'`;
      await superuser('ALTER ROLE bank SET default_transaction_read_only = on');
      await superuser(renewSessions);
      await becomes(at, notReady('the database is read-only'));
      expect([await health(at, 'serving'), await clientOf(at).read(consent)]).toEqual([serving, 200]);
      await superuser('ALTER ROLE bank RESET default_transaction_read_only');
      await superuser(renewSessions);
      await becomes(at, ready);
    },
    4 * patienceMs,
  );

  it(
    'reports that the database has become a standby, from which nothing is served',
    async () => {
      const at = await gateway();
      const consent = await clientOf(at).give();
      await server.stop();
      // A standby of itself.
      await server.configure(`primary_conninfo = 'host=127.0.0.1 port=${server.port} user=gateway'`);
      await writeFile(join(server.data, 'standby.signal'), '');
      await server.run();
      await becomes(at, notServing('the database is a standby'));
      expect([await health(at, 'serving'), await clientOf(at).read(consent)]).toEqual([
        [503, { status: 'not ready', faults: ['the database is a standby'] }],
        503,
      ]);
      await server.promote();
      await becomes(at, ready);
      expect(await clientOf(at).read(consent)).toBe(200);
    },
    4 * patienceMs,
  );

  it(
    'does not report a dead database for a busy pool',
    async () => {
      const at = await gateway(undefined, { DATABASE_POOL_SIZE: '1' });
      const consent = await clientOf(at).give();
      const other = new pg.Client(server.url('bank'));
      await other.connect();
      cleanUps.push(() => other.end());
      await other.query('BEGIN');
      await other.query('SELECT FROM consents FOR UPDATE');
      // The one connection of the pool waits for the row.
      const revoked = clientOf(at)
        .revoke(consent)
        .catch(() => 'given up');
      const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
      await until(async () => (await other.query<{ count: number }>(waiting)).rows[0]?.count === 1, patienceMs);
      expect([await health(at, 'ready'), await health(at, 'serving')]).toEqual([ready, serving]);
      await other.query('ROLLBACK');
      await revoked;
    },
    4 * patienceMs,
  );

  onSmallDisk(
    'says that the disk of the database is full, and that reads go on',
    async () => {
      const disk = await mkdtemp(join(tmpdir(), 'small-disk-'));
      cleanUps.push(() => rm(disk, { recursive: true }));
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'small-disk', disk]);
      cleanUps.push(async () => execFileSync('umount', [disk]));
      const folder = join(disk, 'server');
      await mkdir(folder);
      const at = await gateway(await ownedByPostgres(folder));
      const consent = await clientOf(at).give();
      const filling = join(disk, 'filling');
      await expect(writeFile(filling, Buffer.alloc(160 * 1_024 * 1_024))).rejects.toMatchObject({ code: 'ENOSPC' });
      await becomes(at, notReady('the disk of the database is full'));
      expect([await health(at, 'serving'), await clientOf(at).read(consent)]).toEqual([serving, 200]);
      await rm(filling);
      await becomes(at, ready);
    },
    4 * patienceMs,
  );
});
