import axe from 'axe-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { codeFor } from '../support/inbox.js';
import { realNowMs } from '../support/real-time.js';
import { screenshot } from '../support/screenshot.js';
import { dayMs, minuteMs } from '../support/stack.js';
import { until } from '../support/until.js';
import type { VersionName } from '../../src/versions/versions.js';
import { TppSetting } from './tpp-setting.js';

const widths = [375, 1280] as const;

const present = hasChromium("the sandbox's TPP is");

(present ? describe : describe.skip)('the sandbox’s TPP in Chromium', () => {
  let setting: TppSetting;
  let browser: Browser;
  beforeAll(async () => {
    setting = await TppSetting.start();
    browser = await launchChromium();
  });
  // The library's clock is the machine's: far ahead of it, new tokens would be too old and new requests too early.
  afterEach(() => setting.clock.set(realNowMs()));
  afterAll(async () => {
    await browser?.close();
    await setting?.close();
  });

  const origin = () => new URL(setting.endpoint.redirectUri).origin;

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel(/user ?name|login|customer number/i).fill('complete');
    await page.getByLabel(/password/i).fill('sandbox-complete');
    await page.locator('form button.main').click();
    await page.locator('input[name=code]').fill(await codeFor('complete', setting.bank.inboxUrl));
    await page.locator('form button.main').click();
  }

  async function connect(page: Page, api: VersionName = 'v4.0'): Promise<void> {
    await page.goto(origin());
    await page.getByLabel('By which version').selectOption(api);
    await page.getByRole('button', { name: 'Connect to the bank' }).click();
    await approve(page);
  }

  async function approve(page: Page): Promise<void> {
    await signIn(page);
    for (const box of await page.locator('input[name=account]').all()) await box.check();
    await page.getByRole('button', { name: /^approve/i }).click();
    await page.waitForURL(`${origin()}/`);
  }

  const raw = (page: Page) => page.locator('.side-by-side > .raw');
  const summary = (page: Page) => raw(page).locator('summary').textContent();

  it.each([
    { api: 'v3.1', card: 'Credit card', refusal: '"Code": "403 Reauthentication"' },
    { api: 'v4.0', card: 'Card', refusal: '"ErrorCode": "U028"' },
  ] as const)(
    'shows a person everything of $api without JavaScript, until the window and the access have ended',
    async (words) => {
      const { api } = words;
      const context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await connect(page, api);
      expect(await page.getByRole('status').first().textContent()).toBe('You are connected.');
      expect(await page.locator('main h2').allTextContents()).toEqual([
        'Everyday Current Account',
        'Rainy Day Saver',
        'Platinum Card',
        'Rewards Pay+',
        'Round Up',
      ]);
      const card = page.locator('section', { has: page.getByText('Platinum Card') });
      expect((await card.locator('.account').innerText()).split(/\n+/)).toEqual([
        'Platinum Card',
        `${words.card}, xxxxxxxxxxxx7897`,
        'Balance',
        '−£612.44',
        'Available',
        '£3,756.44',
      ]);
      expect(await raw(page).textContent()).toMatch(
        new RegExp(`GET https://localhost:\\d+/open-banking/${api}/aisp/accounts\n.+"Account": \\[`, 's'),
      );
      expect(await raw(page).textContent()).toMatch(/authorization: Bearer .{12}…\n/);
      await card.locator('summary').click();
      expect(await card.locator('pre').last().innerText()).toMatch(/^200\n.*"Amount": "612\.44"/s);

      await page.locator('main h2 a').first().click();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Everyday Current Account');
      expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe('Last 90 days');
      const recent = await page.locator('.entries li').count();
      expect(await page.locator('h3').allTextContents()).toContainEqual(
        expect.stringMatching(/^\w+day \d+ \w+ 20\d\d$/),
      );
      await page.getByRole('link', { name: 'All transactions' }).click();
      expect(await page.locator('.entries li').count()).toBeGreaterThan(recent);
      for (const name of [
        'Balances',
        'Standing orders',
        'Direct debits',
        'Scheduled payments',
        'Payees',
        'Product',
        'Offers',
        'You',
      ]) {
        await page.getByRole('link', { name, exact: true }).click();
        expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe(name);
        expect(await summary(page)).toBe('Request and response (200)');
      }

      setting.clock.advance(5 * minuteMs);
      await page.getByRole('link', { name: 'Last 90 days' }).click();
      expect(await page.locator('.window').innerText()).toContain('the bank shows balances and the last 90 days');
      expect(await page.locator('.entries li').count()).toBe(recent);
      await page.getByRole('link', { name: 'All transactions' }).click();
      expect(await summary(page)).toBe('Request and response (403)');
      expect(await raw(page).textContent()).toContain(words.refusal);
      await page.getByRole('button', { name: 'Identify yourself at the bank' }).click();
      await signIn(page);
      await page
        .getByRole('button', { name: /^approve|confirm|continue/i })
        .first()
        .click();
      await page.waitForURL(`${origin()}/accounts/*/all-transactions`);
      expect(await page.getByRole('status').first().textContent()).toBe('You identified yourself again.');
      expect(await summary(page)).toBe('Request and response (200)');

      await page.getByRole('button', { name: 'Disconnect' }).click();
      expect(await page.getByRole('status').textContent()).toContain('You are disconnected');
      expect(await page.locator('details.raw').textContent()).toMatch(
        /DELETE https:\S+account-access-consents.+\s204\n/s,
      );
      expect(await page.getByRole('button', { name: 'Connect to the bank' }).count()).toBe(1);
      await context.close();
    },
  );

  it('shows the window running out, and that it has ended, without another request', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.clock.install();
    await connect(page);
    const countdown = page.locator('[data-countdown]');
    const left = async () => [await countdown.textContent(), await page.getByRole('progressbar').getAttribute('value')];
    const [atFirst = '', full] = await left();
    expect(atFirst).toMatch(/^[45]:\d\d left$/);
    await page.clock.runFor(2 * minuteMs);
    const [later = '', lessLeft] = await left();
    expect(later).toMatch(/^[23]:\d\d left$/);
    expect(Number(lessLeft)).toBeLessThan(Number(full) - minuteMs);
    expect(await page.getByText(/^Since .* the bank shows/).isVisible()).toBe(false);
    await page.clock.runFor(3 * minuteMs);
    expect(await countdown.isVisible()).toBe(false);
    expect(await page.getByText(/^Since .* the bank shows/).isVisible()).toBe(true);
    await context.close();
  });

  it('asks for the data that the person chose, and links to no other', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(origin());
    await page.getByLabel('Standing orders').uncheck();
    await page.getByLabel('Your name').uncheck();
    await page.getByLabel('What kind of account').uncheck();
    await page.getByLabel('How far back').selectOption('The last 90 days');
    await page.getByRole('button', { name: 'Connect to the bank' }).click();
    await approve(page);
    await page.locator('main h2 a').first().click();
    expect(await page.locator('nav a').allTextContents()).toEqual(['Balances', 'Last 90 days', 'All transactions']);
    const days = () => page.locator('main h3').allTextContents();
    const recent = await days();
    await page.getByRole('link', { name: 'All transactions' }).click();
    // The last 90 days are a little less, so that the bank answers them after the window too.
    const all = await days();
    expect(all.slice(0, recent.length)).toEqual(recent);
    expect(Date.parse(all.at(-1) ?? '')).toBeGreaterThan(realNowMs() - 91 * dayMs);
    await context.close();
  });

  it('shows that the customer withdrew its access in the dashboard by the answer to a question that waited for it', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const asked: Request[] = [];
    page.on('request', (request) => void (request.url().endsWith('/withdrawal') && asked.push(request)));
    await connect(page);
    const dashboard = await context.newPage();
    await dashboard.goto(`${new URL(setting.endpoint.issuer).origin}/as/dashboard`);
    await signIn(dashboard);
    await dashboard
      .getByRole('link', { name: /withdraw/i })
      .first()
      .click();
    await until(() => asked.length > 0);
    const ended = page.waitForResponse((answer) => answer.status() === 205);
    const before = asked.length;
    await dashboard.getByRole('button', { name: /withdraw/i }).click();
    // The page asked before the click, or once more where its time ended just then.
    const place = asked.indexOf((await ended).request());
    expect([before - 1, before]).toContain(place);
    await page.getByRole('button', { name: 'Connect to the bank' }).waitFor();
    expect(await page.getByRole('status').textContent()).toMatch(/^The access has ended: it was withdrawn/);
    expect(await page.getByRole('button', { name: 'Connect to the bank' }).count()).toBe(1);
    await context.close();
  });

  it('shows the accounts to the same browser after a restart, and to no other browser', async () => {
    const [context, stranger] = [await browser.newContext(), await browser.newContext()];
    const page = await context.newPage();
    await connect(page);
    const names = await page.locator('main h2').allTextContents();
    await setting.restartTpp();
    await page.goto(origin());
    expect(await page.locator('main h2').allTextContents()).toEqual(names);
    expect(names).toContain('Everyday Current Account');
    await page.locator('main h2 a').first().click();
    expect(await summary(page)).toBe('Request and response (200)');
    const other = await stranger.newPage();
    await other.goto(origin());
    expect(await other.getByRole('button', { name: 'Connect to the bank' }).count()).toBe(1);
    await Promise.all([context.close(), stranger.close()]);
  });

  it('shows a notice when the customer denied access', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(origin());
    await page.getByRole('button', { name: 'Connect to the bank' }).click();
    await signIn(page);
    await page.getByRole('button', { name: /^deny/i }).click();
    await page.waitForURL(`${origin()}/`);
    expect(await page.getByRole('status').textContent()).toMatch(/^You were not connected: .*access_denied/);
    await context.close();
  });

  it('breaks no rule of WCAG 2.2 AA, loads cleanly and fits the window at each width', async () => {
    const found: string[] = [];
    const context = await browser.newContext();
    const page = await context.newPage();
    page.on('console', (message) => found.push(`${message.type()} ${message.text()}`));
    page.on('pageerror', (error) => found.push(error.message));
    const look = async (name: string): Promise<void> => {
      await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await screenshot(page, `tpp-${name}-${width}`);
        // The rules check the same things at every width, so the narrow page is checked as well.
        const faults = [...(width === widths[0] ? await violations(page) : []), ...(await widthFaults(page))];
        found.push(...faults.map((fault) => `${name} at ${width}: ${fault}`));
      }
    };
    await page.goto(origin());
    await look('welcome');
    await connect(page);
    await look('accounts');
    await page.locator('main h2 a').first().click();
    await look('transactions');
    await page.getByRole('link', { name: 'Balances' }).click();
    await look('balances');
    await page.getByRole('link', { name: 'Standing orders' }).click();
    await look('standing-orders');
    const standingOrders = page.url();
    await page.getByRole('link', { name: 'Can I spend it?' }).click();
    await look('funds-account');
    await page.getByLabel('Sort code').fill('08-99-99');
    await page.getByLabel('Account number').fill('10010010');
    await page.keyboard.press('Enter');
    await signIn(page);
    await page.getByRole('button', { name: /^approve|allow/i }).click();
    await page.getByLabel('Amount in pounds').press('Enter');
    expect(await page.getByRole('status').textContent()).toMatch(/Yes\s+You can spend £25\.00/);
    await look('funds');
    await page.goto(standingOrders);
    setting.clock.advance(5 * minuteMs);
    await page.reload();
    expect(await page.getByRole('heading', { level: 3 }).textContent()).toMatch(/^Reauthentication/);
    await look('reauthentication');
    setting.clock.set(realNowMs());
    await page.goto(`${setting.bank.inboxUrl}`);
    await look('inbox');
    await context.close();
    expect(found).toEqual([]);
    // It walks through every page of the TPP at each width.
  }, 300_000);

  it('takes no form without its token', async () => {
    for (const path of [
      '/connect',
      '/reauthenticate',
      '/disconnect',
      '/funds/connect',
      '/funds/check',
      '/funds/disconnect',
    ]) {
      const answer = await fetch(origin() + path, { method: 'POST', body: new URLSearchParams({ csrf: 'x' }) });
      expect(answer.status).toBe(403);
    }
  });

  async function violations(page: Page): Promise<string[]> {
    await inject(page.context(), page);
    const { violations: broken } = await page.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      }),
    );
    return broken.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  }
});

/** Past the page's own content security policy, which lets in no script but the page's. */
async function inject(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe.source });
  await session.detach();
}

async function widthFaults(page: Page): Promise<string[]> {
  const script = '[document.documentElement.scrollWidth, document.documentElement.clientWidth]';
  const [scroll = 0, client = 0] = await page.evaluate<number[]>(script);
  return scroll > client ? [`${scroll} px wide in a window of ${client} px`] : [];
}
