import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { screenshot } from '../support/screenshot.js';
import { outageStated, writeDays } from '../support/trail-traffic.js';
import { request, WrittenTrail } from '../support/written-trail.js';
import { reportCommand } from '../support/ops-command.js';

const present = hasChromium('the page of statistics is');

(present ? describe : describe.skip)('the page of statistics in Chromium', () => {
  let browser: Browser;
  let out: string;
  let url: string;
  beforeAll(async () => {
    out = await mkdtemp(join(tmpdir(), 'reports-'));
    const trail = await WrittenTrail.make();
    const failing = [
      { from: '2026-10-14T23:50:00.000Z', to: '2026-10-15T00:42:00.000Z' },
      { from: '2026-11-03T01:00:00.000Z', to: '2026-11-03T04:10:00.000Z' },
    ];
    const planned = { from: '2026-11-03T01:00:00.000Z', to: '2026-11-03T04:00:00.000Z' };
    const slow = (day: string) =>
      Array.from({ length: 144 }, (_, index) =>
        request(`s-${day}-${index}`, `${day}T12:00:${String(index % 60).padStart(2, '0')}.500Z`, {
          apiVersion: index % 4 === 0 ? 'v4.0' : 'v3.1',
          lastByteMs: (day.charCodeAt(9) - 40) * 60 + index,
        }),
      );
    await writeDays(trail, { from: '2026-10-01T00:00:00.000Z', to: '2026-10-28T00:00:00.000Z' }, failing, slow);
    await writeDays(trail, { from: '2026-10-29T00:00:00.000Z', to: '2026-11-25T00:00:00.000Z' }, failing, (day) => [
      ...(day === '2026-10-29' ? [outageStated('2026-10-29T09:00:00.000Z', planned)] : []),
      ...slow(day),
    ]);
    const words = ['--quarter', '2026Q4', '--bank', 'Polder Bank', '--trail', trail.folder, '--out', out];
    const { code, told } = await reportCommand('2026-11-24T09:00:00Z', 'statistics', ...words);
    if (code !== 0) throw new Error(told.join());
    await trail.remove();
    url = pathToFileURL(join(out, 'statistics-2026Q4.html')).href;
    browser = await launchChromium();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await rm(out, { recursive: true });
  });

  async function open(width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: width < 600 ? 844 : 900 }, colorScheme });
    await page.goto(url);
    return page;
  }
  const overflow = (page: Page): Promise<number> =>
    page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

  it.each([
    [320, 'light'],
    [390, 'light'],
    [390, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)(
    'breaks no rule of WCAG 2.2 AA and fits in %i pixels, %s, with its tables shut and open',
    async (width, scheme) => {
      const page = await open(width, scheme);
      const judged: [string[], number][] = [];
      for (const state of ['shut', 'open']) {
        if (state === 'open')
          await page.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
        await screenshot(page, `statistics-${width}-${scheme}-${state}`);
        await page.evaluate(axe.source);
        const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
        const found: AxeResults = await page.evaluate(
          `axe.run({ runOnly: { type: 'tag', values: ${JSON.stringify(tags)} } })`,
        );
        expect(found.passes.length).toBeGreaterThan(10);
        judged.push([found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`), await overflow(page)]);
      }
      expect(judged).toEqual([
        [[], 0],
        [[], 0],
      ]);
      // A word that is broken takes two lines.
      const broken = `[...document.querySelectorAll('th[scope=col]')].filter((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return !cell.textContent.includes(' ') && range.getClientRects().length > 1;
      }).map((cell) => cell.textContent)`;
      expect(await page.evaluate(broken)).toEqual([]);
      await page.close();
    },
  );

  it('does not scroll sideways on a phone whose font is wide, with its tables open', async () => {
    const page = await open(375, 'light');
    await page.addStyleTag({ content: `* { font-family: 'DejaVu Sans', Verdana, sans-serif !important; }` });
    await page.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
    await screenshot(page, 'statistics-375-wide-font');
    expect(await page.evaluate('Math.max(document.documentElement.scrollWidth - innerWidth, 0)')).toBe(0);
    await page.close();
  });

  it('opens each table by keyboard, and names each plot and its highest day to a screen reader', async () => {
    const page = await open(1280, 'light');
    const plots = page.getByRole('img');
    expect(await plots.count()).toBe(9);
    expect(await plots.first().getAttribute('aria-label')).toBe(
      'The whole interface: Downtime by day, in minutes: the highest is 190 on 2026-11-03. The table after the plot has all values.',
    );
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const table = page.getByRole('table', { name: 'Downtime by day' }).first();
    expect(await table.getByRole('row', { name: /2026-11-03/ }).innerText()).toMatch(/2026-11-03\s+10\s+180/);
    expect(await table.getByRole('row', { name: /2026-10-28/ }).innerText()).toMatch(
      /not covered in full.*\s+unknown\s+unknown/,
    );
    await page.close();
  });
});
