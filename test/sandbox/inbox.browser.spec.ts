import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { makeIssuerKeys } from '../../sandbox/bank/issuer.js';
import { startSandboxBank, type SandboxBank } from '../../sandbox/bank/sandbox-bank.js';

const wcag22AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const present = hasChromium("the sandbox's inbox is");

(present ? describe : describe.skip)('the sandbox’s inbox in Chromium', () => {
  let bank: SandboxBank;
  let browser: Browser;
  beforeAll(async () => {
    bank = await startSandboxBank({
      port: 0,
      credential: 'staff',
      signOnCredential: 'sign-on',
      issuerKeys: await makeIssuerKeys(),
    });
    browser = await launchChromium();
    await fetch(`${bank.url}/sign-on/tickets`, {
      method: 'POST',
      headers: { authorization: 'Bearer sign-on', 'content-type': 'application/json' },
      body: JSON.stringify({ user: 'complete', pass: 'sandbox-complete' }),
    });
  });
  afterAll(async () => {
    await browser?.close();
    await bank?.close();
  });

  it.each(['light', 'dark'] as const)('breaks no rule of WCAG 2.2 AA in %s colours', async (colorScheme) => {
    const context = await browser.newContext({ colorScheme });
    await context.addInitScript(axe.source);
    const page = await context.newPage();
    const found: string[] = [];
    for (const query of ['', '?to=complete', '?to=unknown']) {
      await page.goto(`${bank.url}/inbox${query}`);
      expect(await page.locator('.code').count()).toBe(query === '?to=unknown' ? 0 : 1);
      const { violations } = await page.evaluate<axe.AxeResults>(
        `axe.run(document, { runOnly: ${JSON.stringify(wcag22AA)} })`,
      );
      found.push(...violations.map(({ id }) => `${query} ${id}`));
    }
    await context.close();
    expect(found).toEqual([]);
  });
});
