import { afterEach, beforeAll, afterAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { environmentOf, freePorts, GatewayProcess, startBank } from './gateway-process.js';

/** No server listens there. */
const nowhere = 'http://127.0.0.1:9';

/** It lacks reads. */
const fineract = {
  CORE_CARDS_ADAPTER: 'fineract',
  CORE_CARDS_TENANT: 'default',
  CORE_CARDS_TENANT_TIME_ZONE: 'Europe/London',
  CORE_CARDS_USERNAME: 'gateway',
  CORE_CARDS_PASSWORD: 'a-password-of-fineract',
  CORE_CARDS_PRODUCTS: '1=Savings',
  CORE_CARDS_DORMANT: 'permit',
};

describe('a gateway of two cores that starts', () => {
  let bank: SandboxBank;
  let folder: string;
  let gateway: GatewayProcess | undefined;
  beforeAll(async () => {
    bank = await startBank();
    folder = await mkdtemp(join(tmpdir(), 'two-cores-'));
  });
  afterEach(async () => {
    await gateway?.kill();
    gateway = undefined;
  });
  afterAll(async () => {
    await bank.close();
    await rm(folder, { recursive: true });
  });

  async function start(settings: NodeJS.ProcessEnv, until: 'record' | 'end'): Promise<GatewayProcess> {
    const cores = { CORES: 'ledger,cards', CORE_LEDGER_URL: bank.coreUrl, CORE_CARDS_ADAPTER: 'ledger' };
    const own = { DATA_DIR: join(folder, 'data'), CORE_URL: undefined, ...cores, CORE_CARDS_URL: nowhere, ...settings };
    return (gateway = await GatewayProcess.start(environmentOf(bank, await freePorts(), own), { until }));
  }

  it('while one is unreachable serves the other, and its log names the one that is unreachable', async () => {
    const started = await start({}, 'record');
    expect(started.records(/^the core /)).toEqual([
      expect.objectContaining({
        level: 40,
        msg: `the core "cards" does not answer at ${nowhere} (the connection is refused): start it, or set CORE_CARDS_URL; its accounts cannot be read until then`,
      }),
    ]);
    expect(started.records(/^ready$/)).toEqual([expect.objectContaining({ core: 'ledger,cards' })]);
  }, 300_000);

  it('while both are unreachable ends in one line that names them', async () => {
    const started = await start({ CORE_LEDGER_URL: nowhere }, 'end');
    expect(await started.ended).toBe(1);
    expect(started.faults).toBe(
      `gateway: the core "ledger" does not answer at ${nowhere} (the connection is refused): start it, or set CORE_LEDGER_URL; ` +
        `the core "cards" does not answer at ${nowhere} (the connection is refused): start it, or set CORE_CARDS_URL\n`,
    );
  }, 300_000);

  it.each([
    [{ CORE_CARDS_ADAPTER: '' }, 'CORE_CARDS_ADAPTER "cards" is not known: set it to one of ledger, fineract'],
    [{ CORE_CARDS_URL: 'mq://cards' }, 'settings of the core "cards": CORE_CARDS_URL must be an http or https URL'],
    [fineract, 'PROFILE profile-2 promises offers (Fineract has no offers), scheduled-payments'],
    [{ CORE_CARDS_HOLDS: 'CreditCrad' }, 'CORE_CARDS_HOLDS names a product that PROFILE profile-2 does not serve'],
  ])(
    'with a core that cannot serve refuses it by its own setting or name: %j',
    async (settings, said) => {
      const started = await start(settings, 'end');
      expect(await started.ended).toBe(1);
      expect(started.faults).toContain(`gateway: ${said}`);
      expect(started.faults.trim().split('\n')).toHaveLength(1);
      if (said.startsWith('PROFILE')) expect(started.faults).toContain('which the core "cards" cannot serve');
    },
    300_000,
  );
});
