import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { consentAt, readAt, revokeAt, type TestConsent } from './consented-reads.js';
import { buildGateway, environmentOf, freePorts, GatewayProcess, patienceMs, startBank } from './gateway-process.js';
import { PostgresServer } from './postgres-cluster.js';

/** The statuses of one consent that a reader saw at one gateway, without a pause. */
interface Seen {
  readonly statuses: Map<number | undefined, number>;
  last: number | undefined;
}

describe('two gateways on a primary with a standby', () => {
  let bank: SandboxBank;
  let primary: PostgresServer;
  let standby: PostgresServer;
  let gateways: readonly [GatewayProcess, GatewayProcess];
  const started: GatewayProcess[] = [];
  let reading = true;
  const readers: Promise<void>[] = [];

  beforeAll(async () => {
    buildGateway();
    [bank, primary] = await Promise.all([startBank(), PostgresServer.start()]);
    standby = await primary.standby();
    // An acknowledged withdrawal must be on the server that becomes the next primary.
    await primary.configure(["synchronous_standby_names = '*'"]);
    await primary.reload();
  }, 5 * patienceMs);
  afterAll(async () => {
    reading = false;
    await Promise.all(readers);
    await Promise.all(started.map((gateway) => gateway.kill()));
    await Promise.all([primary.remove(), standby.remove()]);
    await bank.close();
  }, patienceMs);

  async function gateway(url: string): Promise<GatewayProcess> {
    const one = await GatewayProcess.start(environmentOf(bank, await freePorts(), { DATABASE_URL: url }));
    started.push(one);
    return one;
  }

  /** Reads without a pause until the end. */
  function keepReading(at: GatewayProcess, consent: TestConsent): Seen {
    const seen: Seen = { statuses: new Map(), last: undefined };
    const read = async (): Promise<void> => {
      while (reading) {
        seen.last = await readAt(at, consent);
        seen.statuses.set(seen.last, (seen.statuses.get(seen.last) ?? 0) + 1);
        await sleep(10);
      }
    };
    readers.push(read());
    return seen;
  }

  const eventually = async (holds: () => boolean): Promise<void> => {
    const deadline = performance.now() + 2 * patienceMs;
    while (!holds()) {
      if (performance.now() > deadline) throw new Error(`this did not come true: ${holds}`);
      await sleep(50);
    }
  };

  it(
    'refuse in one line to start on the standby alone',
    async () => {
      const refused = await gateway(standby.url()).then(
        () => 'it started',
        (error: Error) => error.message,
      );
      expect(refused).toContain(`gateway: PostgreSQL at ${standby.address} is a standby, which cannot be written`);
      expect(refused.trim().split('\n')).toHaveLength(1);
    },
    2 * patienceMs,
  );

  it(
    'answer every read correctly or with 503 while the standby takes over, serve no revoked consent, and continue without a restart',
    async () => {
      const url = `postgresql://gateway@${standby.address},${primary.address}/postgres?target_session_attrs=read-write`;
      gateways = [await gateway(url), await gateway(url)];
      const [one, other] = gateways;
      const [good, revoked] = [await consentAt(one, bank), await consentAt(one, bank)];
      for (const at of gateways) expect([await readAt(at, good), await readAt(at, revoked)]).toEqual([200, 200]);
      const revokedMs = await revokeAt(one, revoked);
      await sleep(Math.max(0, revokedMs + 2_000 - performance.now()));
      const ofGood = gateways.map((at) => keepReading(at, good));
      const ofRevoked = gateways.map((at) => keepReading(at, revoked));
      await eventually(() => [...ofGood, ...ofRevoked].every(({ last }) => last !== undefined));

      await primary.stop('immediate');
      // The gateways do not know yet that the primary has ended: no consent can be read, and none is served from memory for
      // long.
      await eventually(() => [...ofGood, ...ofRevoked].every(({ last }) => last === 503));
      await standby.promote();
      await eventually(() => ofGood.every(({ last }) => last === 200) && ofRevoked.every(({ last }) => last === 401));

      const late = await consentAt(other, bank);
      for (const at of gateways) expect(await readAt(at, late)).toBe(200);
      await revokeAt(other, late);
      const ofLate = keepReading(one, late);
      await eventually(() => ofLate.last === 401);
      reading = false;
      await Promise.all(readers);
      for (const { statuses } of ofGood) expect([...statuses.keys()].sort()).toEqual([200, 503]);
      for (const { statuses } of ofRevoked) expect([...statuses.keys()].sort()).toEqual([401, 503]);
      expect(started.filter(({ child }) => child.exitCode !== null || child.signalCode !== null)).toEqual([]);
    },
    6 * patienceMs,
  );

  it(
    'send nothing to the previous primary after it returns as a standby',
    async () => {
      await primary.follow(standby);
      await primary.configure(["synchronous_standby_names = ''"]);
      await primary.run();
      const [one] = gateways;
      const consent = await consentAt(one, bank);
      expect(await readAt(one, consent)).toBe(200);
    },
    2 * patienceMs,
  );
});
