// Nightly: it needs Patroni and etcd.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { stringify } from 'yaml';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { CertificateAuthority } from '../support/certificates.js';
import { administer } from '../support/fresh-database.js';
import { freePort } from '../support/free-port.js';
import { Program, signal } from '../support/program.js';
import { realNowMs } from '../support/real-time.js';
import { trailKeys } from '../support/trail-keys.js';
import { until } from '../support/until.js';
import { GatewayClient, type GivenAccess } from './gateway-client.js';
import { environmentOf, freePorts, GatewayProcess, patienceMs, startBank } from './gateway-process.js';
import { asPostgres, binaries, ownedByPostgres } from './postgres-cluster.js';
import { commandsOf, type parts } from './documented-drills.js';
import { setTimeout as sleep } from 'node:timers/promises';

/** The programs of Debian's packages patroni, etcd-server and haproxy that are not installed. */
const missingPrograms = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy'].filter((path) => !existsSync(path));

const shipped = (name: string): Promise<string> =>
  readFile(join(packageRoot(), 'deploy/postgresql/patroni', name), 'utf8');

async function newFolder(...names: readonly [string, ...string[]]): Promise<string> {
  await mkdir(join(...names), { mode: 0o700 });
  return ownedByPostgres(join(...names));
}

/** Starts a program in the folder as the user of PostgreSQL. */
async function startAsServer(program: string, args: readonly string[], folder: string): Promise<Program> {
  const { env, ...options } = await asPostgres(folder);
  return new Program([program, ...args], env, options).read();
}

/** A PostgreSQL server under Patroni, with the files of deploy/postgresql/patroni. */
class PatroniNode {
  /** Patroni, as often as it was started. */
  private readonly runs: Program[] = [];

  private constructor(
    readonly name: string,
    private readonly folder: string,
    private readonly password: string,
    readonly port: number,
    readonly restPort: number,
  ) {}

  static async make(
    name: string,
    parent: string,
    etcd: string,
    password: string,
    authority: CertificateAuthority,
  ): Promise<PatroniNode> {
    const folder = await newFolder(parent, name);
    const node = new PatroniNode(name, folder, password, await freePort(), await freePort());
    await newFolder(node.configuration);
    const { certificatePem, keyPem } = authority.issue(name);
    const files = {
      'config.yml': (await shipped('cluster.yml')) + (await shipped('node.yml')),
      // Patroni reads the files in this order; a setting of a later one replaces that of an earlier one.
      'test.yml': stringify(node.changed(etcd)),
      'server.crt': certificatePem,
      'server.key': keyPem,
    };
    for (const [file, content] of Object.entries(files)) {
      await writeFile(join(node.configuration, file), content, { mode: 0o600 });
      await ownedByPostgres(join(node.configuration, file));
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
    this.runs.push(await startAsServer('/usr/bin/patroni', [this.configuration], this.folder));
  }

  get log(): string {
    return this.runs.map(({ faults, output }) => faults + output).join('');
  }

  /** The processes of the server, its first process first. */
  async processes(): Promise<number[]> {
    const [first = ''] = (await readFile(join(this.folder, 'data/postmaster.pid'), 'utf8')).split('\n', 1);
    const others = await readFile(`/proc/${first}/task/${first}/children`, 'utf8');
    return [first, ...others.trim().split(' ')].filter((id) => id !== '').map(Number);
  }

  /** All its processes end at once, as where the power fails. */
  async die(): Promise<void> {
    const processes = await this.processes().catch(() => []);
    const ended = this.loseManager();
    for (const id of processes) signal(id, 'SIGKILL');
    await ended;
  }

  /** Patroni alone dies, and the server goes on as before. */
  async loseManager(): Promise<void> {
    await this.runs.at(-1)?.kill();
  }

  /** The settings that differ from those of the shipped files. */
  private changed(etcd: string): object {
    const address = (port: number) => ({ listen: `127.0.0.1:${port}`, connect_address: `127.0.0.1:${port}` });
    const { password } = this;
    const file = (name: string): string => join(this.configuration, name);
    return {
      name: this.name,
      // A failover takes ten seconds here, and not half a minute.
      bootstrap: { dcs: { ttl: 10, loop_wait: 1, retry_timeout: 4 } },
      etcd3: { hosts: [etcd] },
      restapi: { ...address(this.restPort), authentication: { password } },
      postgresql: {
        ...address(this.port),
        data_dir: join(this.folder, 'data'),
        bin_dir: binaries(),
        pgpass: join(this.folder, 'pgpass'),
        authentication: { superuser: { password }, replication: { password }, rewind: { password } },
        parameters: {
          fsync: 'off',
          unix_socket_directories: this.folder,
          ssl_cert_file: file('server.crt'),
          ssl_key_file: file('server.key'),
        },
      },
    };
  }
}

interface Member {
  readonly name: string;
  /** A `sync_standby` has every acknowledged change. */
  readonly role: 'leader' | 'sync_standby' | 'replica';
  readonly state: string;
  readonly timeline?: number;
}

/**
 * Three PostgreSQL servers under Patroni, with one etcd and one haproxy, on loopback and in a temporary folder, with the
 * files of deploy/postgresql/patroni.
 */
class PatroniCluster {
  private constructor(
    private readonly folder: string,
    private readonly others: readonly Program[],
    private readonly haproxyPort: number,
    private readonly password: string,
    readonly nodes: readonly PatroniNode[],
  ) {}

  /** Resolves when there are a primary and two standbys, one of them synchronous, and an empty database of the gateway. */
  static async start(): Promise<PatroniCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'patroni-'));
    await chmod(folder, 0o755);
    const [client, peer] = [`127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
    const etcd = await startAsServer(
      '/usr/bin/etcd',
      [
        '--data-dir=data',
        ...['listen', 'advertise'].map((verb) => `--${verb}-client-urls=http://${client}`),
        ...['listen-peer', 'initial-advertise-peer'].map((name) => `--${name}-urls=${peer}`),
        `--initial-cluster=default=${peer}`,
        '--logger=zap',
        '--log-level=error',
      ],
      await newFolder(folder, 'etcd'),
    );
    const authority = new CertificateAuthority();
    await writeFile(join(folder, 'ca.pem'), authority.certificatePem);
    const password = randomBytes(16).toString('hex');
    const nodes: PatroniNode[] = [];
    for (const name of ['node-1', 'node-2', 'node-3'])
      nodes.push(await PatroniNode.make(name, folder, client, password, authority));
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
    }, 2 * patienceMs).catch(() => {
      const logs = this.nodes.map(({ log }) => log);
      throw new Error(`the cluster is not whole: ${JSON.stringify(members)}\n${logs.join('\n')}`);
    });
  }

  async remove(): Promise<void> {
    for (const node of this.nodes) await node.die();
    for (const other of this.others) await other.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function startHaproxy(folder: string, port: number, nodes: readonly PatroniNode[]): Promise<Program> {
  let configuration = (await shipped('haproxy.cfg')).replace('127.0.0.1:5433\n  option', `127.0.0.1:${port}\n  option`);
  for (const [index, node] of nodes.entries())
    configuration = configuration.replace(
      `192.0.2.1${index + 1}:5432 check port 8008`,
      `127.0.0.1:${node.port} check port ${node.restPort}`,
    );
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration);
  return new Program(['/usr/sbin/haproxy', '-db', '-q', '-f', file], process.env);
}

/** By the monotonic time at which the request was sent. */
interface Answer {
  readonly status: number | undefined;
  readonly sentMs: number;
}

/** A customer’s access whose authorisation was acknowledged. */
interface Access extends GivenAccess {
  attempted?: true;
  withdrawnMs?: number;
}

/** Each list is empty where the gateways keep their promises. */
interface FailoverFaults {
  /** Reads that were answered although they were sent more than a second after the acknowledged withdrawal. */
  readonly served: readonly unknown[];
  /** Acknowledged authorisations and withdrawals that are not so at a gateway. */
  readonly lost: readonly unknown[];
  /** Statuses of reads other than 200, 401 and 503; `undefined` where no answer came. */
  readonly unexpected: readonly unknown[];
}

/** A withdrawal is effective at each gateway for every request that comes this time after its acknowledgement. */
const effectiveAfterMs = 1_000;
/** Withdrawals leave this number of accesses, so that there are some to withdraw while no new one can be given. */
const kept = 20;

/**
 * TPPs, customers and a bank at two gateways, all the time: reads of one consent, new consents with their authorisations,
 * and withdrawals, in turn by the bank and by the TPP, of consents that are read before and after.
 */
class FailoverLoad {
  private over = false;
  private readonly working: Promise<void>[] = [];
  private readonly reads: readonly [Answer[], Answer[]] = [[], []];
  private readonly otherReads: (Answer & { readonly access: Access })[] = [];
  /** In the order in which they were given, and will be withdrawn. */
  private readonly given: Access[] = [];
  private readonly withdrawn: Access[] = [];
  private gifts = 0;

  private constructor(
    private readonly gateways: readonly [GatewayClient, GatewayClient],
    private readonly good: GivenAccess,
  ) {}

  /** Resolves when all its kinds of requests succeed. */
  static async start(...gateways: [GatewayClient, GatewayClient]): Promise<FailoverLoad> {
    const load = new FailoverLoad(gateways, await gateways[0].give());
    await Promise.all(Array.from({ length: kept }, () => load.give(0)));
    for (const [index, gateway] of gateways.entries()) {
      load.repeat(20, async () => void load.reads[index]?.push(await load.read(gateway, load.good)));
      load.repeat(50, () => load.readOthers(gateway));
    }
    load.repeat(50, (turn) => load.give(turn));
    load.repeat(50, () => load.withdraw());
    await load.goesOn();
    return load;
  }

  /** Resolves when each kind of request was sent from now on and has succeeded, reads at both gateways. */
  async goesOn(): Promise<void> {
    // Each way of a withdrawal at each gateway, and one that was under way.
    const [gifts, withdrawals] = [this.gifts + 2, this.withdrawn.length + 5];
    await this.isAnswered();
    await until(() => this.gifts >= gifts && this.withdrawn.length >= withdrawals);
  }

  /** Resolves when each gateway has answered a read for which it had to ask the database. */
  async isAnswered(): Promise<void> {
    const fromMs = performance.now() + effectiveAfterMs;
    await until(() =>
      this.reads.every((answers) => answers.some(({ status, sentMs }) => status === 200 && sentMs > fromMs)),
    );
  }

  /** Resolves when each gateway answers 503 to a read: it serves nothing from memory any more. */
  isRefused(): Promise<void> {
    return until(() => this.reads.every((answers) => answers.at(-1)?.status === 503));
  }

  /** Ends the load, and compares the answers with the acknowledgements. */
  async end(): Promise<FailoverFaults> {
    this.over = true;
    await Promise.all(this.working);
    // Until then a gateway may serve the last one, which was withdrawn at the other gateway.
    await sleep(Math.max(0, (this.withdrawn.at(-1)?.withdrawnMs ?? 0) + effectiveAfterMs - performance.now()));
    const served = this.otherReads.filter(
      ({ status, sentMs, access: { withdrawnMs = Number.POSITIVE_INFINITY } }) =>
        status === 200 && sentMs >= withdrawnMs + effectiveAfterMs,
    );
    const statuses = new Set([...this.reads.flat(), ...this.otherReads].map(({ status }) => status));
    const unexpected = [...statuses].filter((status) => status === undefined || ![200, 401, 503].includes(status));
    return { served, lost: await this.lost(), unexpected };
  }

  private repeat(pauseMs: number, work: (turn: number) => Promise<void>): void {
    const repeated = async (): Promise<void> => {
      for (let turn = 0; !this.over; turn++) {
        await work(turn);
        await sleep(pauseMs);
      }
    };
    this.working.push(repeated());
  }

  private async read(gateway: GatewayClient, access: GivenAccess): Promise<Answer> {
    const sentMs = performance.now();
    return { status: await gateway.read(access), sentMs };
  }

  /** Reads the consents that were withdrawn last, and the next ones, so that the gateway keeps their rows. */
  private async readOthers(gateway: GatewayClient): Promise<void> {
    const others = [...this.withdrawn.slice(-4), ...this.given.slice(0, 2)];
    const read = async (access: Access) => this.otherReads.push({ access, ...(await this.read(gateway, access)) });
    await Promise.all(others.map(read));
  }

  /** While the database refuses changes, it gives none. */
  private async give(turn: number): Promise<void> {
    const access = await this.gateways[turn % 2]!.give().catch(() => undefined);
    if (access === undefined) return;
    this.gifts++;
    this.given.push({ ...access });
  }

  /** Repeats a withdrawal that got 503, in the same way. */
  private async withdraw(): Promise<void> {
    const [next] = this.given;
    if (next === undefined || this.given.length <= kept) return;
    next.attempted = true;
    const way = this.withdrawn.length % 4;
    const gateway = this.gateways[way % 2]!;
    const status = await (way < 2 ? revoke(gateway, next) : gateway.delete(next));
    const isDone = status === 200 || status === 204;
    if (isDone) this.withdrawn.push(Object.assign(next, { withdrawnMs: performance.now() }));
    // A deletion that got 503 may have taken effect: its repetition finds no consent.
    if (isDone || status === 400) this.given.shift();
  }

  private async lost(): Promise<unknown[]> {
    const lost: unknown[] = [];
    const untouched = this.given.filter(({ attempted }) => attempted === undefined);
    for (const gateway of this.gateways)
      for (const [accesses, status] of [[this.withdrawn, 401] as const, [untouched, 200] as const])
        for (const access of accesses) {
          const found = await gateway.read(access);
          if (found !== status) lost.push({ consentId: access.consentId, found, acknowledged: status });
        }
    return lost;
  }
}

function revoke(gateway: GatewayClient, access: GivenAccess): Promise<number> {
  return gateway.revoke(access).then(
    () => 200,
    (error: Error) => {
      if (!error.message.includes('was answered 503')) throw error;
      return 503;
    },
  );
}

if (missingPrograms.length > 0)
  process.stdout.write(`NOT drilled: a failover by Patroni. Missing: ${missingPrograms.join(', ')}\n`);

(missingPrograms.length > 0 ? describe.skip : describe)('gateways on three PostgreSQL servers under Patroni', () => {
  const began = new Date(realNowMs()).toISOString();
  let folder: string;
  let bank: SandboxBank;
  let cluster: PatroniCluster;
  let settings: NodeJS.ProcessEnv;
  let one: GatewayProcess;
  let other: GatewayProcess;
  const started: GatewayProcess[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'patroni-drill-'));
    [bank, cluster] = await Promise.all([startBank(), PatroniCluster.start()]);
    settings = {
      // One TPP makes all the load, and a slow core on a busy machine is not a fault here.
      TPP_REQUESTS_PER_SECOND: '0',
      CORE_DEADLINE_MS: '15000',
      TRAIL_DIR: join(folder, 'trail'),
    };
    one = await gateway();
    other = await gateway();
  }, 5 * patienceMs);
  afterAll(async () => {
    await Promise.all(started.map((each) => each.kill()));
    await cluster?.remove();
    await bank?.close();
    await rm(folder, { recursive: true });
  }, patienceMs);

  async function gateway(url = cluster.url): Promise<GatewayProcess> {
    const environment = environmentOf(bank, await freePorts(), { ...settings, DATABASE_URL: url });
    const gatewayProcess = await GatewayProcess.start(environment);
    started.push(gatewayProcess);
    return gatewayProcess;
  }

  /** Lets something happen to the database under load, and compares the answers with the acknowledgements. */
  async function underLoad(happens: (load: FailoverLoad) => Promise<unknown>): Promise<void> {
    const load = await FailoverLoad.start(new GatewayClient(one, bank), new GatewayClient(other, bank));
    await happens(load);
    await load.goesOn();
    expect(await load.end()).toEqual({ served: [], lost: [], unexpected: [] });
    expect([one, other].map(({ child }) => child.exitCode ?? child.signalCode)).toEqual([null, null]);
  }

  async function ask<Row extends object>(node: PatroniNode, sql: string): Promise<Row[]> {
    const client = new pg.Client(node.url());
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** From now on no standby gets the changes of the primary, which then may not be acknowledged. @returns their senders */
  async function holdBack(primary: PatroniNode): Promise<readonly number[]> {
    const senders = await ask<{ pid: number }>(primary, 'SELECT pid FROM pg_stat_replication');
    for (const { pid } of senders) signal(pid, 'SIGSTOP');
    const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    await until(async () => (await ask(primary, waiting)).length > 0, patienceMs);
    return senders.map(({ pid }) => pid);
  }

  /** Runs a command of the documents or of package.json, in the project's folder. @returns its output */
  async function run(command: string, environment: NodeJS.ProcessEnv = {}): Promise<string> {
    const here = command
      .replaceAll('/etc/patroni/config.yml', cluster.configuration)
      .replaceAll('localhost:3001', `127.0.0.1:${one.ports.bankPort}`);
    const env = { ...process.env, ...settings, ...environment, LC_ALL: 'C.UTF-8' };
    return (await promisify(execFile)('bash', ['-c', here], { cwd: packageRoot(), env })).stdout;
  }

  it(
    'serve no withdrawn consent and keep all that they acknowledged when the primary dies with changes that no other server has',
    async () => {
      const primary = await cluster.inRole('leader');
      const stopping = await gateway();
      await underLoad(async (load) => {
        await holdBack(primary);
        await primary.die();
        await load.isRefused();
        // The root of its last segment of the trail finds no database.
        expect(await stopping.stop()).toBe(0);
      });
      expect((await cluster.inRole('leader')).name).not.toBe(primary.name);

      await primary.run();
      await cluster.becomesWhole();
      expect(primary.log).toContain('pg_rewind exit code=0');
    },
    8 * patienceMs,
  );

  it(
    'refuse in one line to start on a standby alone',
    async () => {
      const { port } = await cluster.inRole('sync_standby');
      await expect(gateway(cluster.urlOf(port))).rejects.toThrow(
        new RegExp(`gateway: PostgreSQL at 127.0.0.1:${port} is a standby, which cannot be written[^\\n]*\\n$`),
      );
    },
    2 * patienceMs,
  );

  it(
    'answer reads while no standby takes changes, and acknowledge changes once one does',
    async () => {
      const primary = await cluster.inRole('leader');
      await underLoad(async (load) => {
        const senders = await holdBack(primary);
        await load.isAnswered();
        for (const pid of senders) signal(pid, 'SIGCONT');
      });
    },
    4 * patienceMs,
  );

  it(
    'go on after a switchover by the commands of the documents',
    async () => {
      const commands = (part: (typeof parts)[number]) => commandsOf('a failover by Patroni', part);
      const [leader, standby] = [await cluster.inRole('leader'), await cluster.inRole('sync_standby')];
      const rows = async (part: 'Check' | 'Resolved when') =>
        (await run(commands(part)[0] ?? '')).split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
      expect(await rows('Check')).toContainEqual(expect.arrayContaining([leader.name, 'Leader']));
      await underLoad(async () => {
        for (const command of commands('Fix')) await run(command, { leader: leader.name, standby: standby.name });
        await cluster.becomesWhole();
      });
      const after = await rows('Resolved when');
      for (const role of ['Leader', 'Sync Standby', 'Replica'])
        expect(after).toContainEqual(expect.arrayContaining([role, 'running']));
      expect(after).toContainEqual(expect.arrayContaining([standby.name, 'Leader']));
      expect(await run(commands('Resolved when')[1] ?? '')).toContain('ready');
    },
    8 * patienceMs,
  );

  it(
    'serve no withdrawn consent while a former primary without its Patroni goes on as one',
    async () => {
      const former = await cluster.inRole('leader');
      await underLoad(async () => {
        await former.loseManager();
        await until(async () =>
          (await cluster.members()).some(({ name, role }) => role === 'leader' && name !== former.name),
        );
      });
      expect(await ask(former, 'SELECT pg_is_in_recovery() AS standby')).toEqual([{ standby: false }]);

      await former.run();
      await cluster.becomesWhole();
    },
    8 * patienceMs,
  );

  it(
    'leave a whole trail, and no withdrawal in it that the database lacks',
    async () => {
      for (const each of started) await each.stop();
      const environment = { DATABASE_URL: cluster.url, ...trailKeys };
      const verdict = await run('npm run --silent ops -- trail verify', environment);
      expect(verdict).toMatch(
        / events of 3 instances .* have not changed since they were written\. They are covered by 3 roots/,
      );
      expect(verdict).not.toContain('Not covered by a root yet');
      const recovered = await run(`npm run --silent ops -- recover --since ${began}`, environment);
      expect(recovered).toMatch(/: 0 applied, [1-9]\d* already done/);
    },
    2 * patienceMs,
  );
});
