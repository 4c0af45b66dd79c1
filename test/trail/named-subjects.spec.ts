import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestEvent } from '../../src/trail/event.js';
import { pseudonymOfAccount, pseudonymOfCustomer } from '../../src/trail/pseudonyms.js';
import { eventsOf } from '../support/read-trail.js';
import { bankCredential, Stack, type ConsentedCustomer } from '../support/stack.js';
import { trailKeys } from '../support/trail-keys.js';
import { until } from '../support/until.js';

const key = trailKeys.PSEUDONYM_KEY;
const ids = (last: number): string => `93bac548-d2de-4546-b106-880a5018${String(last).padStart(4, '0')}`;

describe('the subject of a request in the trail', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  let reader = '';
  let asked = 0;
  beforeAll(async () => {
    stack = await Stack.start();
    customer = await stack.consent({ persona: 'saver' });
    const { json } = await stack.report('/operators', { name: 'anna', role: 'admin' });
    const added = await stack.report('/operators', { name: 'rea', role: 'read' }, json.Credential);
    reader = added.json.Credential;
  });
  afterAll(() => stack.close());

  async function eventOf(id: string): Promise<RequestEvent | undefined> {
    const find = async () => (await eventsOf(stack.config.trail.directory, 'request')).find((event) => event.id === id);
    await until(async () => (await find()) !== undefined);
    return find();
  }
  async function atBank(path: string, credential: string): Promise<RequestEvent | undefined> {
    const id = ids(++asked);
    const headers = { authorization: `Bearer ${credential}`, 'x-fapi-interaction-id': id };
    await stack.gateway.bankServer.inject({ url: `/bank/v1${path}`, headers });
    return eventOf(id);
  }
  async function atApi(method: string, token: string | undefined): Promise<RequestEvent | undefined> {
    const id = ids(++asked);
    const path = `/account-access-consents/${customer.consentId}`;
    await stack.ask(path, { method, token, headers: { 'x-fapi-interaction-id': id } });
    return eventOf(id);
  }

  it('is the customer or the account that an operator or the bank asked for, with the name of the caller', async () => {
    const { consentId, customerRef } = customer;
    const ofCustomer = pseudonymOfCustomer(key, customerRef);
    const account = stack.persona('saver').accounts[0]?.ref ?? '';
    const byReader = { listener: 'bank', by: 'operator:rea', status: 200 };
    expect(await atBank(`/cases/consents?customer=${customerRef}`, reader)).toMatchObject({
      ...byReader,
      customer: ofCustomer,
    });
    expect(await atBank(`/cases/consents?account=${account}`, reader)).toMatchObject({
      ...byReader,
      account: pseudonymOfAccount(key, undefined, account),
    });
    for (const path of [`/cases/consents/${consentId}/timeline`, `/consents/${consentId}`])
      expect(await atBank(path, reader)).toMatchObject({ ...byReader, customer: ofCustomer, consent: consentId });
    expect(await atBank(`/customers/${customerRef}/consents`, bankCredential)).toMatchObject({
      by: 'bank',
      customer: ofCustomer,
    });
    const explained = await atBank(`/trail/why/${ids(1)}`, reader);
    expect(explained).toMatchObject(byReader);
    expect(explained).not.toHaveProperty('customer');
  });

  it('is a consent in the path only where the bank asks, or the TPP whose consent it is', async () => {
    const { consentId } = customer;
    expect((await atApi('GET', await stack.clientToken()))?.consent).toBe(consentId);
    for (const stranger of [undefined, await stack.clientToken('tpp-two')])
      expect((await atApi('GET', stranger))?.consent).toBeUndefined();
    const unknown = await atBank(`/consents/${consentId}`, 'no-credential-of-anybody');
    expect([unknown?.status, unknown?.consent, unknown?.by]).toEqual([401, undefined, undefined]);
  });
});
