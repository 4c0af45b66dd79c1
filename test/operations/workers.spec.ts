import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { until } from '../support/until.js';
import { GatewayClient } from './gateway-client.js';
import { environmentOf, freePorts, GatewayProcess, patienceMs, startBank } from './gateway-process.js';
import { GatewayLoad } from './gateway-load.js';

describe('a gateway of several workers', () => {
  let bank: SandboxBank;
  const clientOf = (to: GatewayProcess) => new GatewayClient(to, bank);
  let database: FreshDatabase;
  let gateway: GatewayProcess;
  const started: GatewayProcess[] = [];
  beforeAll(async () => {
    [bank, database] = await Promise.all([startBank(), freshDatabase()]);
  }, 5 * patienceMs);
  afterAll(async () => {
    for (const each of started) await each.kill();
    await bank.close();
    await database.drop();
  });

  async function settings(more: NodeJS.ProcessEnv = {}): Promise<NodeJS.ProcessEnv> {
    const limits = { CORE_DEADLINE_MS: '30000', TPP_REQUESTS_PER_SECOND: '0' };
    const several = { WORKERS: '2', DATABASE_URL: database.config.url };
    return environmentOf(bank, await freePorts(), { ...several, ...limits, ...more });
  }
  async function start(more?: NodeJS.ProcessEnv): Promise<void> {
    gateway = await GatewayProcess.start(await settings(more));
    started.push(gateway);
    await until(() => gateway.output.includes('"the workers are ready"'), patienceMs);
  }
  const metrics = async (): Promise<string> => (await fetch(metricsUrl())).text();
  const metricsUrl = (): string => `http://127.0.0.1:${gateway.ports.bankPort}/metrics`;
  /** A connection that arrives while a worker is being killed may get no answer: then the next one is asked. */
  const metricsSoon = (): Promise<string> =>
    fetch(metricsUrl(), { signal: AbortSignal.timeout(5_000), headers: { connection: 'close' } }).then(
      (answer) => answer.text(),
      () => '',
    );
  /** The ids of the workers' processes. */
  const workerIds = (): number[] => {
    const pid = gateway.child.pid ?? 0;
    return (readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []).map(Number);
  };

  describe('that runs', () => {
    beforeAll(() => start(), 2 * patienceMs);
    afterAll(() => gateway.kill());

    it('shares the ports and the consents, and ends a withdrawn access in every worker', async () => {
      const consent = await clientOf(gateway).give();
      const statuses = async (): Promise<Set<unknown>> =>
        new Set(await Promise.all(Array.from({ length: 20 }, () => clientOf(gateway).read(consent))));
      expect(await statuses()).toEqual(new Set([200]));
      const revokedMs = await clientOf(gateway).revoke(consent);
      await until(() => performance.now() > revokedMs + 1_000, patienceMs);
      expect(await statuses()).toEqual(new Set([401]));
    });

    it('shows the metrics of all workers in one answer, each value with the number of its worker', async () => {
      const consent = await clientOf(gateway).give();
      const counted = (text: string) =>
        [
          ...text.matchAll(
            /^gateway_request_duration_seconds_count\{.*endpoint="accounts".*status="200".*worker="(\d)".*\} (\d+)$/gm,
          ),
        ].map(([, worker, count]) => [worker, Number(count)] as const);
      const sum = (text: string) => counted(text).reduce((all, [, count]) => all + count, 0);
      const before = sum(await metrics());
      for (let reads = 0; reads < 40; reads++) expect(await clientOf(gateway).read(consent)).toBe(200);
      const text = await metrics();
      expect(sum(text)).toBe(before + 40);
      const workers = counted(text).map(([worker]) => worker);
      expect(new Set(workers).size).toBe(workers.length);
      expect(text).toMatch(/^gateway_workers 2$/m);
      expect(text.match(/^# TYPE process_cpu_seconds_total /gm)).toHaveLength(1);
      expect(
        [...text.matchAll(/^process_resident_memory_bytes\{worker="(\d)"\}/gm)].map(([, one]) => one).sort(),
      ).toEqual(['1', '2']);
    });

    it('starts another worker in the place of one that was killed, and goes on answering meanwhile', async () => {
      const consent = await clientOf(gateway).give();
      const [killed = 0] = workerIds();
      process.kill(killed, 'SIGKILL');
      await until(async () => /^gateway_worker_exits_total 1$/m.test(await metricsSoon()), patienceMs);
      expect(await clientOf(gateway).read(consent)).toBe(200);
      await until(async () => /^gateway_workers 2$/m.test(await metrics()), patienceMs);
      expect(workerIds()).toHaveLength(2);
      expect(workerIds()).not.toContain(killed);
      expect(gateway.output).toContain('"ended":"SIGKILL","msg":"a worker ended by itself: a new process replaces it"');
    });

    it('passes SIGHUP on to every worker', async () => {
      gateway.child.kill('SIGHUP');
      await until(() => gateway.output.split('the certificates were read again').length === 3, patienceMs);
    });
  });

  it('replaces every worker on SIGUSR2 under load, and loses no request and no readiness', async () => {
    await start({ STOP_DELAY_SECONDS: '1' });
    const load = await GatewayLoad.start(gateway.ports.port, gateway.ports, bank);
    try {
      let unready = 0;
      let over = false;
      const watch = (async () => {
        for (; !over; await sleep(10)) if ((await gateway.readiness()) !== 200) unready++;
      })();
      const before = workerIds();
      for (let times = 1; times <= 3; times++) {
        gateway.child.kill('SIGUSR2');
        await until(() => gateway.output.split('"the workers are replaced"').length > times, patienceMs);
      }
      over = true;
      await watch;
      const { answered, failed } = await load.end();
      expect(failed).toEqual({});
      expect(answered).toBeGreaterThan(50);
      expect(unready).toBe(0);
      const after = workerIds();
      expect(after).toHaveLength(2);
      expect(after.filter((id) => before.includes(id))).toEqual([]);
    } finally {
      await load.end();
    }
  });

  it('writes whole lines, though all workers write to one standard output, and leaves no process when it stops', async () => {
    await start({ LOG_LEVEL: 'debug' });
    const consent = await clientOf(gateway).give();
    await Promise.all(Array.from({ length: 200 }, () => clientOf(gateway).read(consent)));
    const ids = workerIds();
    expect(await gateway.stop()).toBe(0);
    expect(ids.filter(lives)).toEqual([]);
    const lines = gateway.output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { access?: { endpoint: string } });
    expect(lines.filter(({ access }) => access?.endpoint === 'accounts')).toHaveLength(200);
  });

  it('leaves no process when it is killed', async () => {
    await start();
    const orphans = workerIds();
    await gateway.kill();
    await until(() => !orphans.some(lives), patienceMs);
  });

  it.each([
    [
      'with the embedded database',
      { WORKERS: '2', DATABASE_URL: '' },
      'WORKERS must be 1 with the embedded database, which serves one process: set DATABASE_URL',
    ],
    [
      'with a word in place of a number',
      { WORKERS: 'many' },
      'WORKERS must be a number of processes, 1 to 99, or auto',
    ],
    ['with a core that no adapter reads', { CORE: 'none' }, 'CORE'],
  ])('does not start %s, and says so in one line', async (_name, more, line) => {
    const refused = await GatewayProcess.start(await settings(more)).then(
      () => 'it started',
      (error: Error) => error.message,
    );
    expect(refused).toContain(line);
    expect(refused.trim().split('\n')).toHaveLength(1);
  });
});

function lives(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}
