import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { packageRoot } from '../../src/persistence/package-root.js';
import { signInAtDashboard } from '../../sandbox/actions/customer.js';
import { Stack } from '../../sandbox/clients/stack.js';
import { withRunningStack } from '../../sandbox/running-stack.js';
import { readSandboxConfig } from '../../sandbox/sandbox.config.js';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { screenshot } from '../support/screenshot.js';
import { until } from '../support/until.js';
import { patienceMs } from './gateway-process.js';
import { SandboxStack } from './sandbox-stack.js';

const present = hasChromium("the sandbox's console is");
const longMs = 5 * patienceMs;
const sizes = [
  ['phone', 390, 844],
  ['desktop', 1280, 900],
] as const;

describe('the bank’s time', () => {
  const bundleOf = (folder: string): string =>
    readdirSync(join(packageRoot(), 'dist', folder))
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(join(packageRoot(), 'dist', folder, file), 'utf8'))
      .join('\n');
  const waysToMoveTime = ['SandboxClock', 'aheadMs', 'movedToMs', 'obeyTimeOrders'];

  it('can be moved in the gateway of the sandbox, and by no code of the built gateway', () => {
    const [sandbox, product] = [bundleOf('sandbox-gateway'), bundleOf('gateway')];
    for (const way of waysToMoveTime) {
      expect([way, sandbox.includes(way)]).toEqual([way, true]);
      expect([way, product.includes(way)]).toEqual([way, false]);
    }
    // The product has one clock. Without a separate clock of the bank, the bank's time is the same.
    const clocks = [...product.matchAll(/(\w+) = class (?:\w+ )?extends (?:Bank)?Clock\b/g)].map(([, name]) => name);
    expect(clocks).toEqual(['BankClock', 'SystemClock']);
  });
});

(present ? describe : describe.skip)('the sandbox’s console', () => {
  let stack: SandboxStack;
  let browser: Browser;
  beforeAll(async () => {
    stack = await SandboxStack.start();
    browser = await launchChromium();
  }, longMs);
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  }, longMs);

  async function opened(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await (await browser.newContext(options)).newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(stack.consoleUrl);
    return page;
  }

  /** Presses the button of a person, and reads the token from the line that the console then shows. */
  async function givenConsent(page: Page, name: string): Promise<{ ask: (path: string) => Promise<Response> }> {
    await page.getByRole('button', { name: `Give a consent as ${name}` }).click();
    const line = (await page.getByLabel('Line for a terminal').textContent()) ?? '';
    const [, token = ''] = /Bearer (\S+?)'/.exec(line) ?? [];
    const base = /(http:\S+)\/accounts$/.exec(line.trim())?.[1] ?? '';
    return { ask: (path) => fetch(base + path, { headers: { authorization: `Bearer ${token}` } }) };
  }
  async function directDebitsOf(ask: (path: string) => Promise<Response>): Promise<string> {
    const { Data } = (await (await ask('/accounts')).json()) as { Data: { Account: { AccountId: string }[] } };
    return `/accounts/${Data.Account[0]?.AccountId}/direct-debits`;
  }
  const newest = (page: Page) => page.locator('.stories > li').first();
  const notice = (page: Page) => page.locator('.notice').textContent();

  it('is the last address that the start prints, and answers at no other address of the machine', async () => {
    expect(stack.output.trim().split('\n').at(-1)?.trim()).toBe(stack.consoleUrl);
    const page = await fetch(`http://127.0.0.1:${stack.ports.CONSOLE_PORT}/`);
    expect(page.status).toBe(200);
    await expect(fetch(`http://127.0.0.2:${stack.ports.CONSOLE_PORT}/`)).rejects.toThrow();
  });

  it(
    'closes the window by the clock, shows why a request was refused, and opens it again',
    async () => {
      const page = await opened();
      const { ask } = await givenConsent(page, 'Amelia Hart');
      const path = await directDebitsOf(ask);
      expect((await ask(path)).status).toBe(200);

      await page.getByRole('button', { name: 'Forward 15 minutes' }).click();
      expect(await notice(page)).toContain('moved forward by 15 minutes');
      expect(await page.locator('#clock .now').textContent()).toMatch(/15 minutes ahead of this machine/);
      expect(await page.locator('#consents li').first().innerText()).toContain('The authentication window is closed');
      const refused = await ask(path);
      const interactionId = refused.headers.get('x-fapi-interaction-id') ?? '';
      expect(refused.status).toBe(403);

      await page.getByLabel('Interaction id, path').fill(interactionId);
      await page.getByRole('button', { name: 'Find' }).click();
      await newest(page).locator('summary').click();
      const story = await newest(page).innerText();
      expect(story).toMatch(/^403 GET v3\.1 \/accounts\/\w+\/direct-debits refused by “authentication window”/);
      expect(story).toMatch(/Checks passed\s+host, token, .*, account, query\s/);
      expect(story).toMatch(/The core was asked\s+nothing/);
      expect(story).toContain('"Code": "403 Reauthentication"');

      const link = newest(page).getByRole('link', { name: 'Why the gateway answered so: GET' });
      await link.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Why the gateway answered so' }).waitFor();
      const told = await page.locator('main').innerText();
      expect(told).toMatch(/The gateway answered 403 after .*: the check “authentication window” refused it/);
      expect(told).toMatch(/Needed to pass: an authentication of the customer after \d{4}-/);
      const checks = page.getByRole('list', { name: 'The checks, in their order' }).getByRole('listitem');
      expect(await checks.nth(13).innerText()).toMatch(
        /^authentication window: refused\s+the customer authenticated 15 min/,
      );
      expect(await checks.nth(14).innerText()).toBe('unattended access: not reached');
      for (const [name, width, height] of sizes) {
        await page.setViewportSize({ width, height });
        await screenshot(page, `console-why-${name}`);
        expect([await violations(page), await widthFaults(page)]).toEqual([[], []]);
      }
      await page.setViewportSize({ width: 1280, height: 720 });
      await page.getByRole('link', { name: 'Back to the requests' }).click();

      await page.goto(stack.consoleUrl);
      await page
        .getByRole('button', { name: /^Authenticate again for/ })
        .first()
        .click();
      expect(await page.locator('#consents li').first().innerText()).toMatch(/Everything is open, [45]:\d\d left/);
      expect((await ask(path)).status).toBe(200);
      await page.goto(stack.consoleUrl);
      await newest(page).locator('summary').click();
      expect(await newest(page).innerText()).toMatch(/The core was asked\s+GET \/ledger\/\S+\/mandates: 200 in/);
      await page.context().close();
    },
    longMs,
  );

  it(
    'moves the records of the bank on with its time, and does not change the tokens of TPPs',
    async () => {
      const page = await opened();
      const { ask } = await givenConsent(page, 'Bruno Keller');
      const { Data } = (await (await ask('/accounts')).json()) as { Data: { Account: { AccountId: string }[] } };
      const transactions = `/accounts/${Data.Account[0]?.AccountId}/transactions`;
      const latest = async (): Promise<number> => {
        const answer = (await (await ask(transactions)).json()) as {
          Data: { Transaction: { BookingDateTime?: string }[] };
        };
        return Math.max(
          ...answer.Data.Transaction.flatMap(({ BookingDateTime }) =>
            BookingDateTime ? [Date.parse(BookingDateTime)] : [],
          ),
        );
      };
      const before = await latest();
      await page.getByRole('button', { name: 'Forward 90 days' }).click();
      await page
        .getByRole('button', { name: /^Authenticate again for/ })
        .first()
        .click();
      // The token has the machine's time, and is valid for an hour of it.
      expect(await latest()).toBeGreaterThan(before + 80 * 86_400_000);
      await page.context().close();
    },
    longMs,
  );

  it('moves the time forward only, and explains that', async () => {
    const page = await opened();
    await page.getByLabel('Day and time').fill('2020-01-01T12:00');
    await page.getByRole('button', { name: 'Move there' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('forward only');
    await page.context().close();
  });

  it(
    'shows every browser each request as it happens, and the codes',
    async () => {
      const pages = [await opened(), await opened()];
      const { ask } = await givenConsent(pages[0] as Page, 'Grace Lindqvist');
      await pages[1]?.getByRole('link', { name: 'Inbox', exact: true }).focus();
      await ask('/accounts?of-this-test');
      for (const page of pages) await page.getByText('of-this-test').first().waitFor({ state: 'attached' });
      await pages[0]?.context().close();
      await pages[1]?.context().close();
    },
    longMs,
  );

  it(
    'signs a person in at the bank by one click',
    async () => {
      const page = await opened();
      await page.getByRole('button', { name: 'Sign in as Amelia Hart' }).click();
      await page.waitForURL(`http://localhost:${stack.ports.BROWSER_PORT}/as/dashboard`);
      expect(await page.getByText('Amelia Hart').count()).toBeGreaterThan(0);
      await page.goto(stack.consoleUrl);
      expect(await page.locator('#inbox .code').first().textContent()).toMatch(/^\d{6}$/);
      await page.context().close();
    },
    longMs,
  );

  it(
    'lets a person sign in again whose sign-in was paused after too many attempts',
    async () => {
      const page = await opened({ javaScriptEnabled: false });
      const signIn = async () => {
        await page.goto(stack.consoleUrl);
        await page.getByRole('button', { name: 'Sign in as Dilip Rao' }).press('Enter');
        return page.url().startsWith(`http://localhost:${stack.ports.BROWSER_PORT}/`);
      };
      const running = new Stack(readSandboxConfig(await withRunningStack(stack.environment)));
      const wrong = { loginName: 'saver', password: 'wrong' };
      for (let tries = 0; tries < 5; tries++) await expect(signInAtDashboard(running, wrong)).rejects.toThrow();
      expect(await signIn()).toBe(false);
      expect(await page.getByRole('alert').textContent()).toContain('The stack refused: ');
      await page.goto(stack.consoleUrl);
      await page.getByRole('button', { name: 'Unlock Dilip Rao' }).press('Enter');
      expect(await notice(page)).toContain('saver can sign in at once');
      expect(await signIn()).toBe(true);
      await page.context().close();
    },
    longMs,
  );

  it(
    'works without scripts and by the keyboard: faults, accounts, consents and TPPs',
    async () => {
      const page = await opened({ javaScriptEnabled: false });
      const { ask } = await givenConsent(page, 'Amelia Hart');
      await page.getByLabel('Fault').selectOption('down');
      await page.getByRole('button', { name: 'Set' }).press('Enter');
      expect(await notice(page)).toContain('The core fails now: down');
      expect((await ask('/accounts')).status).toBe(503);
      await page.getByLabel('Fault').selectOption('none');
      await page.getByRole('button', { name: 'Set' }).press('Enter');

      const account = page.locator('#accounts-complete');
      await account.locator('summary').press('Enter');
      await account.getByRole('button', { name: 'Block account A100101' }).press('Enter');
      expect(await notice(page)).toContain('A100101 is blocked for TPPs');
      await until(async () => ((await (await ask('/accounts')).text()).match(/"AccountId"/g) ?? []).length === 4);
      await account.locator('summary').press('Enter');
      await account.getByRole('button', { name: 'Unblock account A100101' }).press('Enter');

      await page
        .getByRole('button', { name: /^Withdraw aac-/ })
        .first()
        .press('Enter');
      expect((await ask('/accounts')).status).toBe(401);
      await page.getByRole('button', { name: 'Suspend Moneyview' }).press('Enter');
      expect(await notice(page)).toContain('is suspended');
      await page.getByRole('button', { name: 'Reinstate Moneyview' }).press('Enter');
      expect(await notice(page)).toContain('is reinstated');
      await page.context().close();
    },
    longMs,
  );

  it(
    'refuses a form that another site sends',
    async () => {
      const page = await opened();
      await page.route('http://other.example/', (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: `<form method="post" action="${stack.consoleUrl}/clock"><input name="by" value="90d"><button>Go</button></form>`,
        }),
      );
      const before = await page.locator('#clock .now').textContent();
      await page.goto('http://other.example/');
      await page.getByRole('button').click();
      await page.getByText('takes changes from its own pages only').waitFor();
      await page.goto(stack.consoleUrl);
      expect(await page.locator('#clock .now').textContent()).toContain(before?.split('ahead')[0]?.split(', ').at(-1));
      await page.context().close();
    },
    longMs,
  );

  it(
    'keeps the time over a restart',
    async () => {
      const page = await opened();
      const ahead = async () =>
        / \S+ \w+( \S+ \w+)? ahead/.exec((await page.locator('#clock .now').textContent()) ?? '')?.[0];
      const before = await ahead();
      expect(before).toMatch(/ ahead$/);
      await stack.stop();
      await stack.run();
      await page.goto(stack.consoleUrl);
      expect(await ahead()).toBe(before);
      await page.context().close();
    },
    longMs,
  );

  it(
    'breaks no rule of WCAG 2.2 AA, loads cleanly and fits a phone and a desktop, in light and in dark',
    async () => {
      const found: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const)
        for (const [name, width, height] of sizes) {
          const page = await opened({ colorScheme, viewport: { width, height } });
          page.on('console', (message) => found.push(message.text()));
          page.on('pageerror', (error) => found.push(error.message));
          await page.reload();
          await page.getByRole('button', { name: 'Pause updates' }).click();
          await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
          await screenshot(page, `console-${name}-${colorScheme}`);
          found.push(...(await violations(page)), ...(await widthFaults(page)));
          await page.context().close();
        }
      expect(found).toEqual([]);
    },
    longMs,
  );
});

async function violations(page: Page): Promise<string[]> {
  // Past the page's own policy, which lets in no script but the page's.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe.source });
  await session.detach();
  const { violations: broken } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    }),
  );
  return broken.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

async function widthFaults(page: Page): Promise<string[]> {
  const script = '[document.documentElement.scrollWidth, document.documentElement.clientWidth]';
  const [scroll = 0, client = 0] = await page.evaluate<number[]>(script);
  return scroll > client ? [`${scroll} px wide in a window of ${client} px`] : [];
}
