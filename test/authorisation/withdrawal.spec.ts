import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../support/fake-clock.js';
import { realNowMs } from '../support/real-time.js';
import { text, type Browser } from './browser.js';
import { AuthorisationSetting, offeredKeys, type Access } from './setting.js';
import type { TestTpp } from './tpp.js';

const place = '/as/dashboard';

describe('an access that is withdrawn where the bank keeps the consent Authorised', () => {
  const start = realNowMs();
  const clock = new FakeClock(start);
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start({ clock, rules: { statusAfterWithdrawal: 'authorised' } });
    tpp = await setting.tpp('tpp-one');
  });
  afterAll(() => setting.close());
  afterEach(() => clock.set(start));

  async function enter(loginName = 'saver'): Promise<Browser> {
    const browser = setting.browser();
    await setting.signIn(browser, await browser.open(place), loginName);
    return browser;
  }

  async function withdraw({ consentId }: Pick<Access, 'consentId'>): Promise<string> {
    const browser = await enter();
    const confirmation = await browser.open(`${place}/withdraw/${consentId}`);
    return text((await browser.submit(confirmation, { decision: 'continue' }, consentId)).html);
  }

  /** Given, and withdrawn a second later. */
  async function withdrawn(): Promise<Access> {
    const access = await setting.access(tpp, 'saver');
    clock.advance(1_000);
    await withdraw(access);
    return access;
  }

  const asks = async (token: string): Promise<number> => (await tpp.ask('/accounts', token)).status;
  const consent = async ({ consentId }: Pick<Access, 'consentId'>) =>
    (await setting.stack.report(`/consents/${consentId}`)).json as Record<string, unknown>;

  it('is dead at once, token and refresh, and stays Authorised since it was given', async () => {
    const access = await setting.access(tpp, 'saver');
    const before = await consent(access);
    expect(await asks(access.accessToken)).toBe(200);
    clock.advance(1_000);
    const page = await withdraw(access);
    expect(page).toContain('You withdrew the access of The tpp-one app');
    expect(page).toMatch(/Past access .*Withdrawn by you/);
    expect(await asks(access.accessToken)).toBe(401);
    await expect(tpp.refresh(access.refreshToken)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(await consent(access)).toEqual({
      ...before,
      Status: 'cancelled',
      StatusReason: 'customer-withdrew',
      StatusUpdateDateTime: new Date(start + 1_000).toISOString().replace('Z', '+00:00').replace('.000', ''),
    });
    const seen = await tpp.ask(`/account-access-consents/${access.consentId}`, await tpp.ownToken());
    expect(seen.json.Data).toMatchObject({
      Status: 'Authorised',
      StatusUpdateDateTime: before['StatusUpdateDateTime'],
    });
  });

  it('comes back by a fresh authorisation of the same customer alone, with fresh tokens, and not with the old ones', async () => {
    const access = await withdrawn();
    clock.advance(1_000);
    const begun = await tpp.begin(access.consentId);
    const browser = setting.browser();
    const signIn = await browser.open(begun.url);
    expect(text(signIn.html)).toContain('asks for the access that was withdrawn');
    const page = await setting.signIn(browser, signIn, 'saver');
    expect([offeredKeys(page), text(page.html)]).toEqual([[], expect.stringContaining('Give The tpp-one app access')]);
    const back = await browser.submit(page, { decision: 'approve' });
    expect(await asks(access.accessToken)).toBe(401);
    const tokens = await tpp.finish(begun, back.url);
    expect([await asks(tokens.access_token), await asks(access.accessToken)]).toEqual([200, 401]);
    await expect(tpp.refresh(access.refreshToken)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect((await consent(access))['Status']).toBe('authorised');
    expect(text((await (await enter()).open(place)).html)).toMatch(/Current access .*The tpp-one app.* Past access/);
  });

  it('is not given again by a refusal, nor to another customer', async () => {
    const access = await withdrawn();
    clock.advance(1_000);
    for (const [loginName, decision] of [
      ['saver', 'deny'],
      ['cards', 'cancel'],
    ] as const) {
      const browser = setting.browser();
      const begun = await tpp.begin(access.consentId);
      await browser.submit(await setting.signIn(browser, await browser.open(begun.url), loginName), { decision });
    }
    expect((await consent(access))['Status']).toBe('cancelled');
  });

  it('is not given again by a customer who signed in before the withdrawal, in another window', async () => {
    const access = await setting.access(tpp, 'saver');
    clock.advance(1_000);
    const browser = setting.browser();
    const page = await setting.signIn(browser, await browser.open((await tpp.begin(access.consentId)).url), 'saver');
    await withdraw(access);
    expect(text((await browser.open(page.url)).html)).toContain('has been answered already');
    const late = await browser.submit(page, { decision: 'approve' });
    expect([late.status, text(late.html)]).toEqual([409, expect.stringContaining('has been answered already')]);
    expect((await consent(access))['Status']).toBe('cancelled');
  });

  it('takes the code with it that was not exchanged yet', async () => {
    const consentId = await tpp.createConsent(['ReadAccountsDetail']);
    const begun = await tpp.begin(consentId);
    const back = await setting.approve(begun, 'saver');
    clock.advance(1);
    await withdraw({ consentId });
    await expect(tpp.finish(begun, back)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('also ends the tokens of the bank’s issuer, and a later authentication revives them', async () => {
    const { consentId, token, customerRef } = await setting.stack.consent({ persona: 'saver' });
    // Not bound to a certificate, as the sandbox's are: for the port without TLS.
    const asksPlainly = async (): Promise<number> => (await setting.stack.ask('/accounts', { token })).status;
    expect(await asksPlainly()).toBe(200);
    const revoked = await setting.stack.report(`/consents/${consentId}/revoke`, {});
    expect([revoked.status, revoked.json.Status, await asksPlainly()]).toEqual([200, 'cancelled', 401]);
    const again = await setting.stack.report(`/consents/${consentId}/revoke`, {});
    expect([again.status, again.body]).toEqual([400, expect.stringContaining('The consent is cancelled')]);
    expect(text((await (await enter()).open(place)).html)).toContain('Ended by us');

    const reauthenticate = async (atMs: number): Promise<number> =>
      (
        await setting.stack.report(`/consents/${consentId}/reauthentications`, {
          customerRef,
          authenticatedAt: new Date(atMs).toISOString(),
        })
      ).status;
    clock.advance(1_000);
    expect([await reauthenticate(start), await asksPlainly()]).toEqual([400, 401]);
    expect([await reauthenticate(start + 1), await asksPlainly()]).toEqual([200, 200]);
  });
});
