import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { oneError, told } from '../support/error-shape.js';
import { dayMs, minuteMs, noon, Stack, type Answer, type ConsentedCustomer } from '../support/stack.js';

const path = '/account-access-consents';
const notFound = oneError({ Code: '400 BadRequest', ErrorCode: 'UK.OBIE.Resource.NotFound', Path: 'ConsentId' });

describe('the life of a consent', () => {
  let stack: Stack;
  let client: string;
  beforeAll(async () => {
    stack = await Stack.start();
    client = await stack.clientToken();
  });
  afterAll(() => stack.close());
  afterEach(() => stack.clock.set(noon));

  const create = async (): Promise<string> =>
    (
      await stack.ask(path, {
        method: 'POST',
        token: client,
        payload: { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} },
      })
    ).json.Data.ConsentId;
  const read = (consentId: string): Promise<Answer> => stack.ask(`${path}/${consentId}`, { token: client });
  const remove = (consentId: string): Promise<Answer> =>
    stack.ask(`${path}/${consentId}`, { method: 'DELETE', token: client });
  const statusOf = async (consentId: string): Promise<[string, string]> => {
    const { Status, StatusUpdateDateTime } = (await read(consentId)).json.Data;
    return [Status, StatusUpdateDateTime];
  };
  const accounts = async ({ token }: ConsentedCustomer): Promise<[number, string]> => {
    const { status, body } = await stack.ask('/accounts', { token });
    return [status, status === 401 ? body : ''];
  };
  const tokenOf = (consentId: string): Promise<string> => stack.bank.mintToken({ clientId: 'tpp-one', consentId });

  it('goes from AwaitingAuthorisation to Authorised to Revoked, each with its time, the rest unchanged', async () => {
    const { customerRef, accounts: owned } = stack.persona('saver');
    const consentId = await create();
    const created = (await read(consentId)).json;
    expect(await statusOf(consentId)).toEqual(['AwaitingAuthorisation', '2026-06-15T12:00:00+00:00']);

    stack.clock.advance(minuteMs);
    const authenticatedAt = new Date(noon).toISOString();
    await stack.report(`/consents/${consentId}/authorise`, {
      customerRef,
      accounts: owned.map(({ ref }) => ref),
      authenticatedAt,
    });
    expect(await statusOf(consentId)).toEqual(['Authorised', '2026-06-15T12:01:00+00:00']);

    stack.clock.advance(minuteMs);
    await stack.report(`/consents/${consentId}/reauthentications`, { customerRef, authenticatedAt });
    expect(await statusOf(consentId)).toEqual(['Authorised', '2026-06-15T12:01:00+00:00']);

    await stack.report(`/consents/${consentId}/revoke`, {});
    expect((await read(consentId)).json).toEqual({
      ...created,
      Data: { ...created.Data, Status: 'Revoked', StatusUpdateDateTime: '2026-06-15T12:02:00+00:00' },
    });
  });

  it('ends with Rejected when the customer declines', async () => {
    const consentId = await create();
    await stack.report(`/consents/${consentId}/reject`, {});
    expect(await statusOf(consentId)).toEqual(['Rejected', '2026-06-15T12:00:00+00:00']);
    expect((await stack.ask('/accounts', { token: await tokenOf(consentId) })).status).toBe(401);
  });

  it('opens nothing before it is authorised', async () => {
    const answer = await stack.ask('/accounts', { token: await tokenOf(await create()) });
    expect([answer.status, answer.body]).toEqual([401, '']);
    expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
  });

  it('is deleted by its TPP in every status, and is never found again', async () => {
    const awaiting = await create();
    const rejected = await create();
    await stack.report(`/consents/${rejected}/reject`, {});
    const authorised = (await stack.consent({ persona: 'saver' })).consentId;
    const revoked = (await stack.consent({ persona: 'saver' })).consentId;
    await stack.report(`/consents/${revoked}/revoke`, {});
    for (const consentId of [awaiting, rejected, authorised, revoked]) {
      const deleted = await remove(consentId);
      expect([deleted.status, deleted.body, deleted.headers['content-type']]).toEqual([204, '', undefined]);
      for (const again of [await read(consentId), await remove(consentId)])
        expect([again.status, again.json]).toEqual([400, notFound]);
      expect(told(await stack.report(`/consents/${consentId}`))).toEqual([400, 'consent-not-found', 'ConsentId']);
    }
  });

  it('that does not exist is 400 for an id of any form', async () => {
    for (const id of [
      'aac-unknown',
      'x'.repeat(129),
      '%00',
      '%F0%9F%92%A9',
      "'; DROP TABLE consents; --".replaceAll(' ', '%20'),
    ])
      for (const answer of [await read(id), await remove(id)])
        expect([answer.status, answer.json]).toEqual([400, notFound]);
  });

  it('closes its tokens at once when it is deleted', async () => {
    const customer = await stack.consent({ persona: 'saver' });
    expect(await accounts(customer)).toEqual([200, '']);
    await remove(customer.consentId);
    expect(await accounts(customer)).toEqual([401, '']);
  });

  it('closes its tokens at once when the bank revokes it, without affecting other consents of the customer', async () => {
    const customer = await stack.consent({ persona: 'saver' });
    const other = await stack.consent({ persona: 'saver' });
    expect([await accounts(customer), await accounts(other)]).toEqual([
      [200, ''],
      [200, ''],
    ]);
    await stack.report(`/consents/${customer.consentId}/revoke`, {});
    expect([await accounts(customer), await accounts(other)]).toEqual([
      [401, ''],
      [200, ''],
    ]);
  });

  it('expires to the millisecond, still reads Authorised, and can still be deleted', async () => {
    const customer = await stack.consent({
      persona: 'saver',
      data: { ExpirationDateTime: '2026-06-15T13:10:00.500+01:00' },
    });
    const expiresMs = noon + 10 * minuteMs + 500;
    stack.clock.set(expiresMs - 1);
    expect(await accounts(customer)).toEqual([200, '']);
    stack.clock.set(expiresMs);
    expect(await accounts(customer)).toEqual([401, '']);
    expect((await read(customer.consentId)).json.Data).toMatchObject({
      Status: 'Authorised',
      StatusUpdateDateTime: '2026-06-15T12:00:00+00:00',
      ExpirationDateTime: '2026-06-15T13:10:00.500+01:00',
    });
    expect((await remove(customer.consentId)).status).toBe(204);
  });

  it('without an expiry is open-ended', async () => {
    const customer = await stack.consent({ persona: 'saver' });
    stack.clock.advance(3_650 * dayMs);
    expect(await accounts({ ...customer, token: await tokenOf(customer.consentId) })).toEqual([200, '']);
  });

  it('of one customer does not affect those with other TPPs, and shows each TPP the same AccountIds', async () => {
    const mine = await stack.consent({ persona: 'saver' });
    const theirs = await stack.consent({ persona: 'saver', clientId: 'tpp-two' });
    expect(theirs.accounts).toEqual(mine.accounts);
    await remove(mine.consentId);
    expect(await accounts(theirs)).toEqual([200, '']);
  });
});
