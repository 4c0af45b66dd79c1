import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { embeddedIssuer } from '../../src/open-banking/tpp-id.js';
import type { ConsentedCustomer } from '../support/stack.js';
import { text } from './browser.js';
import { AuthorisationSetting, defaultPermissions, type Access } from './setting.js';
import { redirectUri, type TestTpp } from './tpp.js';

describe('a TPP of the embedded authorization server, where another issuer has a TPP of the same client id', () => {
  let setting: AuthorisationSetting;
  let own: TestTpp;
  let stranger: TestTpp;
  let access: Access;
  let others: ConsentedCustomer;
  let othersToken: string;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start();
    own = await setting.tpp('tpp-one');
    stranger = await setting.tpp('tpp-two');
    access = await setting.access(own, 'saver');
    others = await setting.stack.consent({ persona: 'saver', clientId: 'tpp-one' });
    othersToken = await setting.stack.clientToken('tpp-one');
  });
  afterAll(() => setting.close());

  const ownStatus = async (): Promise<number> => (await own.ask('/accounts', access.accessToken)).status;
  const othersStatus = async (): Promise<number> =>
    (await setting.stack.ask('/accounts', { token: others.token })).status;

  it('reads neither the consent of the other nor is its own read by the other', async () => {
    const theirs = `/account-access-consents/${others.consentId}`;
    expect((await own.ask(theirs, await own.ownToken())).status).toBe(
      (await stranger.ask(theirs, await stranger.ownToken())).status,
    );
    const ours = await setting.stack.ask(`/account-access-consents/${access.consentId}`, { token: othersToken });
    expect([ours.status, ours.json.Errors[0].ErrorCode]).toEqual([403, 'UK.OBIE.Resource.ConsentMismatch']);
  });

  it('cannot have a customer asked for the consent of the other: the answer is that for an unknown one', async () => {
    const created = await setting.stack.ask('/account-access-consents', {
      method: 'POST',
      token: othersToken,
      payload: { Data: { Permissions: defaultPermissions }, Risk: {} },
    });
    const refusal = async (consentId: string): Promise<string> => {
      const { url } = await setting.browser().open(await own.beginWith(await own.requestObject(consentId)));
      expect(url.href.startsWith(redirectUri)).toBe(true);
      const answer = new URLSearchParams(url.hash.slice(1) || url.search);
      return `${answer.get('error')}: ${answer.get('error_description')}`;
    };
    const answer = await refusal(created.json.Data.ConsentId as string);
    expect(answer).toBe('invalid_request: openbanking_intent_id names no consent of this client');
    expect(answer).toBe(await refusal('aac-none'));
  });

  it('does not lend its name to the other on the customer’s dashboard', async () => {
    const browser = setting.browser();
    await setting.signIn(browser, await browser.open('/as/dashboard'), 'saver');
    const page = text((await browser.open('/as/dashboard')).html);
    expect(page).toContain('The tpp-one app');
    expect(page).toContain('An app or website that we no longer know');
  });

  it('is suspended alone, and so is the other', async () => {
    const order = (verb: string, issuer: string) =>
      setting.stack.report(`/tpps/tpp-one/${verb}?issuer=${encodeURIComponent(issuer)}`, {});
    expect((await setting.stack.report('/tpps/tpp-one/suspend', {})).status).toBe(400);
    expect([await ownStatus(), await othersStatus()]).toEqual([200, 200]);
    await order('suspend', embeddedIssuer);
    expect([await ownStatus(), await othersStatus()]).toEqual([401, 200]);
    await order('reinstate', embeddedIssuer);
    await order('suspend', setting.stack.bank.issuer);
    expect([await ownStatus(), await othersStatus()]).toEqual([200, 401]);
    expect(await own.ownToken()).toEqual(expect.any(String));
    await order('reinstate', setting.stack.bank.issuer);
    const { json } = await setting.stack.report('/tpps');
    expect(json.Tpps.map(({ ClientId, Issuer }: Record<string, string>) => [ClientId, Issuer])).toEqual([
      ['tpp-one', embeddedIssuer],
      ['tpp-two', embeddedIssuer],
      ['tpp-one', setting.stack.bank.issuer],
    ]);
  });

  it('loses its access on the customer’s dashboard, and the other keeps its own', async () => {
    const access = await setting.access(own, 'overdrawn');
    const others = await setting.stack.consent({ persona: 'overdrawn', clientId: 'tpp-one' });
    const browser = setting.browser();
    const overview = await setting.signIn(browser, await browser.open('/as/dashboard'), 'overdrawn');
    const links = [...overview.html.matchAll(/href="([^"]*\/withdraw\/[^"]*)"/g)].map(([, href = '']) => href);
    expect(links.map((href) => href.split('/').at(-1)).sort()).toEqual([access.consentId, others.consentId].sort());
    const confirmation = await browser.open(`/as/dashboard/withdraw/${access.consentId}`);
    expect(text(confirmation.html)).toContain('The tpp-one app');
    await browser.submit(confirmation, { decision: 'continue' }, access.consentId);
    expect((await own.ask('/accounts', access.accessToken)).status).toBe(401);
    expect((await setting.stack.ask('/accounts', { token: others.token })).status).toBe(200);
  });
});
