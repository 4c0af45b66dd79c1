import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { freePort } from '../support/free-port.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { haproxy, nginx, type Balance } from './balancers.js';
import {
  environmentOf,
  freePorts,
  GatewayProcess,
  patienceMs,
  startBank,
  type GatewayPorts,
} from './gateway-process.js';
import { loadOf } from './gateway-load.js';
import { endLoad } from './load.js';
import type { Counted } from './load-client.js';

const restarts = 20;
/** Three loads at once, each of 60 requests a second, leave a small machine time for the restarts. */
const pauseMs = 120;
const longMs = 1_200_000;

const balances = {
  keepingConnections: haproxy('http-keep-alive', 'health checks'),
  closingConnections: haproxy('http-server-close', 'health checks'),
  nginx,
} satisfies Record<string, Balance>;

describe('two gateways that are restarted in turn under load', () => {
  /** Side by side, because a restart mostly waits for the stop delay. */
  let counted: Record<keyof typeof balances, Promise<Counted>>;
  beforeAll(() => {
    counted = {
      keepingConnections: restartBehind(balances.keepingConnections),
      closingConnections: restartBehind(balances.closingConnections),
      nginx: restartBehind(balances.nginx),
    };
    // Each test judges one of them, and the others may fail before.
    for (const outcome of Object.values(counted)) outcome.catch(() => undefined);
  }, 3 * patienceMs);
  // A test that failed leaves no process behind.
  afterAll(() => Promise.allSettled(Object.values(counted)), longMs);

  it.each([
    ['haproxy that keeps connections', 'keepingConnections'],
    ['haproxy with http-server-close', 'closingConnections'],
  ] as const)(
    `lose no request behind %s and checks readiness, in ${restarts} restarts`,
    async (_name, balance) => {
      expect((await counted[balance]).failed).toEqual({});
    },
    longMs,
  );

  it(
    `lose no GET behind nginx, which repeats a GET at the next gateway, in ${restarts} restarts`,
    async () => {
      const { failed } = await counted.nginx;
      expect(Object.keys(failed).filter((failure) => failure.startsWith('GET '))).toEqual([]);
    },
    longMs,
  );
});

/** Restarts gateways of one database in turn behind a balancer. */
async function restartBehind(balance: Balance): Promise<Counted> {
  const ends: (() => unknown)[] = [];
  try {
    const folder = await mkdtemp(join(tmpdir(), 'rolling-restarts-'));
    ends.push(() => rm(folder, { recursive: true }));
    const [bank, database] = await Promise.all([startBank(), freshDatabase()]);
    ends.push(database.drop, () => bank.close());
    const ports = [await freePorts(), await freePorts()];
    const start = (index: number): Promise<GatewayProcess> => startOf(bank, database, ports[index] as GatewayPorts);
    const gateways: GatewayProcess[] = [];
    ends.push(() => Promise.all(gateways.map((gateway) => gateway.kill())));
    for (const index of [0, 1]) gateways.push(await start(index));
    const balancer = await balance(folder, await freePort(), ports);
    ends.push(() => balancer.stop());
    for (const index of [0, 1]) await balancer.sendsTo(index);
    const load = await loadOf(balancer.port, ports[0] as GatewayPorts, bank, pauseMs);
    ends.push(() => load.kill('SIGKILL'));
    for (let turn = 0; turn < restarts; turn++) {
      const index = turn % 2;
      expect(await gateways[index]?.stop()).toBe(0);
      gateways[index] = await start(index);
      await balancer.sendsTo(index);
    }
    const counted = await endLoad(load);
    expect(counted.created).toBeGreaterThan(restarts);
    expect(counted.answered).toBeGreaterThan(counted.created);
    return counted;
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

function startOf(bank: SandboxBank, database: FreshDatabase, ports: GatewayPorts): Promise<GatewayProcess> {
  const settings = {
    DATABASE_URL: database.config.url,
    // The default: longer than haproxy's health checks and nginx's fail_timeout need.
    STOP_DELAY_SECONDS: '5',
    // A slow core on a busy machine is no fault here, and one TPP makes all the load.
    CORE_DEADLINE_MS: '30000',
    TPP_REQUESTS_PER_SECOND: '0',
    TPP_CONSENTS_PER_SECOND: '0',
    TPP_TOKEN_REQUESTS_PER_SECOND: '0',
  };
  return GatewayProcess.start(environmentOf(bank, ports, settings), { reads: 'nothing' });
}
