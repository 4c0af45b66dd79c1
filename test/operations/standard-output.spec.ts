import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { until } from '../support/until.js';
import { environmentOf, freePorts, GatewayProcess, patienceMs, startBank } from './gateway-process.js';
import { askMany } from './many-requests.js';

const atATime = 500;

describe('a gateway whose standard output is not read', () => {
  let bank: SandboxBank;
  let database: FreshDatabase;
  let gateway: GatewayProcess;
  let asked: number;
  beforeAll(async () => {
    [bank, database] = await Promise.all([startBank(), freshDatabase()]);
  }, patienceMs);
  beforeEach(async () => {
    asked = 0;
    gateway = await GatewayProcess.start(
      environmentOf(bank, await freePorts(), { DATABASE_URL: database.config.url }),
      { reads: false },
    );
  }, 2 * patienceMs);
  afterEach(() => gateway.kill(), patienceMs);
  afterAll(async () => {
    await bank.close();
    await database.drop();
  });

  async function ask(count: number): Promise<void> {
    await askMany(gateway.ports.port, count);
    asked += count;
  }

  async function dropped(): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${gateway.ports.bankPort}/metrics`)).text();
    return Number(/^gateway_log_records_dropped_total (\d+)$/m.exec(text)?.[1]);
  }

  async function askUntilDropped(): Promise<void> {
    while ((await dropped()) === 0) await ask(atATime);
  }

  it('still answers, counts the records that it drops, and reports them in the log once that is read again', async () => {
    await askUntilDropped();
    await ask(atATime);
    const lost = await dropped();
    expect(lost).toBeGreaterThanOrEqual(atATime);
    gateway.read();
    await until(() => said(gateway.output) === lost, patienceMs);
    await ask(atATime);
    await until(() => records(gateway.output) + lost === asked, patienceMs);
    expect(await gateway.stop()).toBe(0);
    expect(gateway.faults).toBe('');
  });

  it('still stops, and reports on standard error how many records are lost', async () => {
    await askUntilDropped();
    expect(await gateway.stop()).toBe(0);
    const [, lost] =
      /^gateway: (\d+) records of the log are lost: no reader took them from standard output\n$/.exec(gateway.faults) ??
      [];
    expect(Number(lost)).toBeGreaterThan(0);
    expect(Number(lost)).toBeLessThanOrEqual(asked + 10);
  });

  it('still answers and stops where the reader has gone', async () => {
    gateway.child.stdout?.destroy();
    for (let turn = 0; turn < 3; turn++) await ask(atATime);
    while ((await dropped()) < asked) await sleep(50);
    expect(await gateway.readiness()).toBe(200);
    expect(await gateway.stop()).toBe(0);
    expect(gateway.faults).toMatch(
      /^gateway: \d+ records of the log are lost: no reader took them from standard output\n$/,
    );
  });
});

/** The number of dropped records that the log reports. */
function said(log: string): number {
  return [...log.matchAll(/"dropped":(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
}

function records(log: string): number {
  return log.split('{"level":30').filter((line) => line.includes('"access":')).length;
}
