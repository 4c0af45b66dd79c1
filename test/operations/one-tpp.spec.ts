import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { administer } from '../support/fresh-database.js';
import { GatewayClient, type GivenAccess } from './gateway-client.js';
import { environmentOf, freePorts, GatewayProcess, patienceMs, startBank } from './gateway-process.js';
import { PostgresServer } from './postgres-cluster.js';

const rows = 20_000;

describe('One TPP, whose tokens another issuer signs, on two processes', () => {
  let bank: SandboxBank;
  let server: PostgresServer;
  let processes: readonly GatewayProcess[] = [];
  let first: GatewayClient;
  let second: GatewayClient;
  const settings = (): NodeJS.ProcessEnv => ({ DATABASE_URL: server.url() });
  beforeAll(async () => {
    [bank, server] = await Promise.all([startBank(), PostgresServer.start()]);
    // One after the other: the first migrates.
    for (let index = 0; index < 2; index++)
      processes = [...processes, await GatewayProcess.start(environmentOf(bank, await freePorts(), settings()))];
    [first, second] = processes.map((gateway) => new GatewayClient(gateway, bank)) as [GatewayClient, GatewayClient];
  });
  afterAll(async () => {
    await Promise.all(processes.map((gateway) => gateway.kill()));
    await server.remove();
    await bank.close();
  });

  /** When the other process refuses, in milliseconds after the first process acknowledged the measure. */
  async function refusedAfter(access: GivenAccess, ask: () => Promise<unknown>): Promise<number> {
    expect(await second.read(access)).toBe(200);
    await ask();
    const answered = performance.now();
    expect(await first.read(access)).toBe(401);
    while ((await second.read(access)) !== 401) {
      if (performance.now() - answered > patienceMs) throw new Error('the other process goes on serving');
      await sleep(5);
    }
    return performance.now() - answered;
  }

  it('is refused by both when it is suspended at one, and served by both when it is reinstated', async () => {
    const access = await first.give('tpp-suspended');
    await refusedAfter(access, () => first.report('/tpps/tpp-suspended/suspend'));
    await first.report('/tpps/tpp-suspended/reinstate');
    while ((await second.read(access)) !== 200) await sleep(5);
    expect(await first.read(access)).toBe(200);
  });

  it(`has lost ${rows} consents after one command`, async () => {
    const access = await first.give('tpp-cut-off');
    const other = await first.give('tpp-other');
    await administer(
      server.url(),
      `INSERT INTO consents (consent_id, issuer, client_id, kind, permissions, status, created_at, created_in, status_updated_at, customer_ref, accounts,
         last_authenticated_at, authorised_at)
       SELECT 'aac-many-' || n, '${bank.issuer}', 'tpp-cut-off', 'account-access', '{ReadBalances}', 'authorised', now() - interval '1 hour' + n * interval '1 ms',
         'v3.1', now() - interval '1 hour', 'C' || n % 1000, '[]', now() - interval '1 hour', now() - interval '1 hour'
       FROM generate_series(1, ${rows}) AS n`,
    );
    await refusedAfter(access, () => first.report('/tpps/tpp-cut-off/revoke-consents'));
    expect(await second.read(access)).toBe(401);
    for (const id of ['aac-many-1', `aac-many-${rows}`])
      expect(await second.consent(id)).toMatchObject({ Status: 'cancelled', TppId: 'tpp-cut-off' });
    expect([await second.read(access), await second.read(other)]).toEqual([401, 200]);
  }, 600_000);
});
