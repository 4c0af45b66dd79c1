import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chown, mkdtemp, rm } from 'node:fs/promises';
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

const userId = run('id', ['-u', 'postgres']).then(
  ({ stdout }) => Number(stdout),
  () => Number.NaN,
);

/** How a program is started in the folder: where this process is root, as `postgres`, because its server refuses root. */
export async function asPostgres(cwd: string) {
  const env = { PATH: process.env['PATH'], HOME: cwd, LC_ALL: 'C.UTF-8' };
  return userInfo().uid === 0 ? { cwd, env, uid: await userId, gid: await userId } : { cwd, env };
}

/** Gives a file or a folder to the user of the server. @returns its path */
export async function ownedByPostgres(path: string): Promise<string> {
  if (userInfo().uid === 0) await chown(path, await userId, 0);
  return path;
}

const newFolder = async (): Promise<string> => ownedByPostgres(await mkdtemp(join(tmpdir(), 'gateway-cluster-')));

let empty: Promise<string> | undefined;

/** The data of a new server, made once for all that this process starts: a copy takes a sixth of initdb's processor time. */
async function makeEmptyServer(): Promise<string> {
  const folder = await newFolder();
  const options = ['--username=gateway', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  await run(join(binaries(), 'initdb'), ['--pgdata', join(folder, 'data'), ...options], await asPostgres(folder));
  return join(folder, 'data');
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
    const server = new PostgresServer(folder ?? (await newFolder()), await freePort());
    await run('cp', ['-R', await (empty ??= makeEmptyServer()), server.data], await asPostgres(server.folder));
    await server.configure(
      "listen_addresses = '127.0.0.1'",
      "unix_socket_directories = ''",
      'fsync = off',
      'max_connections = 100',
      ...settings,
    );
    await server.run();
    return server;
  }

  /** Another server that follows this one, as a copy of it. */
  async standby(): Promise<PostgresServer> {
    const standby = new PostgresServer(await newFolder(), await freePort());
    const copied = ['--checkpoint=fast', '--wal-method=stream', '--no-sync', '--write-recovery-conf'];
    await standby.program('pg_basebackup', ['--pgdata', standby.data, '--dbname', this.url(), ...copied]);
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
    await this.control('start', `--options=-c port=${this.port}`, '--log', `${this.data}/log`);
  }

  /** `immediate` is like a crash: clients are not informed, and no work is finished. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    await this.control('stop', `--mode=${mode}`);
  }

  /** Promotes a standby to primary. */
  async promote(): Promise<void> {
    await this.control('promote');
  }

  /** Lines of `postgresql.conf`, of which the last of a name counts. They count from the next start or {@link reload}. */
  async configure(...lines: readonly string[]): Promise<void> {
    await appendFile(join(this.data, 'postgresql.conf'), lines.map((line) => `${line}\n`).join(''));
  }

  async reload(): Promise<void> {
    await this.control('reload');
  }

  /** Runs a program of PostgreSQL with the server's user, e.g. `pg_dump`; returns its output. */
  async program(name: string, args: readonly string[]): Promise<string> {
    const options = { ...(await asPostgres(this.folder)), maxBuffer: 64 * 1_024 * 1_024 };
    return (await run(join(binaries(), name), args, options)).stdout;
  }

  /** Stops it and removes its files. */
  async remove(): Promise<void> {
    if (existsSync(join(this.data, 'postmaster.pid'))) await this.stop('immediate');
    await rm(this.folder, { recursive: true, force: true });
  }

  private async control(verb: string, ...options: readonly string[]): Promise<void> {
    await this.program('pg_ctl', [verb, '--silent', '--pgdata', this.data, '--wait', ...options]);
  }
}
