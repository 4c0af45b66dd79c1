import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { cachedForMs } from '../../src/persistence/cached-rows.js';
import { administer } from '../support/fresh-database.js';
import { until } from '../support/until.js';
import { GatewayClient, type GivenAccess } from './gateway-client.js';
import { environmentOf, freePorts, GatewayProcess, patienceMs, startBank } from './gateway-process.js';
import { PgBouncer } from './pgbouncer.js';
import { PostgresServer } from './postgres-cluster.js';

const ignoring = ['ignore_startup_parameters = options'];

describe('a change at another process', () => {
  let bank: SandboxBank;
  const clientOf = (to: GatewayProcess, credential?: string) => new GatewayClient(to, bank, credential);
  let postgres: PostgresServer;
  const cleanUps: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    bank = await startBank();
  }, 5 * patienceMs);
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  }, patienceMs);
  afterAll(() => bank.close());

  async function startPostgres(): Promise<void> {
    postgres = await PostgresServer.start();
    cleanUps.push(() => postgres.remove());
  }
  async function gateway(url: string): Promise<GatewayProcess> {
    const started = await GatewayProcess.start(environmentOf(bank, await freePorts(), { DATABASE_URL: url }));
    cleanUps.push(() => started.kill());
    return started;
  }
  async function bouncer(settings: readonly string[] = ignoring): Promise<PgBouncer> {
    const started = await PgBouncer.start(postgres, settings);
    cleanUps.push(() => started.stop());
    return started;
  }
  const refusal = (url: string): Promise<string> =>
    gateway(url).then(
      () => 'it started',
      (error: Error) => error.message,
    );
  /** The statuses of 40 reads that began more than a second after a change. */
  async function readsAfter(
    changedMs: number,
    gatewayProcess: GatewayProcess,
    consent: GivenAccess,
    ask: 'read' | 'checkFunds' = 'read',
  ): Promise<Set<unknown>> {
    const statuses = new Set<unknown>();
    for (let late = 0; late < 40;) {
      // Below the TPP's rate limit, also on a fast machine.
      await sleep(5);
      const begunMs = performance.now();
      const status = await clientOf(gatewayProcess)[ask](consent);
      if (begunMs < changedMs + cachedForMs) continue;
      late++;
      statuses.add(status);
    }
    return statuses;
  }

  // The harder of two places: without the pooler each process has separate sessions.
  describe('behind PgBouncer in transaction mode', () => {
    let one: GatewayProcess;
    let other: GatewayProcess;
    const ends: (() => Promise<unknown>)[] = [];
    beforeAll(async () => {
      await startPostgres();
      const url = (await bouncer()).url();
      // Both start on the empty database, at the same time.
      [one, other] = await Promise.all([gateway(url), gateway(url)]);
      // They serve every test here.
      ends.push(...cleanUps.splice(0));
    }, 4 * patienceMs);
    afterAll(async () => {
      for (const end of ends.reverse()) await end();
    }, patienceMs);

    it(
      'of an empty database’s tables is made once by two processes that start at once',
      async () => {
        const client = new pg.Client(postgres.url());
        await client.connect();
        cleanUps.push(() => client.end());
        const { rows } = await client.query(
          'SELECT migration_name FROM _prisma_migrations GROUP BY 1 HAVING count(*) > 1',
        );
        expect(rows).toEqual([]);
      },
      4 * patienceMs,
    );

    it(
      'that revokes a consent takes effect at once there, and on every read here that comes a second later',
      async () => {
        for (let round = 0; round < 3; round++) {
          const consent = await clientOf(one).give();
          expect([await clientOf(one).read(consent), await clientOf(other).read(consent)]).toEqual([200, 200]);
          const revokedMs = await clientOf(one).revoke(consent);
          expect(await clientOf(one).read(consent)).toBe(401);
          expect(await readsAfter(revokedMs, other, consent)).toEqual(new Set([401]));
        }
      },
      6 * patienceMs,
    );

    it(
      'that withdraws a consent for confirmation of funds takes effect at once there, and on every check here that comes a second later',
      async () => {
        const consent = await clientOf(one).giveFunds();
        expect([await clientOf(one).checkFunds(consent), await clientOf(other).checkFunds(consent)]).toEqual([
          201, 201,
        ]);
        const revokedMs = await clientOf(one).revoke(consent);
        expect(await clientOf(one).checkFunds(consent)).toBe(400);
        expect(await readsAfter(revokedMs, other, consent, 'checkFunds')).toEqual(new Set([400]));
      },
      4 * patienceMs,
    );

    it(
      'that answers a check of funds takes its reference: of many checks at once, in two processes, one is answered',
      async () => {
        const consent = await clientOf(one).giveFunds();
        for (const reference of ['first', 'second', 'third']) {
          const checks = Array.from({ length: 10 }, (_, place) =>
            clientOf(place % 2 === 0 ? one : other).checkFunds(consent, reference),
          );
          expect((await Promise.all(checks)).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 400)]);
        }
      },
      4 * patienceMs,
    );

    it(
      'that withdraws every consent of a customer takes effect at once there, and on every read here that comes a second later',
      async () => {
        const operator = async (name: string, role: string, by?: string): Promise<string> =>
          ((await clientOf(one, by).report('/operators', { name, role })) as { Credential: string }).Credential;
        // The bank's own credential makes the first operator, who must be an admin.
        const admin = await operator('anna', 'admin');
        const fraudDesk = await operator('fred', 'withdraw', admin);
        const consents = [await clientOf(one).give(), await clientOf(other).give()];
        for (const consent of consents)
          expect([await clientOf(one).read(consent), await clientOf(other).read(consent)]).toEqual([200, 200]);
        const body = { customer: bank.personas[0]?.person.key, reason: 'fraud' };
        const { Count } = (await clientOf(one, fraudDesk).report('/cases/withdrawals', body)) as { Count: number };
        const withdrawnMs = performance.now();
        expect(Count).toBeGreaterThanOrEqual(consents.length);
        for (const consent of consents) {
          expect(await clientOf(one).read(consent)).toBe(401);
          expect(await readsAfter(withdrawnMs, other, consent)).toEqual(new Set([401]));
        }
      },
      6 * patienceMs,
    );

    it(
      'that authorises a consent takes effect at once, although this process has just refused it',
      async () => {
        for (let round = 0; round < 10; round++) {
          const consent = await clientOf(one).ask();
          expect(await clientOf(other).read(consent)).toBe(401);
          await clientOf(one).authorise(consent);
          expect(await clientOf(other).read(consent)).toBe(200);
        }
      },
      4 * patienceMs,
    );

    it(
      'that revokes a consent while this process is paused reaches every request that waited during the pause',
      async () => {
        for (let round = 0; round < 2; round++) {
          const consent = await clientOf(one).give();
          expect([await clientOf(other).read(consent), await clientOf(other).read(consent)]).toEqual([200, 200]);
          other.child.kill('SIGSTOP');
          await clientOf(one).revoke(consent);
          await sleep(2 * cachedForMs);
          const waiting = Array.from({ length: 20 }, () => clientOf(other).read(consent));
          other.child.kill('SIGCONT');
          expect(new Set(await Promise.all(waiting))).toEqual(new Set([401]));
        }
      },
      6 * patienceMs,
    );

    it(
      'cannot be missed while the database is unreachable: after a second this process serves nothing, and after the return everything',
      async () => {
        const consent = await clientOf(one).give();
        expect(await clientOf(other).read(consent)).toBe(200);
        await postgres.stop('immediate');
        expect(await readsAfter(performance.now(), other, consent)).toEqual(new Set([503]));
        await postgres.run();
        await until(async () => (await clientOf(other).read(consent)) === 200, patienceMs);
      },
      6 * patienceMs,
    );
  });

  it(
    'cannot be missed where a pooler leads to a standby that lags: once a statement could not write, this process serves nothing from it',
    async () => {
      await startPostgres();
      const standby = await postgres.standby();
      cleanUps.push(() => standby.remove());
      const pooler = await bouncer();
      const [one, other] = [await gateway(postgres.url()), await gateway(pooler.url())];
      const consent = await clientOf(one).give();
      expect(await clientOf(other).read(consent)).toBe(200);
      // The standby has the consent, and no later change.
      await until(async () => {
        const client = new pg.Client(standby.url());
        await client.connect();
        const { rows } = await client.query('SELECT FROM consents WHERE customer_ref IS NOT NULL');
        await client.end();
        return rows.length === 1;
      }, patienceMs);
      await administer(standby.url(), 'SELECT pg_wal_replay_pause()');

      await pooler.leadTo(standby);
      // The times of use are written every five seconds. As soon as one session of the pooler is on the standby all later
      // ones are.
      await until(async () => (await clientOf(other).read(consent)) === 503, patienceMs);
      const revokedMs = await clientOf(one).revoke(consent);
      expect(await readsAfter(revokedMs, other, consent)).toEqual(new Set([503]));
      await pooler.leadTo(postgres);
      await until(async () => (await clientOf(other).read(consent)) === 401, patienceMs);
    },
    8 * patienceMs,
  );

  it(
    'needs a pooler that passes the gateway’s options on: otherwise the start fails and names the setting',
    async () => {
      await startPostgres();
      const pooler = await bouncer([]);
      expect(await refusal(pooler.url())).toMatch(
        /gateway: A connection pooler answers at .* ignore_startup_parameters = options/,
      );
    },
    4 * patienceMs,
  );

  it(
    'is never read from a wrong schema behind a pooler that ignores the search path: the start fails until the role has it',
    async () => {
      await startPostgres();
      const pooler = await bouncer();
      await administer(postgres.url(), 'CREATE SCHEMA bank');
      const url = pooler.url('?schema=bank');
      expect(await refusal(url)).toMatch(/search path.*ALTER ROLE/);
      await administer(postgres.url(), 'ALTER ROLE gateway SET search_path = bank');
      // The pooler's connections are older than the role's setting.
      await administer(
        postgres.url(),
        'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = user',
      );
      await gateway(url);
    },
    6 * patienceMs,
  );
});
