import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { PublicIds } from '../../src/open-banking/public-ids.js';
import { pseudonymOfAccount } from '../../src/trail/pseudonyms.js';
import { eventsOf } from '../support/read-trail.js';
import { bankCredential, minuteMs, noon, Stack, type Answer, type Json } from '../support/stack.js';
import { trailKeys } from '../support/trail-keys.js';
import { until } from '../support/until.js';

const linked = 'urn:uk:org:openbanking:events:account-access-consent-linked-account-update';
const accountClosed = { reason: 'account-closed' };

describe('the bank reports that an account left its consents', () => {
  let stack: Stack;
  let [first, second] = ['', ''];
  beforeAll(async () => {
    stack = await Stack.start();
    [first = '', second = ''] = stack.persona('complete').accounts.map(({ ref }) => ref);
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    stack.clock.set(noon);
    await poll({ ack: Object.keys((await poll()).sets) });
  });

  const remove = (body: object, by?: string): Promise<Answer> => stack.report('/accounts/remove', body, by);
  const consent = (...accounts: readonly string[]) => stack.consent({ persona: 'complete', accounts });
  const idOf = (ref: string): string => new PublicIds(stack.config.idKey).ofAccount(ref);
  const read = async (token: string, path = '/accounts'): Promise<number> => (await stack.ask(path, { token })).status;
  const poll = async (asked: object = {}): Promise<Json> => {
    const payload = { returnImmediately: true, ...asked };
    const token = await stack.clientToken();
    return (await stack.ask('/open-banking/v4.0/events', { method: 'POST', token, payload })).json;
  };
  const accountsOf = ({ Accounts }: Json): string[] => Accounts.map(({ ref }: Json) => ref);
  /** The events of the consent. */
  const inTrail = async (kind: 'consent' | 'withdrawal', id: string): Promise<Json[]> =>
    (await eventsOf(stack.config.trail.directory, kind)).filter((event) => event['consent'] === id);

  it('and no TPP can read it any more, while the other accounts stay', async () => {
    const { consentId, token } = await consent(first, second);
    const { status, json } = await remove({ account: first, ...accountClosed });
    expect([status, json.Consents.map((one: Json) => [one.ConsentId, one.Status, accountsOf(one)])]).toEqual([
      200,
      expect.arrayContaining([[consentId, 'authorised', [second]]]),
    ]);
    expect([await read(token, `/accounts/${idOf(first)}`), await read(token, `/accounts/${idOf(second)}`)]).toEqual([
      403, 200,
    ]);
    expect((await remove({ account: first, ...accountClosed })).json).toEqual({ Consents: [] });
  });

  it('and the TPP learns it by an event about the account', async () => {
    const { consentId } = await consent(first, second);
    await poll({ ack: Object.keys((await poll()).sets) });
    stack.clock.advance(minuteMs);
    await remove({ account: first, ...accountClosed });
    const claims = Object.values<string>((await poll()).sets).map((token) => decodeJwt(token));
    const base = 'https://gateway.example/open-banking';
    expect(claims).toMatchObject([
      {
        sub: `${base}/v4.0/aisp/account-access-consents/${consentId}`,
        toe: (noon + minuteMs) / 1_000,
        events: {
          [linked]: {
            subject: {
              'http://openbanking.org.uk/rid': idOf(first),
              'http://openbanking.org.uk/rty': 'account-access-consent',
              'http://openbanking.org.uk/rlk': ['v3.1', 'v4.0'].map((version) => ({
                version,
                link: `${base}/${version}/aisp/accounts/${idOf(first)}`,
              })),
            },
          },
        },
      },
    ]);
  });

  it('and the trail has the removal before it is made, and the change with its reason, by a pseudonym of the account', async () => {
    const { consentId } = await consent(first, second);
    await remove({ account: first, ...accountClosed });
    const account = pseudonymOfAccount(trailKeys.PSEUDONYM_KEY, undefined, first);
    expect(await inTrail('withdrawal', consentId)).toMatchObject([{ event: 'account-left', account }]);
    await until(async () => (await inTrail('consent', consentId)).length === 3);
    expect((await inTrail('consent', consentId)).at(-1)).toMatchObject({
      event: 'account-left',
      by: 'bank',
      account,
      ...accountClosed,
      status: 'authorised',
    });
    const acts = () => eventsOf(stack.config.trail.directory, 'operator');
    await until(async () => (await acts()).some(({ command }) => command === 'removeAccount'));
    expect((await acts()).at(-1)).toMatchObject({ by: 'bank', outcome: 'done', target: { account }, count: 1 });
  });

  it('and a consent without another account ends for good', async () => {
    const { consentId, customerRef, token } = await consent(first);
    const [ended] = (await remove({ account: first, ...accountClosed })).json.Consents;
    expect(ended).toMatchObject({ ConsentId: consentId, Status: 'cancelled', StatusReason: 'bank-withdrew' });
    expect(await read(token)).toBe(401);
    const events = Object.values<string>((await poll()).sets).flatMap((set) => Object.keys(decodeJwt(set)['events']!));
    expect(events.map((type) => type.split(':').at(-1)).sort()).toEqual([
      'account-access-consent-linked-account-update',
      'consent-authorization-revoked',
      'resource-update',
      'resource-update',
    ]);
    stack.clock.advance(minuteMs);
    const authenticatedAt = new Date(stack.clock.nowMs()).toISOString();
    const again = await stack.report(`/consents/${consentId}/reauthentications`, { customerRef, authenticatedAt });
    expect([again.status, again.json.Errors[0].Message]).toEqual([400, expect.stringContaining('is cancelled')]);
    await until(async () => (await inTrail('consent', consentId)).length === 4);
    const changes = (await inTrail('consent', consentId)).slice(-2);
    expect(changes.map(({ event }) => event)).toEqual(['account-left', 'revoked']);
  });

  it('and a withdrawn consent, which its customer can give again, loses it too', async () => {
    const { consentId, customerRef, token } = await consent(first, second);
    await stack.report(`/consents/${consentId}/revoke`, {});
    stack.clock.advance(minuteMs);
    await remove({ account: first, ...accountClosed });
    const authenticatedAt = new Date(stack.clock.nowMs()).toISOString();
    const again = await stack.report(`/consents/${consentId}/reauthentications`, { customerRef, authenticatedAt });
    expect([again.status, accountsOf(again.json)]).toEqual([200, [second]]);
    expect(await read(token, `/accounts/${idOf(first)}`)).toBe(403);
  });

  it('and only the consents of one customer lose it where the report names the customer', async () => {
    const { token, customerRef } = await consent(first, second);
    const other = { account: first, customerRef: 'C9999', ...accountClosed };
    expect((await remove(other)).json).toEqual({ Consents: [] });
    expect(await read(token, `/accounts/${idOf(first)}`)).toBe(200);
    expect((await remove({ ...other, customerRef })).json.Consents).toHaveLength(1);
    expect(await read(token, `/accounts/${idOf(first)}`)).toBe(403);
  });

  it.each([
    ['an unknown core', { account: { core: 'cards', ref: 'A1' }, ...accountClosed }, 'account'],
    ['no reason', { account: 'A1' }, 'reason'],
    ['a reason that needs words', { account: 'A1', reason: 'other' }, 'reason'],
    ['no account', accountClosed, 'account'],
  ])('and is refused with %s', async (_, body, path) => {
    const { status, json } = await remove(body);
    expect([status, json.Errors[0].Path]).toEqual([400, path]);
  });

  it('and no operator does, who has cases', async () => {
    const { json } = await stack.report('/operators', { name: 'anna', role: 'admin' }, bankCredential);
    expect((await remove({ account: first, ...accountClosed }, json.Credential)).status).toBe(403);
  });
});
