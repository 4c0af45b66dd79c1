import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { postgresUrl } from '../support/fresh-database.js';
import { Stack } from '../support/stack.js';

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
