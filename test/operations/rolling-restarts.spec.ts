import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { freePort } from '../support/free-port.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { haproxy, nginx, type Balance, type Balancer } from './balancers.js';
import {
  buildGateway,
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

describe('two gateways that are restarted in turn under load', () => {
  let folder: string;
  let bank: SandboxBank;
  let database: FreshDatabase;
  let ports: GatewayPorts[];
  let gateways: GatewayProcess[];
  let balancer: Balancer | undefined;
  let load: ChildProcess | undefined;
  beforeAll(buildGateway);
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rolling-restarts-'));
    [bank, database] = await Promise.all([startBank(), freshDatabase()]);
    ports = [await freePorts(), await freePorts()];
    gateways = [];
    for (const index of [0, 1]) gateways.push(await start(index));
  }, 3 * patienceMs);
  afterEach(async () => {
    load?.kill('SIGKILL');
    await balancer?.stop();
    await Promise.all(gateways.map((gateway) => gateway.kill()));
    await bank.close();
    await database.drop();
    await rm(folder, { recursive: true });
  }, patienceMs);

  function start(index: number): Promise<GatewayProcess> {
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
    return GatewayProcess.start(environmentOf(bank, ports[index] as GatewayPorts, settings), { reads: 'nothing' });
  }

  async function restartBehind(balance: Balance): Promise<Counted> {
    balancer = await balance(folder, await freePort(), ports);
    for (const index of [0, 1]) await balancer.sendsTo(index);
    load = await loadOf(balancer.port, ports[0] as GatewayPorts, bank);
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
  }

  it.each<[string, Balance]>([
    ['haproxy that keeps connections', haproxy('http-keep-alive', 'health checks')],
    ['haproxy with http-server-close', haproxy('http-server-close', 'health checks')],
  ])(
    `lose no request behind %s and checks readiness, in ${restarts} restarts`,
    async (_name, balance) => {
      expect((await restartBehind(balance)).failed).toEqual({});
    },
    1_200_000,
  );

  it(`lose no GET behind nginx, which repeats a GET at the next gateway, in ${restarts} restarts`, async () => {
    const { failed } = await restartBehind(nginx);
    expect(Object.keys(failed).filter((failure) => failure.startsWith('GET '))).toEqual([]);
  }, 1_200_000);
});
