// Nightly: it needs haproxy and nginx.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { freePort } from '../support/free-port.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import {
  environmentOf,
  freePorts,
  GatewayProcess,
  startBank,
  type GatewayPorts,
  patienceMs,
} from './gateway-process.js';
import { type Counted, GatewayLoad } from './gateway-load.js';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Debian's load balancer in front of two gateways, configured as in docs/operate/network.md. */
interface Balancer {
  readonly port: number;
  /** Resolves when the balancer sends requests to this gateway. */
  sendsTo(index: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a balancer that listens at a port. Its files go into the folder. */
type Balance = (folder: string, port: number, gateways: readonly GatewayPorts[]) => Promise<Balancer>;

/** Every half second it asks whether the gateway serves. A busy gateway may take its time to answer. */
function haproxy(mode: 'http-keep-alive' | 'http-server-close'): Balance {
  return async (folder, port, gateways) => {
    const file = join(folder, 'haproxy.cfg');
    const socket = join(folder, 'haproxy.sock');
    const servers = gateways.map(
      (each, index) => `server gateway-${index} 127.0.0.1:${each.port} port ${each.bankPort}`,
    );
    await writeFile(
      file,
      `global
  stats socket ${socket}
defaults
  mode http
  option ${mode}
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 10s
listen gateways
  bind 127.0.0.1:${port}
  option httpchk GET /health/serving
  default-server check inter 500ms fall 3 rise 1
  ${servers.join('\n  ')}
`,
    );
    const child = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] });
    const sendsTo = (index: number): Promise<void> =>
      whenTrue(async () => {
        // Named columns, of which these are: proxy, server, ..., status (the 18th).
        const line = (await ask(socket, 'show stat\n')).split('\n').find((row) => row.includes(`,gateway-${index},`));
        return line?.split(',')[17] === 'UP';
      }, child);
    return { port, sendsTo, stop: () => stop(child) };
  };
}

/** After a refused connection nginx goes to the other gateway only, for this time and up to two seconds more. */
const failTimeoutSeconds = 2;

/** nginx has no health checks: it notices that a gateway is gone when the gateway refuses a connection. */
const nginx: Balance = async (folder, port, gateways) => {
  const file = join(folder, 'nginx.conf');
  await mkdir(join(folder, 'temporary'));
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${join(folder, 'temporary', name)};`,
  );
  await writeFile(
    file,
    `daemon off;
worker_processes 1;
pid ${join(folder, 'nginx.pid')};
error_log stderr crit;
events {}
http {
  access_log off;
${paths.join('\n')}
  upstream gateways {
${gateways.map((each) => `    server 127.0.0.1:${each.port} max_fails=1 fail_timeout=${failTimeoutSeconds}s;`).join('\n')}
    keepalive 16;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://gateways;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
    }
  }
}
`,
  );
  const child = spawn('/usr/sbin/nginx', ['-c', file, '-p', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  await whenTrue(() => isOpen(port), child);
  return { port, sendsTo: () => sleep((failTimeoutSeconds + 2) * 1_000), stop: () => stop(child) };
};

async function whenTrue(condition: () => Promise<boolean>, child: ChildProcess): Promise<void> {
  const until = performance.now() + patienceMs;
  while (!(await condition().catch(() => false))) {
    if (child.exitCode !== null || performance.now() > until) throw new Error(`the balancer is not ready, see above`);
    await sleep(50);
  }
}

async function ask(socket: string, command: string): Promise<string> {
  const connection = connect(socket);
  let answer = '';
  connection.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  connection.write(command);
  await once(connection, 'close');
  return answer;
}

async function isOpen(port: number): Promise<boolean> {
  const connection = connect(port, '127.0.0.1');
  await once(connection, 'connect');
  connection.destroy();
  return true;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

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
