import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/free-port.js';
import { patienceMs } from './gateway-process.js';
import { postgresUserId, type PostgresServer } from './postgres-cluster.js';

/** Debian's PgBouncer in transaction mode in front of a server: each transaction may get a different session. */
export class PgBouncer {
  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
    private readonly port: number,
    private readonly settings: readonly string[],
  ) {}

  static async start(server: PostgresServer, settings: readonly string[] = []): Promise<PgBouncer> {
    const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
    const port = await freePort();
    const [file, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')];
    await writeFile(users, ['gateway', 'gateway_owner', 'gateway_serving'].map((name) => `"${name}" ""\n`).join(''));
    const common = ['pool_mode = transaction', 'listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='];
    const all = [...common, 'auth_type = trust', `auth_file = ${users}`, ...settings];
    await writeFile(file, configuration(server, all));
    const isRoot = userInfo().uid === 0;
    if (isRoot) for (const path of [folder, file, users]) await chown(path, await postgresUserId(), 0);
    // It does not run as root. No shell and no `runuser` in between: their end would not be PgBouncer's end.
    const child = spawn('pgbouncer', ['--quiet', ...(isRoot ? ['--user=postgres'] : []), file], { stdio: 'ignore' });
    const bouncer = new PgBouncer(folder, child, port, all);
    await bouncer.awaitAnswer();
    return bouncer;
  }

  url(query = '', user = 'gateway'): string {
    return `postgresql://${user}@127.0.0.1:${this.port}/postgres${query}`;
  }

  /** From now on leads to another server; the connections of its clients stay open. */
  async leadTo(server: PostgresServer): Promise<void> {
    await writeFile(join(this.folder, 'pgbouncer.ini'), configuration(server, this.settings));
    this.child.kill('SIGHUP');
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
    await rm(this.folder, { recursive: true });
  }

  private async awaitAnswer(): Promise<void> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const client = new pg.Client(this.url());
      client.on('error', () => undefined);
      try {
        await client.connect();
        return await client.end();
      } catch (error) {
        if (performance.now() > deadline || this.child.exitCode !== null) throw error;
        await sleep(50);
      }
    }
  }
}

function configuration(server: PostgresServer, settings: readonly string[]): string {
  const lines = ['[databases]', `* = host=127.0.0.1 port=${server.port}`, '[pgbouncer]', ...settings];
  return lines.map((line) => `${line}\n`).join('');
}
