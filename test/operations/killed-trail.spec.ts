import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { eventsOf, rootRecords, trailFiles } from '../support/read-trail.js';
import { until } from '../support/until.js';
import { GatewayClient, type GivenAccess } from './gateway-client.js';
import { environmentOf, freePorts, GatewayProcess, patienceMs, startBank } from './gateway-process.js';

const connections = 8;
/** Well within what one process answers in the second before it dies. */
const answersBefore = 200;

describe('a process that is killed in the middle of its answers', () => {
  let bank: SandboxBank;
  const clientOf = (to: GatewayProcess) => new GatewayClient(to, bank);
  let folder: string;
  beforeAll(async () => {
    bank = await startBank();
    folder = await mkdtemp(join(tmpdir(), 'killed-trail-'));
  }, patienceMs * 5);
  afterAll(async () => {
    await bank.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Reads until the process dies. @returns the interaction ids of complete answers, each with the time it came */
  const answered = async (gateway: GatewayProcess, { token }: GivenAccess): Promise<Map<string, number>> => {
    const seen = new Map<string, number>();
    let isDead = false;
    const url = `http://127.0.0.1:${gateway.ports.port}${v3_1.basePath}/accounts`;
    const ask = async (): Promise<void> => {
      // A gateway of another test may take the port and answer there.
      while (!isDead) {
        try {
          const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
          await answer.arrayBuffer();
          if (answer.status === 200) seen.set(answer.headers.get('x-fapi-interaction-id') ?? '', performance.now());
        } catch {
          return;
        }
      }
    };
    const asking = Array.from({ length: connections }, ask);
    await until(() => seen.size >= answersBefore);
    gateway.child.kill('SIGKILL');
    await gateway.ended;
    isDead = true;
    await Promise.all(asking);
    return seen;
  };

  it.each(['refuse', 'count'] as const)(
    'loses no event of an answer with TRAIL_FAULT=refuse, and those of at most a second with count (%s)',
    async (fault) => {
      const environment = environmentOf(bank, await freePorts(), { DATA_DIR: join(folder, fault), TRAIL_FAULT: fault });
      const directory = join(folder, fault, 'trail');
      const gateway = await GatewayProcess.start(environment);
      const consent = await clientOf(gateway).give();
      // The first group is written at most a quarter of a second later: a fast machine would be done before, and nothing is
      // recovered of a process that wrote no event.
      await until(async () => existsSync(directory) && (await eventsOf(directory, 'request')).length > 0);
      const seen = await answered(gateway, consent);
      const written = new Set((await eventsOf(directory, 'request')).map(({ id }) => id));
      const lost = [...seen].filter(([id]) => !written.has(id));
      const lastMs = Math.max(...seen.values());
      if (fault === 'refuse') expect(lost).toEqual([]);
      else expect(lost.filter(([, atMs]) => atMs < lastMs - 1_000)).toEqual([]);

      // The next process closes what the dead one left, and its own at its stop.
      const next = await GatewayProcess.start(environment);
      await until(async () => (await rootRecords(directory)).length === 1);
      expect(await rootRecords(directory)).toMatchObject([{ closed: 'recovered', sequence: 1 }]);
      await next.stop();
      expect(
        (await rootRecords(directory)).map((record) => [record.sequence, 'closed' in record && record.closed]),
      ).toEqual([
        [1, 'recovered'],
        [2, 'stop'],
      ]);
      expect((await trailFiles(directory)).filter(({ state }) => state === 'open')).toEqual([]);
    },
    patienceMs * 5,
  );
});
