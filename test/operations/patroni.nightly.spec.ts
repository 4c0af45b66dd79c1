// Nightly: it needs Patroni and etcd.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { packageRoot } from '../../src/persistence/package-root.js';
import { realNowMs } from '../support/real-time.js';
import { trailKeys } from '../support/trail-keys.js';
import { until } from '../support/until.js';
import { GatewayClient, type GivenAccess } from './gateway-client.js';
import { environmentOf, freePorts, GatewayProcess, patienceMs, startBank } from './gateway-process.js';
import { missingPrograms, PatroniCluster } from './patroni-cluster.js';
import { signal, type PatroniNode } from './patroni-node.js';
import { commandsOf, type parts } from './documented-drills.js';
import { setTimeout as sleep } from 'node:timers/promises';

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
      expect(await primary.log()).toContain('pg_rewind exit code=0');
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
