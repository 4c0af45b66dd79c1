import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Stack, type ConsentedCustomer } from '../support/stack.js';

/** Two brands of a bank have one issuer and one core. The database, the profile and the key of ids are each brand's own. */
describe('a TPP’s access at one brand', () => {
  let home: Stack;
  let other: Stack;
  let here: ConsentedCustomer;
  let there: ConsentedCustomer;
  beforeAll(async () => {
    home = await Stack.start({ rules: { pageSize: 5 } });
    const { issuers, cores } = home.config;
    const idKey = 'the-id-key-of-the-other-brand-0123456789';
    other = await Stack.start({ rules: { pageSize: 5 }, config: { issuers, cores, idKey } });
    here = await home.consent({ persona: 'complete' });
    there = await other.consent({ persona: 'complete' });
  });
  afterAll(async () => {
    await other.close();
    await home.close();
  });

  it('is not an access at another, which does not know the consent', async () => {
    expect((await home.ask('/accounts', { token: here.token })).status).toBe(200);
    expect((await other.ask('/accounts', { token: here.token })).status).toBe(401);
    const token = await home.clientToken();
    expect((await other.ask(`/account-access-consents/${here.consentId}`, { token })).status).toBe(400);
  });

  it('has other ids for the same accounts, and cursors that another brand refuses', async () => {
    const token = await home.bank.mintToken({ clientId: 'tpp-one', consentId: there.consentId });
    const current = here.accountId('CurrentAccount');
    const first = await home.ask(`/accounts/${current}/transactions`, { token: here.token });
    const { search } = new URL(first.json.Links.Next);
    expect((await home.ask(`/accounts/${current}/transactions${search}`, { token: here.token })).status).toBe(200);
    expect(there.accountId('CurrentAccount')).not.toBe(current);
    expect((await other.ask(`/accounts/${current}`, { token })).status).toBe(403);
    const refused = await other.ask(`/accounts/${there.accountId('CurrentAccount')}/transactions${search}`, { token });
    expect(refused.status).toBe(400);
  });
});
