import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { AuthorisationSetting } from './setting.js';
import type { TestTpp } from './tpp.js';

const wcag22AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const present = hasChromium('the access dashboard is');

(present ? describe : describe.skip)('the access dashboard in Chromium', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let browser: Browser;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start();
    tpp = await setting.tpp('tpp-one');
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await setting?.close();
  });

  it('signs in, withdraws and signs out, each page as it is served breaking no rule of WCAG 2.2 AA', async () => {
    const { consentId, accessToken } = await setting.access(tpp, 'saver');
    const { page, complaints } = await open();
    const seen: string[] = [];
    const checkPage = async (): Promise<void> => {
      const { violations } = await page.evaluate<{ violations: { id: string }[] }>(
        `axe.run(document, { runOnly: ${JSON.stringify(wcag22AA)} })`,
      );
      seen.push([await page.title(), ...violations.map(({ id }) => id)].join(': '));
    };
    await checkPage();
    await signIn(page, checkPage);
    await checkPage();
    await page.click('text=Withdraw access');
    await checkPage();
    await page.click('button:has-text("Withdraw access")');
    await page.waitForURL(`**/as/dashboard?withdrawn=${consentId}`);
    expect(await page.locator('[role=status]').innerText()).toContain('You withdrew the access of The tpp-one app.');
    expect((await tpp.ask('/accounts', accessToken)).status).toBe(401);
    await checkPage();
    await page.click('text=Sign out');
    expect(await page.locator('[role=status]').innerText()).toBe('You are signed out.');
    await checkPage();
    expect(seen).toEqual(
      [
        'Sign in to your access dashboard',
        'Enter your one-time code',
        'Access dashboard',
        'Withdraw access',
        'Access dashboard',
        'Sign in to your access dashboard',
      ].map((title) => `${title} – Your bank`),
    );
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('leads a person who goes back after signing out to the sign-in, without the customer’s data', async () => {
    const { page } = await open();
    await signIn(page);
    await page.click('text=Sign out');
    await page.getByText('You are signed out.').waitFor();
    await page.goBack();
    await page.reload();
    expect(await page.locator('h1').innerText()).toBe('Sign in to your access dashboard');
    expect(await page.content()).not.toContain(setting.person('saver').displayName);
    await page.context().close();
  });

  it('works without scripts, and withdraws once by a double click', async () => {
    const { consentId } = await setting.stack.consent({ persona: 'saver' });
    const { page } = await open({ javaScriptEnabled: false });
    await signIn(page);
    await page.goto(`${setting.places.issuer}/dashboard/withdraw/${consentId}`);
    await page.dblclick('button:has-text("Withdraw access")');
    // The second click breaks off the load that the first one began, so the test waits for the page itself.
    await page.getByRole('status').getByText('You withdrew the access of').waitFor();
    expect(new URL(page.url()).search).toBe(`?withdrawn=${consentId}`);
    await page.context().close();
  });

  async function open(options: { javaScriptEnabled?: boolean } = {}): Promise<{ page: Page; complaints: string[] }> {
    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      viewport: { width: 390, height: 844 },
      ...options,
    });
    // Past the pages' own policy, which lets no foreign script in.
    if (options.javaScriptEnabled !== false) await context.addInitScript(axe.source);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`));
    await page.goto(`${setting.places.issuer}/dashboard`);
    return { page, complaints };
  }

  async function signIn(page: Page, atCode: () => Promise<void> = async () => undefined): Promise<void> {
    const person = setting.person('saver');
    await page.fill('[name=login_name]', person.loginName);
    await page.fill('[name=password]', person.password);
    await page.click('text=Continue');
    await atCode();
    await page.fill('[name=code]', person.code);
    await page.click('text=Continue');
    await page.waitForSelector('text=Who may look at your accounts');
  }
});
