import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { freePort } from '../support/free-port.js';
import { screenshot } from '../support/screenshot.js';
import { Stack, type ConsentedCustomer } from '../support/stack.js';
import { AuthorisationSetting } from '../authorisation/setting.js';

const present = hasChromium('the pages of the API are');

/** By how many pixels the page is wider than the window. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

(present ? describe : describe.skip)('the pages of the API in Chromium', () => {
  let stack: Stack;
  let customer: ConsentedCustomer;
  let browser: Browser;
  let origin: string;
  beforeAll(async () => {
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    stack = await Stack.start({ config: { baseUrl: origin } });
    customer = await stack.consent({ persona: 'complete' });
    await stack.gateway.server.listen({ host: '127.0.0.1', port });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  async function open(path: string, width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: width < 600 ? 844 : 900 }, colorScheme });
    await page.goto(`${origin}${path}`);
    return page;
  }
  it.each([390, 1280])('fit in %i pixels and say how to begin', async (width) => {
    const page = await open('/docs', width);
    await page.getByRole('heading', { name: 'Getting started' }).waitFor();
    await screenshot(page, `docs-${width}`);
    expect(await overflow(page)).toBe(0);
    await page.locator('#operations-Account_information-GetAccounts .opblock-summary-control').click();
    await page.getByRole('button', { name: 'Try it out' }).waitFor();
    await screenshot(page, `docs-operation-${width}`);
    expect(await overflow(page)).toBe(0);
    await page.close();
  });

  it('answer with accounts where a token is pasted and an endpoint is tried', async () => {
    const page = await open('/docs', 390);
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const scheme = page.locator('.auth-container', { hasText: 'consentToken' });
    await scheme.locator('input').fill(customer.token);
    await scheme.getByRole('button', { name: 'Apply credentials' }).click();
    await page.getByRole('button', { name: 'Close' }).first().click();
    const operation = page.locator('#operations-Account_information-GetAccounts');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    const answered = page.waitForResponse((response) => response.url().endsWith('/aisp/accounts'));
    await operation.getByRole('button', { name: 'Execute' }).click();
    expect((await answered).status()).toBe(200);
    await operation.locator('.live-responses-table').getByText(customer.accountId('CurrentAccount')).first().waitFor();
    await page.close();
  });

  it.each([
    [390, 'light'],
    [1280, 'dark'],
  ] as const)('explain each error in %i pixels, %s', async (width, scheme) => {
    const page = await open('/docs/errors#reauthentication', width, scheme);
    await screenshot(page, `docs-errors-${width}-${scheme}`);
    expect(await overflow(page)).toBe(0);
    expect(await page.locator('section:target h2').textContent()).toBe('403 Reauthentication');
    await page.close();
  });
});

(present ? describe : describe.skip)('the page of the API of a gateway with its own authorization server', () => {
  let setting: AuthorisationSetting;
  let browser: Browser;
  let url: string;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start({ config: { baseUrl: 'http://localhost:3000' } });
    const { port } = setting.stack.gateway.server.server.address() as AddressInfo;
    url = `http://127.0.0.1:${port}/docs`;
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await setting?.close();
  });

  it('fits on a phone with both servers, and reads the metadata of the authorization server', async () => {
    // The certificate of the customers' pages is of the test's own authority.
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, ignoreHTTPSErrors: true });
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    const metadata = page.waitForResponse((response) => response.url().endsWith('/.well-known/openid-configuration'));
    await page.goto(url);
    expect((await metadata).status()).toBe(200);
    await page.locator('.servers select').waitFor();
    await screenshot(page, 'docs-authorisation-server-390');
    expect(await overflow(page)).toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  });
});
