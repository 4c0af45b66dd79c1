import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.js';

const run = promisify(execFile);

/** Debian keeps the server's programs out of the PATH. */
export function binaries(): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(root, version, 'bin')).find((path) => existsSync(join(path, 'initdb')));
  if (found === undefined) throw new Error("PostgreSQL's server is not installed: install Debian's package postgresql");
  return found;
}

/** Runs a program as the user `postgres` where this process is root: PostgreSQL's server refuses to run as root. */
async function asServer(program: string, args: readonly string[], cwd: string): Promise<string> {
  const command = [program, ...args];
  const [first = '', ...rest] = userInfo().uid === 0 ? ['runuser', '-u', 'postgres', '--', ...command] : command;
  const { stdout } = await run(first, rest, { cwd, maxBuffer: 64 * 1_024 * 1_024 });
  return stdout;
}

async function serverFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-cluster-'));
  if (userInfo().uid === 0) await chown(folder, await postgresUserId(), 0);
  return folder;
}

export async function postgresUserId(): Promise<number> {
  return Number((await run('id', ['-u', 'postgres'])).stdout);
}

let empty: Promise<string> | undefined;

/** The data of a new server, made once for all that this process starts: a copy takes a sixth of initdb's processor time. */
function emptyServer(): Promise<string> {
  return (empty ??= makeEmptyServer());
}

async function makeEmptyServer(): Promise<string> {
  const folder = await serverFolder();
  const data = join(folder, 'data');
  const options = ['--username=gateway', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  await asServer(join(binaries(), 'initdb'), ['--pgdata', data, ...options], folder);
  return data;
}

/**
 * PostgreSQL servers of one test: a primary, and standbys that stream from it. They listen on loopback at separate ports,
 * trust every connection there, and lie in temporary folders that {@link remove} removes.
 */
export class PostgresServer {
  private constructor(
    private readonly folder: string,
    readonly port: number,
  ) {}

  /** Starts an empty server. `settings` go to its `postgresql.conf`; `folder` is its place, where that matters. */
  static async start(settings: readonly string[] = [], folder?: string): Promise<PostgresServer> {
    const server = new PostgresServer(folder ?? (await serverFolder()), await freePort());
    await asServer('cp', ['-R', await emptyServer(), server.data], server.folder);
    await server.configure([
      "listen_addresses = '127.0.0.1'",
      "unix_socket_directories = ''",
      'fsync = off',
      'max_connections = 100',
      ...settings,
    ]);
    await server.run();
    return server;
  }

  /** Another server that follows this one, as a copy of it. */
  async standby(): Promise<PostgresServer> {
    const standby = new PostgresServer(await serverFolder(), await freePort());
    await standby.program('pg_basebackup', [
      '--pgdata',
      standby.data,
      '--dbname',
      this.url('postgres'),
      '--write-recovery-conf',
      '--checkpoint=fast',
      '--wal-method=stream',
      '--no-sync',
    ]);
    await standby.run();
    return standby;
  }

  get data(): string {
    return join(this.folder, 'data');
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  url(database = 'postgres'): string {
    return `postgresql://gateway@${this.address}/${database}`;
  }

  /** Starts it with its last configuration, and waits until it answers. */
  async run(): Promise<void> {
    // The command line sets the port: a standby's copy of the configuration names none.
    const options = `-c port=${this.port}`;
    await this.program('pg_ctl', [
      'start',
      ...this.ofData,
      '--wait',
      `--options=${options}`,
      '--log',
      `${this.data}/log`,
    ]);
  }

  /** `immediate` is like a crash: clients are not informed, and no work is finished. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    await this.program('pg_ctl', ['stop', ...this.ofData, '--wait', `--mode=${mode}`]);
  }

  /** Promotes a standby to primary. */
  async promote(): Promise<void> {
    await this.program('pg_ctl', ['promote', ...this.ofData, '--wait']);
  }

  /** Makes a stopped server a standby of another server at its next start. */
  async follow(primary: PostgresServer): Promise<void> {
    await this.configure([`primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=gateway'`]);
    await writeFile(join(this.data, 'standby.signal'), '');
  }

  /** Lines of `postgresql.conf`, of which the last of a name counts. They count from the next start or {@link reload}. */
  async configure(lines: readonly string[]): Promise<void> {
    await appendFile(join(this.data, 'postgresql.conf'), lines.map((line) => `${line}\n`).join(''));
  }

  async reload(): Promise<void> {
    await this.program('pg_ctl', ['reload', ...this.ofData]);
  }

  /** The id of the server's first process. */
  async pid(): Promise<number> {
    return Number((await readFile(join(this.data, 'postmaster.pid'), 'utf8')).split('\n', 1)[0]);
  }

  /** Runs a program of PostgreSQL with the server's user, e.g. `pg_dump`; returns its output. */
  async program(name: string, args: readonly string[]): Promise<string> {
    return asServer(join(binaries(), name), args, this.folder);
  }

  /** Stops it and removes its files. */
  async remove(): Promise<void> {
    if (existsSync(join(this.data, 'postmaster.pid'))) await this.stop('immediate');
    await rm(this.folder, { recursive: true, force: true });
  }

  private get ofData(): readonly string[] {
    return ['--silent', '--pgdata', this.data];
  }
}
