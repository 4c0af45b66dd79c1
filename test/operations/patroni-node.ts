import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { packageRoot } from '../../src/persistence/package-root.js';
import type { Certified } from '../support/certificates.js';
import { freePort } from '../support/free-port.js';
import { binaries, postgresUserId } from './postgres-cluster.js';

export const shipped = join(packageRoot(), 'deploy/postgresql/patroni');

/** The members of node.yml that are each node's. */
interface NodeFile {
  name: string;
  etcd3: { hosts: string[] };
  restapi: { listen: string; connect_address: string; authentication: { password: string } };
  postgresql: { [path in 'listen' | 'connect_address' | 'data_dir' | 'bin_dir' | 'pgpass']: string } & {
    authentication: Record<string, { password: string }>;
    parameters: Record<string, string>;
  };
}

export interface NodeSettings {
  readonly etcd: string;
  readonly password: string;
  readonly certified: Certified;
  /** Further settings of Patroni, for all nodes. */
  readonly changed: object;
}

/** Starts a program as the user of PostgreSQL, which refuses to run as root. Its output goes to the file `log` of the folder. */
export async function startAsServer(program: string, args: readonly string[], folder: string): Promise<ChildProcess> {
  const output = openSync(join(folder, 'log'), 'a');
  const id = userInfo().uid === 0 ? await postgresUserId() : undefined;
  return spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', output, output],
    ...(id !== undefined && { uid: id, gid: id }),
  });
}

export async function serverFolder(path: string): Promise<string> {
  await mkdir(path, { mode: 0o700 });
  if (userInfo().uid === 0) await chown(path, await postgresUserId(), 0);
  return path;
}

export async function killed(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** A PostgreSQL server under Patroni, with the files of deploy/postgresql/patroni. */
export class PatroniNode {
  private patroni: ChildProcess | undefined;

  private constructor(
    readonly name: string,
    private readonly folder: string,
    private readonly password: string,
    readonly port: number,
    readonly restPort: number,
  ) {}

  static async make(name: string, parent: string, settings: NodeSettings): Promise<PatroniNode> {
    const folder = await serverFolder(join(parent, name));
    const node = new PatroniNode(name, folder, settings.password, await freePort(), await freePort());
    await serverFolder(node.configuration);
    const files = {
      'config.yml': (await readFile(join(shipped, 'cluster.yml'), 'utf8')) + (await node.nodeFile(settings)),
      'test.yml': stringify(settings.changed),
      'server.crt': settings.certified.certificatePem,
      'server.key': settings.certified.keyPem,
    };
    for (const [file, content] of Object.entries(files)) {
      const path = join(node.configuration, file);
      await writeFile(path, content, { mode: 0o600 });
      if (userInfo().uid === 0) await chown(path, await postgresUserId(), 0);
    }
    return node;
  }

  /** The folder that `patroni` and `patronictl` take. */
  get configuration(): string {
    return join(this.folder, 'patroni');
  }

  get rest(): string {
    return `http://127.0.0.1:${this.restPort}`;
  }

  /** As the superuser. */
  url(database = 'postgres'): string {
    return `postgresql://postgres:${this.password}@127.0.0.1:${this.port}/${database}?sslmode=no-verify`;
  }

  async run(): Promise<void> {
    this.patroni = await startAsServer('/usr/bin/patroni', [this.configuration], this.folder);
  }

  log(): Promise<string> {
    return readFile(join(this.folder, 'log'), 'utf8');
  }

  /** The processes of the server, its first process first. */
  async processes(): Promise<number[]> {
    const [first = ''] = (await readFile(join(this.data, 'postmaster.pid'), 'utf8')).split('\n', 1);
    const others = await readFile(`/proc/${first}/task/${first}/children`, 'utf8');
    return [first, ...others.trim().split(' ')].filter((id) => id !== '').map(Number);
  }

  /** All its processes end at once, as where the power fails. */
  async die(): Promise<void> {
    const processes = await this.processes().catch(() => []);
    const ended = killed(this.patroni);
    for (const id of processes) signal(id, 'SIGKILL');
    await ended;
  }

  /** Patroni alone dies, and the server goes on as before. */
  loseManager(): Promise<void> {
    return killed(this.patroni);
  }

  private get data(): string {
    return join(this.folder, 'data');
  }

  private async nodeFile({ etcd, password }: NodeSettings): Promise<string> {
    const node = parse(await readFile(join(shipped, 'node.yml'), 'utf8')) as NodeFile;
    node.name = this.name;
    node.etcd3.hosts = [etcd];
    node.restapi.listen = node.restapi.connect_address = `127.0.0.1:${this.restPort}`;
    node.restapi.authentication.password = password;
    const { postgresql } = node;
    postgresql.listen = postgresql.connect_address = `127.0.0.1:${this.port}`;
    postgresql.data_dir = this.data;
    postgresql.bin_dir = binaries();
    postgresql.pgpass = join(this.folder, 'pgpass');
    for (const role of Object.values(postgresql.authentication)) role.password = password;
    postgresql.parameters['unix_socket_directories'] = this.folder;
    postgresql.parameters['ssl_cert_file'] = join(this.configuration, 'server.crt');
    postgresql.parameters['ssl_key_file'] = join(this.configuration, 'server.key');
    return stringify(node);
  }
}

/** A process that has ended already needs no signal. */
export function signal(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
