import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { circuitOpenMs } from '../../src/core-banking/circuit.js';
import { watched } from '../support/wrapped-adapter.js';
import { text, type Browser, type Page } from './browser.js';
import { AuthorisationSetting, offeredKeys } from './setting.js';
import { redirectUri, type TestTpp } from './tpp.js';

const permissions = ['ReadAccountsDetail', 'ReadBalances'];

describe.each(['profile-1', 'profile-2'])('the accounts that a customer can choose, with %s', (profile) => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let coreIsAway = false;
  beforeAll(async () => {
    const beforeRead = (): void => {
      if (coreIsAway) throw new CoreError('unavailable', 'the test says so');
    };
    setting = await AuthorisationSetting.start({
      config: { profile },
      adapter: (ledger) => watched(ledger, beforeRead),
    });
    tpp = await setting.tpp('tpp-one');
  });
  afterAll(() => setting.close());
  /** Only after a while does the gateway ask a core again that failed often. */
  async function coreIsBack(): Promise<void> {
    coreIsAway = false;
    await sleep(circuitOpenMs + 1);
  }
  afterEach(async () => {
    if (coreIsAway) await coreIsBack();
  });

  interface BrowserPage {
    readonly consentId: string;
    readonly browser: Browser;
    readonly page: Page;
  }
  async function signedIn(loginName: string, consentId?: string): Promise<BrowserPage> {
    const asked = consentId ?? (await tpp.createConsent(permissions));
    const browser = setting.browser();
    const page = await browser.open((await tpp.begin(asked)).url);
    return { consentId: asked, browser, page: await setting.signIn(browser, page, loginName) };
  }
  const consent = async ({ consentId }: Pick<BrowserPage, 'consentId'>): Promise<Record<string, unknown>> =>
    (await setting.stack.report(`/consents/${consentId}`)).json as Record<string, unknown>;
  /** The words of each account that is shown and cannot be chosen. */
  const withheld = ({ html }: Page): string[] =>
    [...html.matchAll(/<input[^>]*\bdisabled\b[^>]*>([\s\S]*?)<\/label/g)].map(([, words = '']) => text(words));

  it('exclude an account whose state forbids access: it is shown with the reason', async () => {
    const visit = await signedIn('blocked');
    expect(withheld(visit.page)).toEqual([
      'Everyday Current Account Current account, ending 0052 Access to this account is restricted, so you cannot share it',
    ]);
    expect([offeredKeys(visit.page).length, text(visit.page.html)]).toEqual([1, expect.stringContaining('Saver')]);
    const back = await visit.browser.submit(visit.page, { account: offeredKeys(visit.page), decision: 'approve' });
    expect(back.url.href.startsWith(redirectUri)).toBe(true);
    expect(await consent(visit)).toMatchObject({
      Status: 'authorised',
      Accounts: [expect.objectContaining({ ref: 'A100502' })],
    });
  });

  it('are those that the core lists, under its names, with the end of each number', async () => {
    const { page } = await signedIn('complete');
    const { accounts } = setting.person('complete');
    expect(offeredKeys(page).length + withheld(page).length).toBe(accounts.length);
    for (const { name } of accounts) expect(text(page.html)).toContain(name);
    // In profile 1 a current account has nothing but its party, for which this TPP does not ask.
    expect(withheld(page)).toEqual(
      profile === 'profile-1'
        ? [expect.stringMatching(/Current account, ending \d{4} .* asks for nothing that this kind of account has$/)]
        : [],
    );
  });

  it('cannot be shown while the core is unreachable; the customer stays signed in, and goes on when it is back', async () => {
    coreIsAway = true;
    const visit = await signedIn('saver');
    for (const page of [visit.page, await visit.browser.open(visit.page.url)]) {
      expect([page.status, text(page.html)]).toEqual([503, expect.stringContaining('We cannot show your accounts')]);
      expect(text(page.html)).toContain('you do not need to sign in again');
    }
    await coreIsBack();
    const [, again = ''] = /<a class="button main" href="([^"]*)">/.exec(visit.page.html) ?? [];
    const page = await visit.browser.open(again);
    expect([page.status, offeredKeys(page).length]).toEqual([200, setting.person('saver').accounts.length]);
    await visit.browser.submit(page, { account: offeredKeys(page), decision: 'approve' });
    expect((await consent(visit))['Status']).toBe('authorised');
  });

  it('can be left for the TPP while the core is unreachable, and the consent still awaits', async () => {
    coreIsAway = true;
    const visit = await signedIn('saver');
    const back = await visit.browser.submit(visit.page, { decision: 'cancel' });
    expect(new URLSearchParams(back.url.hash.slice(1)).get('error')).toBe('access_denied');
    expect((await consent(visit))['Status']).toBe('awaiting');
  });

  it('stay as they were when the core becomes unreachable before the approval, which can be repeated', async () => {
    const visit = await signedIn('saver');
    const decision = { account: offeredKeys(visit.page), decision: 'approve' };
    coreIsAway = true;
    expect((await visit.browser.submit(visit.page, decision)).status).toBe(503);
    await coreIsBack();
    const back = await visit.browser.submit(visit.page, decision);
    expect([back.url.href.startsWith(redirectUri), (await consent(visit))['Status']]).toEqual([true, 'authorised']);
  });

  it('that were chosen are shown again when the customer confirms the access, as soon as the core is back', async () => {
    const { consentId } = await setting.access(tpp, 'saver', permissions);
    coreIsAway = true;
    const visit = await signedIn('saver', consentId);
    expect(visit.page.status).toBe(503);
    await coreIsBack();
    const page = await visit.browser.open(visit.page.url);
    for (const { name } of setting.person('saver').accounts) expect(text(page.html)).toContain(name);
    expect((await visit.browser.submit(page, { decision: 'approve' })).url.href.startsWith(redirectUri)).toBe(true);
  });

  it('are absent where no account can be shared: the page says so', async () => {
    const onlyCurrent = setting.stack.bank.personas.find(({ accounts }) =>
      accounts.every(({ acct }) => acct.prod === 'CUR100'),
    );
    const { page } = await signedIn(onlyCurrent?.name ?? '');
    expect(text(page.html).includes('There is nothing to share')).toBe(profile === 'profile-1');
  });
});
