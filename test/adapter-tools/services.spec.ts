import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { portVersion } from '../../packages/core-adapter/port-version.js';
import { Stack } from '../support/stack.js';

/** As a bank's build makes it. */
const adapter = `
export const portVersion = '${portVersion}';
export async function createAdapter({ url, connections }, { logger, clock, metrics, http }) {
  logger.info({ connections }, 'is created');
  const core = http.connect({ name: 'my-core', url, urlSetting: 'CORE_URL', connections, maxAnswerBytes: 1024 });
  return {
    name: 'my-core',
    pending: 'none',
    missing: {},
    accounts: async () => ({ items: [], bad: [] }),
    account: async () => { throw new Error('it has no accounts'); },
    async health(signal) {
      const { status } = await core.ask({ path: '/ping', headers: [] }, signal);
      logger.warn({ status, atMs: clock.nowMs() }, 'the core answered');
      metrics.count('pings');
      metrics.observe('ping', 0.25);
    },
    close: () => core.close(),
  };
}
`;

describe('an adapter outside the gateway', () => {
  let folder: string;
  let stack: Stack;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'services-'));
    const path = join(folder, 'my-core.adapter.mjs');
    await writeFile(path, adapter);
    const rules = { timeZone: 'Europe/London' };
    const products = { CurrentAccount: { kind: 'current-account', endpoints: ['accounts'] } } as const;
    stack = await Stack.start({ core: { adapter: path }, profileSettings: { products, rules } });
    await stack.gateway.cores[0]?.adapter.health(AbortSignal.timeout(20_000));
  });
  afterAll(async () => {
    await stack?.close();
    await rm(folder, { recursive: true });
  });
  const lines = (): unknown[] => stack.log.map((line) => JSON.parse(line) as unknown);

  it('makes HTTP requests, and writes lines with its name and the gateway’s time into the gateway’s log', () => {
    expect(lines()).toContainEqual(
      expect.objectContaining({
        level: 40,
        adapter: 'my-core',
        msg: 'the core answered',
        status: 200,
        atMs: stack.clock.nowMs(),
      }),
    );
  });

  it('writes under the name by which the operator knows it, until it is created', () => {
    expect(lines()).toContainEqual(
      expect.objectContaining({ adapter: join(folder, 'my-core.adapter.mjs'), msg: 'is created', connections: 16 }),
    );
  });

  it('adds to the gateway’s metrics under its name', async () => {
    const { body } = await stack.gateway.bankServer.inject('/metrics');
    expect(body).toContain('gateway_adapter_events_total{adapter="my-core",event="pings"} 1');
    expect(body).toContain('gateway_adapter_duration_seconds_sum{adapter="my-core",step="ping"} 0.25');
  });
});
