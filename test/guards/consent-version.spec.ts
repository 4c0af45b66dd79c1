import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';
import { v4_0 } from '../../src/versions/v4.0/v4.0.js';
import { oneError } from '../support/error-shape.js';
import { minuteMs, Stack, type Answer } from '../support/stack.js';
import { WatchedDatabase } from '../support/watched-database.js';

const [v3, v4] = [v3_1.basePath, v4_0.basePath];
const consents = '/account-access-consents';

interface Given {
  readonly consentId: string;
  readonly token: string;
  readonly customerRef: string;
}

describe('a consent', () => {
  const database = new WatchedDatabase();
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.start({ persistence: database.module });
  });
  afterAll(() => stack.close());

  async function given(version: string): Promise<Given> {
    const payload = { Data: { Permissions: ['ReadAccountsDetail', 'ReadBalances', 'ReadDirectDebits'] }, Risk: {} };
    const created = await stack.ask(`${version}${consents}`, {
      method: 'POST',
      token: await stack.clientToken(),
      payload,
    });
    const consentId = created.json.Data.ConsentId as string;
    const { customerRef, accounts } = stack.persona('complete');
    const token = await stack.bank.mintToken({ clientId: 'tpp-one', consentId });
    await stack.report(`/consents/${consentId}/authorise`, {
      customerRef,
      accounts: accounts.map(({ ref }) => ref),
      authenticatedAt: new Date(stack.clock.nowMs()).toISOString(),
    });
    return { consentId, token, customerRef };
  }
  const managed = async (version: string, { consentId }: Given, method = 'GET', clientId?: string): Promise<Answer> =>
    stack.ask(`${version}${consents}/${consentId}`, { method, token: await stack.clientToken(clientId) });
  const read = (version: string, { token }: Given, path = '/accounts'): Promise<Answer> =>
    stack.ask(`${version}${path}`, { token });
  const row = ({ consentId }: Given) => database.prisma.consent.findUnique({ where: { consentId } });

  it('of v4.0 is refused on every path of v3.1, stays as it is, and works on v4.0', async () => {
    const consent = await given(v4);
    const before = await row(consent);
    const accountId = (await read(v4, consent)).json.Data.Account[0].AccountId as string;
    const answers = [
      await managed(v3, consent),
      await managed(v3, consent, 'DELETE'),
      await read(v3, consent),
      await read(v3, consent, `/accounts/${accountId}`),
      await read(v3, consent, `/accounts/${accountId}/balances`),
      await read(v3, consent, '/accounts/unknown/transactions'),
    ];
    const mismatch = { ErrorCode: 'UK.OBIE.Resource.ConsentMismatch', Path: 'ConsentId' };
    const refused = [403, oneError({ Code: '403 Forbidden', ...mismatch })];
    expect(answers.map(({ status, json }) => [status, json])).toEqual(answers.map(() => refused));
    expect(await row(consent)).toEqual(before);
    expect([(await managed(v4, consent)).json.Data.Status, (await read(v4, consent)).status]).toEqual(['AUTH', 200]);
    expect([(await managed(v4, consent, 'DELETE')).status, (await managed(v4, consent)).status]).toEqual([204, 400]);
  });

  it('of v4.0 awaits its customer unharmed by a request of v3.1', async () => {
    const payload = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
    const token = await stack.clientToken();
    const { ConsentId } = (await stack.ask(`${v4}${consents}`, { method: 'POST', token, payload })).json.Data;
    expect((await stack.ask(`${v3}${consents}/${ConsentId}`, { method: 'DELETE', token })).status).toBe(403);
    expect((await stack.ask(`${v4}${consents}/${ConsentId}`, { token })).json.Data.Status).toBe('AWAU');
  });

  it('of v3.1 and its token work on v4.0, with the fields and codes of v4.0', async () => {
    const consent = await given(v3);
    const shown = (await managed(v4, consent)).json;
    expect([shown.Data.Status, shown.Links.Self.includes(v4)]).toEqual(['AUTH', true]);
    const accounts = await read(v4, consent);
    expect([accounts.status, Object.keys(accounts.json.Data.Account[0])]).toEqual([
      200,
      expect.arrayContaining(['AccountCategory', 'AccountTypeCode']),
    ]);
    expect((await read(v3, consent)).status).toBe(200);
    await stack.report(`/consents/${consent.consentId}/revoke`, {});
    expect((await managed(v4, consent)).json.Data).toMatchObject({ Status: 'CANC', StatusReason: [expect.anything()] });
    expect((await managed(v3, consent)).json.Data.Status).toBe('Revoked');
    stack.clock.advance(minuteMs);
    const report = { customerRef: consent.customerRef, authenticatedAt: new Date(stack.clock.nowMs()).toISOString() };
    await stack.report(`/consents/${consent.consentId}/reauthentications`, report);
    expect([(await managed(v4, consent)).json.Data.Status, (await read(v4, consent)).status]).toEqual(['AUTH', 200]);
    expect([(await managed(v4, consent, 'DELETE')).status, (await managed(v3, consent)).status]).toEqual([204, 400]);
  });

  it.each([
    ['v3.1', v3, 'Rejected', undefined],
    ['v4.0', v4, 'RJCT', [expect.objectContaining({ StatusReasonCode: 'U036' })]],
  ])('whose authorisation was not completed is rejected in %s', async (_name, version, status, reason) => {
    const payload = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
    const token = await stack.clientToken();
    const { ConsentId } = (await stack.ask(`${version}${consents}`, { method: 'POST', token, payload })).json.Data;
    await stack.report(`/consents/${ConsentId}/begin`, {});
    stack.clock.advance(30 * minuteMs);
    const { Data } = (await stack.ask(`${version}${consents}/${ConsentId}`, { token: await stack.clientToken() })).json;
    expect([Data.Status, Data.StatusReason]).toEqual([status, reason]);
  });

  it('stays authorised when the authentication window refuses a read', async () => {
    const consent = await given(v4);
    const accountId = (await read(v4, consent)).json.Data.Account[0].AccountId as string;
    stack.clock.advance(6 * minuteMs);
    const late = {
      ...consent,
      token: await stack.bank.mintToken({ clientId: 'tpp-one', consentId: consent.consentId }),
    };
    const refused = await read(v4, late, `/accounts/${accountId}/direct-debits`);
    expect([refused.status, refused.json.Errors[0].ErrorCode]).toEqual([403, 'U028']);
    expect((await managed(v4, consent)).json.Data.Status).toBe('AUTH');
  });

  it('of another TPP and of a later version is that of another TPP', async () => {
    const { json } = await managed(v3, await given(v4), 'GET', 'tpp-two');
    expect(json.Errors[0].Message).toContain('created by another TPP');
  });
});
