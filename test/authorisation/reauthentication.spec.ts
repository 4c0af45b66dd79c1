import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { offeredKeys, AuthorisationSetting, type Access } from './setting.js';
import { redirectUri, type TestTpp } from './tpp.js';
import { realNowMs } from '../support/real-time.js';

describe('re-authentication', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start();
    tpp = await setting.tpp('tpp-one');
  });
  afterAll(() => setting.close());
  // The library's clock is the machine's: a test that is far ahead of it would find every new token too old.
  afterEach(() => setting.clock.set(realNowMs()));

  /** The status of a request that needs an open window. */
  async function party(token: string): Promise<number> {
    const accounts = await tpp.ask('/accounts', token);
    if (accounts.status !== 200) return accounts.status;
    return (await tpp.ask(`/accounts/${accounts.json.Data.Account[0].AccountId}/party`, token)).status;
  }

  const windowCloses = (): void => setting.clock.advance(301_000);
  const consent = async ({ consentId }: Access): Promise<Record<string, unknown>> =>
    (await setting.stack.report(`/consents/${consentId}`)).json as Record<string, unknown>;

  it('opens the window again with the same consent; older tokens die when the new code is exchanged, not before', async () => {
    const access = await setting.access(tpp, 'saver');
    const before = await consent(access);
    windowCloses();
    expect(await party(access.accessToken)).toBe(403);

    const begun = await tpp.begin(access.consentId);
    const browser = setting.browser();
    const page = await setting.signIn(browser, await browser.open(begun.url), 'saver');
    expect(offeredKeys(page)).toEqual([]);
    const back = await browser.submit(page, { decision: 'approve' });
    // Approved, but not exchanged: the older token lives on, with its own window.
    expect(await party(access.accessToken)).toBe(403);
    expect((await tpp.refresh(access.refreshToken)).access_token).toEqual(expect.any(String));

    const tokens = await tpp.finish(begun, back.url);
    expect([await party(tokens.access_token), await party(access.accessToken)]).toEqual([200, 401]);
    await expect(tpp.refresh(access.refreshToken)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(decodeJwt(tokens.access_token)['authorisation_id']).not.toBe(
      decodeJwt(access.accessToken)['authorisation_id'],
    );
    const { Status, StatusUpdateDateTime, Accounts, ExpirationDateTime } = before;
    expect(await consent(access)).toMatchObject({ Status, StatusUpdateDateTime, Accounts });
    expect((await consent(access))['ExpirationDateTime']).toEqual(ExpirationDateTime);
  });

  it('opens the window from the moment of authentication, not of approval', async () => {
    const access = await setting.access(tpp, 'saver');
    const begun = await tpp.begin(access.consentId);
    const browser = setting.browser();
    const page = await setting.signIn(browser, await browser.open(begun.url), 'saver');
    windowCloses();
    const tokens = await tpp.finish(begun, (await browser.submit(page, { decision: 'approve' })).url);
    expect(await party(tokens.access_token)).toBe(403);
  });

  it.each(['deny', 'cancel'])('changes nothing when the customer answers %s', async (decision) => {
    const access = await setting.access(tpp, 'saver');
    const before = await consent(access);
    const browser = setting.browser();
    const page = await setting.signIn(browser, await browser.open((await tpp.begin(access.consentId)).url), 'saver');
    const back = await browser.submit(page, { decision });
    expect(new URLSearchParams(back.url.hash.slice(1)).get('error')).toBe('access_denied');
    expect(await consent(access)).toEqual(before);
    expect(await party(access.accessToken)).toBe(200);
  });

  it('is refused to another customer, who learns nothing of the consent and changes nothing', async () => {
    const access = await setting.access(tpp, 'saver');
    const before = await consent(access);
    const browser = setting.browser();
    const page = await setting.signIn(browser, await browser.open((await tpp.begin(access.consentId)).url), 'cards');
    expect(page.status).toBe(403);
    expect(page.html).not.toContain(setting.person('saver').displayName);
    const back = await browser.submit(page, { decision: 'cancel' });
    expect([back.url.href.startsWith(redirectUri), await consent(access)]).toEqual([true, before]);
  });

  it('kills no token when the bank reports it', async () => {
    const access = await setting.access(tpp, 'saver');
    const { customerRef } = setting.person('saver');
    const reported = await setting.stack.report(`/consents/${access.consentId}/reauthentications`, {
      customerRef,
      authenticatedAt: new Date(setting.clock.nowMs()).toISOString(),
    });
    expect([reported.status, await party(access.accessToken)]).toEqual([200, 200]);
    expect((await tpp.refresh(access.refreshToken)).access_token).toEqual(expect.any(String));
  });

  it('of two that were approved the later one counts', async () => {
    const access = await setting.access(tpp, 'saver');
    const [first, second] = [await tpp.begin(access.consentId), await tpp.begin(access.consentId)];
    const approve = async (begun: typeof first): Promise<URL> => {
      const browser = setting.browser();
      const page = await setting.signIn(browser, await browser.open(begun.url), 'saver');
      return (await browser.submit(page, { decision: 'approve' })).url;
    };
    const [earlier, later] = [await approve(first), await approve(second)];
    await expect(tpp.finish(first, earlier)).rejects.toMatchObject({ error: 'invalid_grant' });
    const tokens = await tpp.finish(second, later);
    expect([await party(tokens.access_token), await party(access.accessToken)]).toEqual([200, 401]);
    const { headers } = await tpp.ask('/accounts', access.accessToken);
    expect(headers.get('www-authenticate')).toContain(
      'error_description="a later authorisation of the consent replaced that of this token: use the tokens of the later one"',
    );
  });
});
