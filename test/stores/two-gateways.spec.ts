import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { cachedForMs } from '../../src/persistence/cached-rows.js';
import { postgresUrl } from '../support/fresh-database.js';
import { Stack, type ConsentedCustomer } from '../support/stack.js';

// An embedded database serves one process, so several gateways share a PostgreSQL.
(postgresUrl === undefined ? describe.skip : describe)('two gateways on one PostgreSQL', () => {
  let first: Stack;
  let second: Stack;
  beforeAll(async () => {
    first = await Stack.start();
    const { database, cores, issuers } = first.config;
    second = await Stack.start({ config: { database, cores, issuers } });
  });
  afterAll(async () => {
    await second.close();
    await first.close();
  });

  const status = async (gateway: Stack, { token }: ConsentedCustomer): Promise<number> =>
    (await gateway.ask('/accounts', { token })).status;

  it.each<[string, (customer: ConsentedCustomer) => Promise<{ status: number }>]>([
    ['revocation', ({ consentId }) => first.report(`/consents/${consentId}/revoke`, {})],
    [
      'deletion',
      async ({ consentId }) =>
        first.ask(`/account-access-consents/${consentId}`, { method: 'DELETE', token: await first.clientToken() }),
    ],
  ])(
    'apply a %s at once in the gateway that received it, and within a second in the second gateway',
    async (_name, end) => {
      const customer = await first.consent({ persona: 'saver' });
      expect([await status(first, customer), await status(second, customer)]).toEqual([200, 200]);
      expect([200, 204]).toContain((await end(customer)).status);
      const endedMs = performance.now();
      expect(await status(first, customer)).toBe(401);
      while (performance.now() - endedMs < cachedForMs) await sleep(10);
      expect(await status(second, customer)).toBe(401);
    },
  );

  it('open the window in the second at once after a re-authentication in the first', async () => {
    const customer = await first.consent({ persona: 'saver', authenticatedAgoMs: 86_400_000 });
    const party = `/accounts/${customer.accountId('Savings')}/party`;
    const { token, customerRef, consentId } = customer;
    expect((await second.ask(party, { token })).status).toBe(403);
    const authenticatedAt = new Date(first.clock.nowMs()).toISOString();
    await first.report(`/consents/${consentId}/reauthentications`, { customerRef, authenticatedAt });
    expect((await second.ask(party, { token })).status).toBe(200);
  });

  it('let one of ten authorisations win that race on both', async () => {
    const token = await first.clientToken();
    const payload = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
    const created = await first.ask('/account-access-consents', { method: 'POST', token, payload });
    const approval = {
      customerRef: 'C1004',
      accounts: ['A100401'],
      authenticatedAt: new Date(first.clock.nowMs()).toISOString(),
    };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? first : second).report(`/consents/${created.json.Data.ConsentId}/authorise`, approval),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array<number>(9).fill(400)]);
  });
});
