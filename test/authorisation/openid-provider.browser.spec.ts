import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { kitServices } from '../../packages/adapter-kit/kit-services.js';
import { signOnHttp } from '../../packages/customer-authentication/sign-on-http.js';
import { createCustomerAuthentication } from '../../src/customer-authentication/adapters/oidc/oidc.adapter.js';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { RunningClock } from '../support/running-clock.js';
import { screenshot } from '../support/screenshot.js';
import { BankProvider, providerClientId } from './bank-provider.js';
import { AuthorisationSetting, defaultPermissions } from './setting.js';
import { redirectUri, type TestTpp } from './tpp.js';

const present = hasChromium("the way to the bank's own sign-on is");

const clientSecret = 'secret-of-the-gateway-0123456789abcdef';

(present ? describe : describe.skip)('a customer in Chromium', () => {
  let provider: BankProvider;
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    const clock = new RunningClock();
    const services = { ...kitServices, http: signOnHttp, clock };
    const people: { customerRef: string; displayName: string }[] = [];
    provider = await BankProvider.at(people);
    const variables = {
      CUSTOMER_AUTHENTICATION_CLIENT_ID: providerClientId,
      CUSTOMER_AUTHENTICATION_CREDENTIAL: clientSecret,
    };
    const signOn = await createCustomerAuthentication({ url: provider.issuer, variables }, services);
    setting = await AuthorisationSetting.start({ signOn, clock });
    people.push(setting.person('saver'));
    const origin = new URL(setting.places.issuer).origin;
    await provider.open(`${origin}/as/sign-on/return`, { client_secret: clientSecret });
    tpp = await setting.tpp('tpp-one');
    browser = await launchChromium();
  });
  afterAll(async () => {
    for (const context of contexts) await context.close();
    await browser?.close();
    await setting?.close();
    await provider?.stop();
  });

  async function newPage(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
    contexts.push(context);
    return context.newPage();
  }
  async function arrive(page: Page): Promise<void> {
    await page.goto((await tpp.begin(await tpp.createConsent(defaultPermissions))).url.href);
  }

  it.each([
    { scripts: 'with', width: 1280 },
    { scripts: 'without', width: 360 },
  ])('goes to the bank’s own sign-on and back $scripts scripts, $width pixels wide', async ({ scripts, width }) => {
    const page = await newPage({ javaScriptEnabled: scripts === 'with', viewport: { width, height: 800 } });
    await arrive(page);
    await screenshot(page, `sign-in-at-bank-live-${width}`);
    // The keyboard alone: the button is the form's first one.
    await page.locator('button[value=continue]').focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=The bank’s own sign-on');
    expect(new URL(page.url()).origin).toBe(provider.issuer);
    await page.fill('[name=customer]', setting.person('saver').customerRef);
    await page.click('text=Sign in');
    await page.waitForSelector('[name=account]');
    for (const box of await page.locator('[name=account]').all()) await box.check();
    const back = page.waitForResponse((answer) => (answer.headers()['location'] ?? '').startsWith(redirectUri));
    await page.click('button[value=approve]');
    expect((await back).headers()['location']).toContain('code=');
  });

  it('comes to the page of the TPP’s request when they go back from the bank’s own sign-on', async () => {
    const page = await newPage();
    await arrive(page);
    const place = page.url();
    await page.click('text=Go to the sign-in page');
    await page.waitForSelector('text=The bank’s own sign-on');
    await page.goBack();
    expect(page.url()).toBe(place);
    await page.waitForSelector('text=Go to the sign-in page');
  });

  it('meets a page without a fault of WCAG 2.2 AA before leaving', async () => {
    const page = await newPage();
    await page.context().addInitScript(axe.source);
    await arrive(page);
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      }),
    );
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
});
