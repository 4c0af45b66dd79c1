import { afterEach, beforeAll, afterAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandboxBank, type SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { makeIssuerKeys } from '../../sandbox/bank/issuer.js';
import { freePort } from '../support/free-port.js';
import { RunningGateway } from '../support/running-gateway.js';
import { bankCredential } from '../support/stack.js';
import { trailKeys } from '../support/trail-keys.js';

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
  let gateway: RunningGateway | undefined;
  beforeAll(async () => {
    bank = await startSandboxBank({ port: 0, credential: bankCredential, issuerKeys: await makeIssuerKeys() });
    folder = await mkdtemp(join(tmpdir(), 'two-cores-'));
  });
  afterEach(async () => {
    await gateway?.stop();
    gateway = undefined;
  });
  afterAll(async () => {
    await bank.close();
    await rm(folder, { recursive: true });
  });

  async function start(settings: Readonly<Record<string, string>>): Promise<RunningGateway> {
    const [port, bankPort] = [await freePort(), await freePort()];
    return (gateway = new RunningGateway({
      PORT: String(port),
      BANK_PORT: String(bankPort),
      DATA_DIR: join(folder, 'data'),
      AUTHORISATION_SERVER: 'none',
      TOKEN_ISSUER: bank.issuer,
      TOKEN_AUDIENCE: bank.audience,
      TOKEN_JWKS: bank.jwksUrl,
      BANK_CREDENTIAL: bankCredential,
      ID_KEY: 'test-id-key-0123456789abcdef0123456789',
      ...trailKeys,
      CORES: 'ledger,cards',
      CORE_LEDGER_URL: bank.coreUrl,
      CORE_CARDS_ADAPTER: 'ledger',
      CORE_CARDS_URL: nowhere,
      ...settings,
    }));
  }

  it('while one is unreachable serves the other, and its log names the one that is unreachable', async () => {
    const started = await start({});
    await started.ready();
    expect(started.records(/^the core /)).toEqual([
      expect.objectContaining({
        level: 40,
        msg: `the core "cards" does not answer at ${nowhere} (the connection is refused): start it, or set CORE_CARDS_URL; its accounts cannot be read until then`,
      }),
    ]);
    expect(started.records(/^ready$/)).toEqual([expect.objectContaining({ core: 'ledger,cards' })]);
  }, 300_000);

  it('while both are unreachable ends in one line that names them', async () => {
    const started = await start({ CORE_LEDGER_URL: nowhere });
    expect(await started.ended()).toBe(1);
    expect(started.stderr).toBe(
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
      const started = await start(settings);
      expect(await started.ended()).toBe(1);
      expect(started.stderr).toContain(`gateway: ${said}`);
      expect(started.stderr.trim().split('\n')).toHaveLength(1);
      if (said.startsWith('PROFILE')) expect(started.stderr).toContain('which the core "cards" cannot serve');
    },
    300_000,
  );
});
