// Nightly: it needs haproxy and nginx.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { freePort } from '../support/free-port.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { haproxy, nginx, type Balance, type Balancer } from './balancers.js';
import { environmentOf, freePorts, GatewayProcess, startBank, type GatewayPorts } from './gateway-process.js';
import { type Counted, GatewayLoad } from './gateway-load.js';

const restarts = 20;
/** Three loads at once, each of 40 requests a second, leave a small machine time for the restarts. */
const pauseMs = 200;
const longMs = 1_200_000;

const balances = {
  keepingConnections: haproxy('http-keep-alive'),
  closingConnections: haproxy('http-server-close'),
  nginx,
} satisfies Record<string, Balance>;
type Name = keyof typeof balances;

describe('two gateways that are restarted in turn under load', () => {
  let counted: Readonly<Record<Name, Counted>>;
  beforeAll(async () => {
    counted = await restartBehindAll();
  }, longMs);

  it.each([
    ['haproxy that keeps connections', 'keepingConnections'],
    ['haproxy with http-server-close', 'closingConnections'],
  ] as const)(`lose no request behind %s and checks readiness, in ${restarts} restarts`, (_name, balance) => {
    expect(counted[balance].failed).toEqual({});
  });

  it(`lose no GET behind nginx, which repeats a GET at the next gateway, in ${restarts} restarts`, () => {
    expect(Object.keys(counted.nginx.failed).filter((failure) => failure.startsWith('GET '))).toEqual([]);
  });
});

/** Restarts two gateways of one database in turn. Each balancer stands in front of both, with a load, and sees each restart. */
async function restartBehindAll(): Promise<Readonly<Record<Name, Counted>>> {
  const ends: (() => unknown)[] = [];
  try {
    const [bank, database] = await Promise.all([startBank(), freshDatabase()]);
    ends.push(database.drop, () => bank.close());
    const ports = [await freePorts(), await freePorts()];
    const start = (index: number): Promise<GatewayProcess> => startOf(bank, database, ports[index] as GatewayPorts);
    const gateways: GatewayProcess[] = [];
    ends.push(() => Promise.all(gateways.map((gateway) => gateway.kill())));
    for (const index of [0, 1]) gateways.push(await start(index));
    const balancers: Balancer[] = [];
    const loads: [Name, GatewayLoad][] = [];
    for (const [name, balance] of Object.entries(balances) as [Name, Balance][]) {
      const folder = await mkdtemp(join(tmpdir(), 'rolling-restarts-'));
      ends.push(() => rm(folder, { recursive: true }));
      const balancer = await balance(folder, await freePort(), ports);
      ends.push(() => balancer.stop());
      balancers.push(balancer);
      for (const index of [0, 1]) await balancer.sendsTo(index);
      const load = await GatewayLoad.start(balancer.port, ports[0] as GatewayPorts, bank, pauseMs);
      ends.push(() => load.end());
      loads.push([name, load]);
    }
    for (let turn = 0; turn < restarts; turn++) {
      const index = turn % 2;
      expect(await gateways[index]?.stop()).toBe(0);
      gateways[index] = await start(index);
      await Promise.all(balancers.map((balancer) => balancer.sendsTo(index)));
    }
    const counted = await Promise.all(loads.map(async ([name, load]) => [name, await load.end()] as const));
    for (const [, { answered, created }] of counted) {
      expect(created).toBeGreaterThan(restarts);
      expect(answered).toBeGreaterThan(created);
    }
    return Object.fromEntries(counted) as Record<Name, Counted>;
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

function startOf(bank: SandboxBank, database: FreshDatabase, ports: GatewayPorts): Promise<GatewayProcess> {
  const settings = {
    DATABASE_URL: database.config.url,
    // The default: longer than haproxy's health checks and nginx's fail_timeout need.
    STOP_DELAY_SECONDS: '5',
    // A slow core on a busy machine is not a fault here, and one TPP makes all the load.
    CORE_DEADLINE_MS: '30000',
    TPP_REQUESTS_PER_SECOND: '0',
  };
  return GatewayProcess.start(environmentOf(bank, ports, settings), { reads: 'nothing' });
}
