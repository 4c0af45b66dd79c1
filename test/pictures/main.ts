// `npm run pictures`: makes the pictures of README.md again, from a separate stack. Look at each of them.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { packageRoot } from '../../src/persistence/package-root.js';
import { SandboxStack } from '../operations/sandbox-stack.js';
import { launchChromium } from '../support/chromium.js';
import { codeFor } from '../support/inbox.js';

const phone = { viewport: { width: 390, height: 844 } };
const desktop = { viewport: { width: 1120, height: 800 } };

/** Keeps the first screen of a page. */
async function picture(page: Page, name: string): Promise<void> {
  const path = join(packageRoot(), 'docs/pictures', `${name}.png`);
  await page.evaluate('window.scrollTo(0, 0)');
  await page.screenshot({ path });
  console.log(`docs/pictures/${name}.png: ${Math.round(statSync(path).size / 1000)} kB`);
}

/** A customer comes from the TPP to the bank and back: the bank's page with the decision, and the TPP's page after it. */
async function connect(browser: Browser, stack: SandboxStack): Promise<void> {
  const tpp = `http://localhost:${stack.ports.TPP_PORT}/`;
  const inbox = `http://localhost:${stack.ports.SANDBOX_PORT}/inbox`;
  const page = await browser.newPage(phone);
  await page.goto(tpp);
  await page.getByRole('button', { name: 'Connect to the bank' }).click();
  await page.getByLabel(/user ?name|login|customer number/i).fill('complete');
  await page.getByLabel(/password/i).fill('sandbox-complete');
  await page.locator('form button.main').click();
  await page.locator('input[name=code]').fill(await codeFor('complete', inbox));
  await page.locator('form button.main').click();
  for (const box of await page.locator('input[name=account]').all()) await box.check();
  await picture(page, 'approve-page');
  await page.getByRole('button', { name: /^approve/i }).click();
  await page.waitForURL(tpp);
  await page.setViewportSize(desktop.viewport);
  await picture(page, 'accounts');
  await page.close();
}

/** The time is moved forward, and the console shows the request that is refused since then. */
async function refuse(browser: Browser, stack: SandboxStack): Promise<void> {
  const page = await browser.newPage(desktop);
  await page.goto(stack.consoleUrl);
  await page.getByRole('button', { name: 'Give a consent as Amelia Hart' }).click();
  const [line = ''] = await page.getByLabel('Line for a terminal').allTextContents();
  const [, token = ''] = /Bearer (\S+?)'/.exec(line) ?? [];
  const [, accounts = ''] = /(http:\S+\/accounts)$/.exec(line.trim()) ?? [];
  const headers = { authorization: `Bearer ${token}` };
  const { Data } = (await (await fetch(accounts, { headers })).json()) as {
    Data: { Account: { AccountId: string }[] };
  };
  await page.getByRole('button', { name: 'Forward 15 minutes' }).click();
  const refused = await fetch(`${accounts}/${Data.Account[0]?.AccountId}/direct-debits`, { headers });
  if (refused.status !== 403) throw new Error(`direct debits answered ${refused.status} instead of 403`);
  await page.goto(stack.consoleUrl);
  await page.locator('.stories > li summary').first().click();
  await picture(page, 'console');
  await page.close();
}

const stack = await SandboxStack.start();
const browser = await launchChromium();
try {
  await connect(browser, stack);
  await refuse(browser, stack);
} finally {
  await browser.close();
  await stack.close();
}
