import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { administer } from '../support/fresh-database.js';
import { freePort } from '../support/free-port.js';
import { Program } from '../support/program.js';
import { ownedByPostgres, type PostgresServer } from './postgres-cluster.js';

/** Debian's PgBouncer in transaction mode in front of a server: each transaction may get a different session. */
export class PgBouncer {
  private constructor(
    private readonly folder: string,
    private readonly program: Program,
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
    for (const path of [folder, file, users]) await ownedByPostgres(path);
    // It does not run as root. No shell and no `runuser` in between: their end would not be PgBouncer's end.
    const user = userInfo().uid === 0 ? ['--user=postgres'] : [];
    const program = new Program(['pgbouncer', '--quiet', ...user, file], process.env);
    const bouncer = new PgBouncer(folder, program, port, all);
    await program.becomes(() =>
      administer(bouncer.url(), 'SELECT').then(
        () => true,
        () => false,
      ),
    );
    return bouncer;
  }

  url(query = '', user = 'gateway'): string {
    return `postgresql://${user}@127.0.0.1:${this.port}/postgres${query}`;
  }

  /** From now on leads to another server; the connections of its clients stay open. */
  async leadTo(server: PostgresServer): Promise<void> {
    await writeFile(join(this.folder, 'pgbouncer.ini'), configuration(server, this.settings));
    this.program.child.kill('SIGHUP');
  }

  async stop(): Promise<void> {
    await this.program.kill();
    await rm(this.folder, { recursive: true });
  }
}

function configuration(server: PostgresServer, settings: readonly string[]): string {
  const lines = ['[databases]', `* = host=127.0.0.1 port=${server.port}`, '[pgbouncer]', ...settings];
  return lines.map((line) => `${line}\n`).join('');
}
