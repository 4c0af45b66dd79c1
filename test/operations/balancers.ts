import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { patienceMs, type GatewayPorts } from './gateway-process.js';

/** Debian's load balancer in front of two gateways, configured as in docs/operate/network.md. */
export interface Balancer {
  readonly port: number;
  /** Resolves when the balancer sends requests to this gateway. */
  sendsTo(index: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a balancer that listens at a port. Its files go into the folder. */
export type Balance = (folder: string, port: number, gateways: readonly GatewayPorts[]) => Promise<Balancer>;

/** Every half second it asks whether the gateway serves. A busy gateway may take its time to answer. */
export function haproxy(mode: 'http-keep-alive' | 'http-server-close'): Balance {
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
export const nginx: Balance = async (folder, port, gateways) => {
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
