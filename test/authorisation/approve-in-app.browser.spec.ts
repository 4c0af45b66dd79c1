import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { defaultSignIn } from '../../src/config/config.js';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { screenshot } from '../support/screenshot.js';
import { AuthorisationSetting, defaultPermissions } from './setting.js';
import { redirectUri, type TestTpp } from './tpp.js';

const present = hasChromium("the approval in the bank's app is");

(present ? describe : describe.skip)('a customer in Chromium whom the bank’s app asks', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    const signIn = { ...defaultSignIn, starts: 1_000, freeStarts: 1_000, addressStarts: 1_000 };
    setting = await AuthorisationSetting.start({ authorisationServer: { signIn } });
    tpp = await setting.tpp('tpp-one');
    browser = await launchChromium();
  });
  beforeEach(() => {
    Object.assign(setting.customers, { app: 'asks', refusal: undefined, pollAfterSeconds: 2 });
  });
  afterAll(async () => {
    for (const context of contexts) await context.close();
    await browser?.close();
    await setting?.close();
  });

  /** The page that waits for the app. */
  async function waiting(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
    contexts.push(context);
    const page = await context.newPage();
    await page.goto((await tpp.begin(await tpp.createConsent(defaultPermissions))).url.href);
    await page.fill('[name=login_name]', 'saver');
    await page.fill('[name=password]', 'saver-password');
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=Open the app and answer there');
    return page;
  }

  const ways = [
    { scripts: 'with', width: 1280 },
    { scripts: 'without', width: 360 },
  ] as const;
  const optionsOf = ({ scripts, width }: (typeof ways)[number]) => ({
    javaScriptEnabled: scripts === 'with',
    viewport: { width, height: 800 },
  });

  it.each(ways)(
    'goes on without a click once they have approved, $scripts scripts, $width pixels wide',
    async (way) => {
      const page = await waiting(optionsOf(way));
      await screenshot(page, `approve-in-app-live-${way.width}`);
      expect(await page.locator('main').innerText()).toContain('42');
      // It loads itself again, and waits on.
      await page.waitForEvent('load');
      expect(await page.locator('main').innerText()).toContain('42');
      setting.customers.app = 'approved';
      await page.waitForSelector('[name=account]');
      for (const box of await page.locator('[name=account]').all()) await box.check();
      const back = page.waitForResponse((answer) => (answer.headers()['location'] ?? '').startsWith(redirectUri));
      await page.click('button[value=approve]');
      expect((await back).headers()['location']).toContain('code=');
    },
  );

  it.each(ways)('is back at the beginning once they have refused, $scripts scripts', async (way) => {
    const page = await waiting(optionsOf(way));
    setting.customers.app = 'declined';
    await page.waitForSelector('[name=password]');
    expect(await page.locator('main').innerText()).toContain('You did not finish signing in');
  });

  it.each([
    { reason: 'locked' as const, words: 'is locked' },
    { reason: 'must-change-password' as const, words: 'You need a new password' },
  ])('finds the bank’s page on the way where they are $reason, without scripts', async ({ reason, words }) => {
    const page = await waiting({ javaScriptEnabled: false });
    const bankPage = `${setting.stack.bank.url}/health`;
    Object.assign(setting.customers, { app: 'approved', refusal: { step: 'refused', reason, page: bankPage } });
    await page.waitForSelector(`text=${words}`);
    await page.click('a.button.main');
    await page.waitForURL(bankPage);
  });

  it('meets a page without a fault of WCAG 2.2 AA', async () => {
    // The page must not load itself again while it is examined, which takes seconds on a busy machine.
    setting.customers.pollAfterSeconds = 60;
    const page = await waiting();
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      }),
    );
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
});
