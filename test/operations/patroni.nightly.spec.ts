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
import { FailoverLoad } from './failover-load.js';
import { GatewayClient } from './gateway-client.js';
import { environmentOf, freePorts, GatewayProcess, patienceMs, startBank } from './gateway-process.js';
import { missingPrograms, PatroniCluster } from './patroni-cluster.js';
import { signal, type PatroniNode } from './patroni-node.js';
import { commandsOf, type parts } from './documented-drills.js';

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
