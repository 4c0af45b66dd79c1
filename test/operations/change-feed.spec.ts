import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { administer } from '../support/fresh-database.js';
import { consentAt, readAt, revokeAt, type TestConsent } from './consented-reads.js';
import { buildGateway, environmentOf, freePorts, GatewayProcess, patienceMs, startBank } from './gateway-process.js';
import { PgBouncer } from './pgbouncer.js';
import { PostgresServer } from './postgres-cluster.js';

/** The feed is trusted for so long after an echo was sent. */
const trustedForMs = 2_000;

describe('a revocation at another process', () => {
  let bank: SandboxBank;
  let postgres: PostgresServer;
  const cleanUps: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    buildGateway();
    [bank, postgres] = await Promise.all([startBank(), PostgresServer.start()]);
  }, 5 * patienceMs);
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  }, patienceMs);
  afterAll(async () => {
    await postgres.remove();
    await bank.close();
  });

  async function gateway(settings: Record<string, string>): Promise<GatewayProcess> {
    const started = await GatewayProcess.start(environmentOf(bank, await freePorts(), settings));
    cleanUps.push(() => started.kill());
    return started;
  }
  async function bouncer(settings: readonly string[] = []): Promise<PgBouncer> {
    const started = await PgBouncer.start(postgres, settings);
    cleanUps.push(() => started.stop());
    return started;
  }
  const refusal = (settings: Record<string, string>): Promise<string> =>
    gateway(settings).then(
      () => 'it started',
      (error: Error) => error.message,
    );

  /** Reads until 40 were begun after the feed may have been trusted last; gives how many of those were served. */
  async function servedAfter(revokedMs: number, at: GatewayProcess, consent: TestConsent): Promise<number> {
    let served = 0;
    for (let late = 0; late < 40;) {
      const begunMs = performance.now();
      const status = await readAt(at, consent);
      if (begunMs < revokedMs + trustedForMs) continue;
      late++;
      if (status === 200) served++;
    }
    return served;
  }

  /** A gateway that hears of changes through a proxy. */
  async function behindProxy(): Promise<[SilenceableProxy, GatewayProcess]> {
    const proxy = new SilenceableProxy(postgres.port);
    const port = await proxy.listen();
    cleanUps.push(() => proxy.close());
    const feedUrl = postgres.url().replace(String(postgres.port), String(port));
    return [proxy, await gateway({ DATABASE_URL: postgres.url(), FEED_DATABASE_URL: feedUrl })];
  }

  const ignoring = ['ignore_startup_parameters = options'];

  it(
    'is never followed by a served read behind a pooler, where FEED_DATABASE_URL goes past it',
    async () => {
      const pooler = await bouncer(ignoring);
      const settings = { DATABASE_URL: pooler.url(), FEED_DATABASE_URL: postgres.url() };
      const [one, other] = [await gateway(settings), await gateway(settings)];
      const consent = await consentAt(one, bank);
      expect([await readAt(other, consent), await readAt(other, consent)]).toEqual([200, 200]);
      expect(await servedAfter(await revokeAt(one, consent), other, consent)).toBe(0);
    },
    4 * patienceMs,
  );

  it(
    'would not be heard behind a pooler alone: the gateway does not start, and names the setting',
    async () => {
      const pooler = await bouncer(ignoring);
      const line = await refusal({ DATABASE_URL: pooler.url() });
      expect(line).toMatch(/gateway: The feed of changes hears nothing: .*pooler.*FEED_DATABASE_URL/);
      expect(line.trim().split('\n')).toHaveLength(1);
    },
    2 * patienceMs,
  );

  it(
    'would not be heard behind a pooler that refuses our options: the gateway does not start, and says what to set',
    async () => {
      const pooler = await bouncer();
      expect(await refusal({ DATABASE_URL: pooler.url(), FEED_DATABASE_URL: postgres.url() })).toMatch(
        /gateway: A connection pooler answers at .* ignore_startup_parameters = options/,
      );
    },
    2 * patienceMs,
  );

  it(
    'would be looked for in the wrong schema behind a pooler that ignores our search path: refused until the role has it',
    async () => {
      const pooler = await bouncer(ignoring);
      await administer(postgres.url(), 'CREATE SCHEMA bank');
      const settings = { DATABASE_URL: pooler.url('?schema=bank'), FEED_DATABASE_URL: postgres.url() };
      expect(await refusal(settings)).toMatch(/search path.*ALTER ROLE/);
      await administer(postgres.url(), 'ALTER ROLE gateway SET search_path = bank');
      cleanUps.push(() => administer(postgres.url(), 'ALTER ROLE gateway RESET search_path'));
      // The pooler's connections are older than the role's setting.
      await administer(
        postgres.url(),
        'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = user',
      );
      await gateway(settings);
    },
    4 * patienceMs,
  );

  /** A consent that one gateway gave and another one, behind the proxy, has in memory. */
  async function cachedBehindProxy() {
    const one = await gateway({ DATABASE_URL: postgres.url() });
    const [proxy, other] = await behindProxy();
    const consent = await consentAt(one, bank);
    expect([await readAt(other, consent), await readAt(other, consent)]).toEqual([200, 200]);
    return { one, proxy, other, consent };
  }

  it(
    'is never followed by a served read where the connection that listens is open and silent',
    async () => {
      const { one, proxy, other, consent } = await cachedBehindProxy();

      proxy.silence(true);
      expect(await servedAfter(await revokeAt(one, consent), other, consent)).toBe(0);
      const ready = await fetch(`http://127.0.0.1:${other.ports.bankPort}/health/ready`);
      expect([ready.status, await ready.text()]).toEqual([
        503,
        expect.stringContaining('changes of consents are not heard'),
      ]);
      // Reads go on, each by the database.
      const serving = await fetch(`http://127.0.0.1:${other.ports.bankPort}/health/serving`);
      expect(serving.status).toBe(200);

      proxy.silence(false);
      await eventually(async () => (await other.readiness()) === 200);
      const next = await consentAt(one, bank);
      expect([await readAt(other, next), await readAt(other, next)]).toEqual([200, 200]);
      expect(await servedAfter(await revokeAt(one, next), other, next)).toBe(0);
    },
    6 * patienceMs,
  );

  it(
    'is never followed by a served read of a process that was paused meanwhile',
    async () => {
      const settings = { DATABASE_URL: postgres.url() };
      const [one, other] = [await gateway(settings), await gateway(settings)];
      for (let round = 0; round < 5; round++) {
        const consent = await consentAt(one, bank);
        expect([await readAt(other, consent), await readAt(other, consent)]).toEqual([200, 200]);
        other.child.kill('SIGSTOP');
        await revokeAt(one, consent);
        await sleep(trustedForMs);
        const waiting = Array.from({ length: 20 }, () => readAt(other, consent));
        other.child.kill('SIGCONT');
        expect(new Set(await Promise.all(waiting))).toEqual(new Set([401]));
      }
    },
    6 * patienceMs,
  );

  it(
    'is never followed by a served read of such a process that hears an old echo first',
    async () => {
      const { one, proxy, other, consent } = await cachedBehindProxy();
      proxy.silence(true);
      await eventually(() => Promise.resolve(proxy.unsaidWords > 0));
      other.child.kill('SIGSTOP');
      await revokeAt(one, consent);
      await sleep(trustedForMs);
      proxy.sayOldest();
      other.child.kill('SIGCONT');
      const statuses = new Set<number | undefined>();
      for (let reads = 0; reads < 100; reads++) statuses.add(await readAt(other, consent));
      expect(statuses).toEqual(new Set([401]));
    },
    6 * patienceMs,
  );
});

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`this did not come true: ${holds}`);
    await sleep(50);
  }
}

/** A way to the server on which, while it is silenced, connections are taken and stay open, and no word of the server's arrives. */
class SilenceableProxy {
  /** The answers of the server meanwhile, oldest first. */
  private readonly unsaid: { readonly to: Socket; readonly data: Buffer }[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private silent = false;

  constructor(to: number) {
    this.server = createServer((near) => {
      const far = connect(to, '127.0.0.1');
      near.on('data', (data) => far.write(data));
      far.on('data', (data) => {
        if (this.silent) this.unsaid.push({ to: near, data });
        else near.write(data);
      });
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.sockets.add(one);
        one.on('close', () => other.destroy());
        one.on('error', () => other.destroy());
      }
    });
  }

  async listen(): Promise<number> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  silence(silent: boolean): void {
    this.silent = silent;
    if (!silent) while (this.unsaid.length > 0) this.sayOldest();
  }

  get unsaidWords(): number {
    return this.unsaid.length;
  }

  sayOldest(): void {
    const { to, data } = this.unsaid.shift() ?? {};
    if (data !== undefined) to?.write(data);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}
