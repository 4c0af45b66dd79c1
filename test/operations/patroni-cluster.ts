import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '../support/certificates.js';
import { administer } from '../support/fresh-database.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { patienceMs } from './gateway-process.js';
import { killed, PatroniNode, serverFolder, shipped, startAsServer } from './patroni-node.js';

/** The programs of Debian's packages patroni, etcd-server and haproxy that are not installed. */
export const missingPrograms = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy'].filter(
  (path) => !existsSync(path),
);

interface Member {
  readonly name: string;
  /** A `sync_standby` has every acknowledged change. */
  readonly role: 'leader' | 'sync_standby' | 'replica';
  readonly state: string;
  readonly timeline?: number;
}

/** A failover takes ten seconds here, and not half a minute. */
const changed = {
  bootstrap: { dcs: { ttl: 10, loop_wait: 1, retry_timeout: 4 } },
  postgresql: { parameters: { fsync: 'off' } },
};

/**
 * Three PostgreSQL servers under Patroni, with one etcd and one haproxy, on loopback and in a temporary folder, with the
 * files of deploy/postgresql/patroni.
 */
export class PatroniCluster {
  private constructor(
    private readonly folder: string,
    private readonly others: readonly ChildProcess[],
    private readonly haproxyPort: number,
    private readonly password: string,
    readonly nodes: readonly PatroniNode[],
  ) {}

  /** Resolves when there are a primary and two standbys, one of them synchronous, and an empty database of the gateway. */
  static async start(): Promise<PatroniCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'patroni-'));
    await chmod(folder, 0o755);
    const [client, peer] = [await freePort(), `http://127.0.0.1:${await freePort()}`];
    const etcd = await startAsServer(
      '/usr/bin/etcd',
      etcdOptions(client, peer),
      await serverFolder(join(folder, 'etcd')),
    );
    const authority = new CertificateAuthority();
    await writeFile(join(folder, 'ca.pem'), authority.certificatePem);
    const password = randomBytes(16).toString('hex');
    const nodes: PatroniNode[] = [];
    for (const name of ['node-1', 'node-2', 'node-3']) {
      const settings = { etcd: `127.0.0.1:${client}`, password, certified: authority.issue(name), changed };
      nodes.push(await PatroniNode.make(name, folder, settings));
    }
    const haproxyPort = await freePort();
    const others = [etcd, await startHaproxy(folder, haproxyPort, nodes)];
    const cluster = new PatroniCluster(folder, others, haproxyPort, password, nodes);
    for (const node of nodes) await node.run();
    await cluster.becomesWhole();
    const leader = (await cluster.inRole('leader')).url();
    await administer(leader, `CREATE ROLE gateway LOGIN PASSWORD '${password}'`);
    await administer(leader, 'CREATE DATABASE gateway OWNER gateway');
    return cluster;
  }

  /** The address of haproxy, which leads to the primary. */
  get url(): string {
    return this.urlOf(this.haproxyPort);
  }

  /** The address of the server at this port of loopback. */
  urlOf(port: number): string {
    const tls = `sslmode=verify-full&sslrootcert=${join(this.folder, 'ca.pem')}`;
    return `postgresql://gateway:${this.password}@127.0.0.1:${port}/gateway?${tls}`;
  }

  async members(): Promise<readonly Member[]> {
    for (const { rest } of this.nodes) {
      const answer = await fetch(`${rest}/cluster`).catch(() => undefined);
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
    }
    return [];
  }

  /** A folder that `patronictl` takes. */
  get configuration(): string {
    return this.nodes[0]!.configuration;
  }

  async inRole(role: Member['role']): Promise<PatroniNode> {
    const name = (await this.members()).find((member) => member.role === role)?.name;
    const node = this.nodes.find((one) => one.name === name);
    if (node === undefined) throw new Error(`no node is ${role}: ${JSON.stringify(await this.members())}`);
    return node;
  }

  /** A primary, and both others follow it, one of them synchronously. */
  async becomesWhole(): Promise<void> {
    let members: readonly Member[] = [];
    await until(async () => {
      members = await this.members();
      const [leader, ...others] = members.toSorted((one, other) => one.role.localeCompare(other.role));
      return (
        others.map(({ role }) => role).join() === 'replica,sync_standby' &&
        members.every(({ state, timeline }) => state === 'running' && timeline === leader?.timeline)
      );
    }, 2 * patienceMs).catch(async () => {
      const logs = await Promise.all(this.nodes.map((node) => node.log()));
      throw new Error(`the cluster is not whole: ${JSON.stringify(members)}\n${logs.join('\n')}`);
    });
  }

  async remove(): Promise<void> {
    for (const node of this.nodes) await node.die();
    for (const other of this.others) await killed(other);
    await rm(this.folder, { recursive: true, force: true });
  }
}

function etcdOptions(clientPort: number, peer: string): string[] {
  const client = `http://127.0.0.1:${clientPort}`;
  return Object.entries({
    'data-dir': 'data',
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
    logger: 'zap',
    'log-level': 'error',
  }).map(([name, value]) => `--${name}=${value}`);
}

async function startHaproxy(folder: string, port: number, nodes: readonly PatroniNode[]): Promise<ChildProcess> {
  let configuration = (await readFile(join(shipped, 'haproxy.cfg'), 'utf8')).replace(
    '127.0.0.1:5433\n  option',
    `127.0.0.1:${port}\n  option`,
  );
  for (const [index, node] of nodes.entries())
    configuration = configuration.replace(
      `192.0.2.1${index + 1}:5432 check port 8008`,
      `127.0.0.1:${node.port} check port ${node.restPort}`,
    );
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration);
  return spawn('/usr/sbin/haproxy', ['-db', '-q', '-f', file], { stdio: 'ignore' });
}
