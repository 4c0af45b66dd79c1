import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { patienceMs, type GatewayPorts } from './gateway-process.js';

/** A balancer of Debian's before two gateways, as docs/runbook.md has it configured. */
export interface Balancer {
  readonly port: number;
  /** Resolves when it sends requests to this gateway. */
  sendsTo(index: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * haproxy asks each gateway every half second and takes it away after the third bad answer. An answer may take its time:
 * a gateway on a machine that is busy is not one that is gone.
 */
export async function haproxy(
  folder: string,
  port: number,
  gateways: readonly GatewayPorts[],
  mode: 'http-keep-alive' | 'http-server-close',
): Promise<Balancer> {
  const file = join(folder, 'haproxy.cfg');
  const socket = join(folder, 'haproxy.sock');
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
  option httpchk GET /health/ready
  default-server inter 500ms fall 3 rise 1
${gateways.map((each, index) => `  server gateway-${index} 127.0.0.1:${each.port} check port ${each.bankPort}`).join('\n')}
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
}

/** nginx has no checks of its own: it finds out that a gateway takes no connections when it opens one. */
export async function nginx(folder: string, port: number, gateways: readonly GatewayPorts[]): Promise<Balancer> {
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
${gateways.map((each) => `    server 127.0.0.1:${each.port} max_fails=1 fail_timeout=2s;`).join('\n')}
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
  return { port, sendsTo: () => Promise.resolve(), stop: () => stop(child) };
}

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
