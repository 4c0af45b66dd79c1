import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { until } from '../support/until.js';
import { environmentOf, freePorts, GatewayProcess, patienceMs, startBank } from './gateway-process.js';

describe('npm run start:gateway', () => {
  let bank: SandboxBank;
  let database: FreshDatabase;
  let npm: GatewayProcess;
  /** The processes that npm started. */
  let below: number[] = [];
  beforeAll(async () => {
    [bank, database] = await Promise.all([startBank(), freshDatabase()]);
  }, patienceMs);
  beforeEach(async () => {
    const environment = environmentOf(bank, await freePorts(), { DATABASE_URL: database.config.url });
    npm = await GatewayProcess.start(environment, { command: ['npm', 'run', 'start:gateway'] });
  }, patienceMs);
  afterEach(async () => {
    // npm may have left this process behind.
    for (const pid of below) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await npm.kill();
  });
  afterAll(async () => {
    await bank.close();
    await database.drop();
  });

  function signalStarter(signal: NodeJS.Signals): void {
    below = descendants(npm.child.pid ?? 0);
    expect(below.length).toBeGreaterThan(0);
    npm.child.kill(signal);
  }
  const freeOfPorts = (): Promise<boolean[]> => Promise.all([npm.ports.port, npm.ports.bankPort].map(isFree));

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'passes %s on to the gateway, which stops cleanly and frees its ports',
    async (signal) => {
      signalStarter(signal);
      expect(await npm.ended).toBe(0);
      expect(below.filter(isAlive)).toEqual([]);
      expect(await freeOfPorts()).toEqual([true, true]);
    },
    patienceMs,
  );

  it.each(['SIGHUP', 'SIGKILL'] as const)(
    'leaves no gateway behind when npm dies of %s and cannot pass it on',
    async (signal) => {
      signalStarter(signal);
      expect(await npm.ended).toBe(signal);
      await until(() => !below.some(isAlive), patienceMs);
      expect(await freeOfPorts()).toEqual([true, true]);
    },
    patienceMs,
  );
});

function descendants(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number).filter(Boolean);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
}
