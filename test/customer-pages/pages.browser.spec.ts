import axe, { type RunOnly } from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { pageStates, plainWords, testSite } from './page-states.js';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { screenshot } from '../support/screenshot.js';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pageHeaders } from '../../src/authorisation-server/listeners/page-answer.js';
import { assetPath, type PageAsset } from '../../src/authorisation-server/pages/customer-pages.js';

/** The authorization server's own policy: no other script, nothing from elsewhere. */
const { 'content-security-policy': contentSecurityPolicy = '' } = pageHeaders();

interface PageServer {
  readonly origin: string;
  /** The bodies of the forms that were posted. */
  readonly posted: URLSearchParams[];
  close(): Promise<void>;
}

/** Serves each page at `/<its name>`, and the assets; takes posted forms anywhere. On the loopback interface only. */
async function servePages(pages: Readonly<Record<string, string>>, assets: readonly PageAsset[]): Promise<PageServer> {
  const posted: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    response.setHeader('content-security-policy', contentSecurityPolicy);
    const path = request.url ?? '/';
    if (request.method === 'POST') {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        posted.push(new URLSearchParams(body));
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end('<!doctype html><html lang="en"><title>Posted</title><link rel="icon" href="data:,"></html>');
      });
      return;
    }
    const asset = assets.find(({ name }) => path === `${assetPath}/${name}`);
    const page = pages[path.slice(1)];
    response.statusCode = asset || page ? 200 : 404;
    response.setHeader('content-type', asset?.contentType ?? 'text/html; charset=utf-8');
    response.end(asset?.body ?? page ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, posted, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
}

interface Setting {
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
  /** Whether the rules of accessibility are to be asked. */
  readonly judged?: boolean;
}

const wcag22AA: RunOnly = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] };

const phone: Setting = { width: 390, height: 844, colorScheme: 'light' };
const desk: Setting = { width: 1280, height: 900, colorScheme: 'light' };
const pages = pageStates(testSite);

const hostileWord = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&lt;`;
const others = {
  hostile:
    pageStates(testSite, { ...plainWords, tpp: hostileWord, account: hostileWord, key: hostileWord }).authorise ?? '',
  faulty:
    '<!doctype html><html lang="en"><title>x</title><style>p{}</style><input type="text"><div><img alt="" width="900"></div></html>',
};

const present = hasChromium("the customer's pages are");

(present ? describe : describe.skip)('the customer’s pages in Chromium', () => {
  let browser: Browser;
  let server: PageServer;
  beforeAll(async () => {
    server = await servePages({ ...pages, ...others }, testSite.assets);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it('break no rule of WCAG 2.2 AA, load cleanly and fit the window: a phone’s, a desk’s and the narrowest, in light and dark', async () => {
    const { page, complaints, close } = await open({ ...phone, judged: true });
    const found: string[] = [];
    for (const name of Object.keys(pages)) {
      await page.goto(`${server.origin}/${name}`);
      const looks: [Setting, RunOnly?][] = [
        [phone, wcag22AA],
        [desk, wcag22AA],
        [{ ...desk, colorScheme: 'dark' }, wcag22AA],
        // A desk’s at four times the size (WCAG 2.2, 1.4.10).
        [{ ...phone, width: 320 }],
      ];
      for (const [{ width, height, colorScheme }, rules] of looks) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        if (width >= phone.width && colorScheme === 'light') await screenshot(page, `${name}-${width}`);
        // At the end of the page no text lies behind the decisions. Elsewhere the customer can scroll.
        await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
        const faults = [...(rules ? await violations(page, rules) : []), ...(await widthFaults(page))];
        found.push(...faults.map((fault) => `${name} at ${width} px in ${colorScheme}: ${fault}`));
      }
    }
    await close();
    expect({ found, complaints }).toEqual({ found: [], complaints: [] });
    // It judges every page of the customers three times.
  }, 600_000);

  it('pass checks that find a fault: a page with three of them fails each', async () => {
    const { page, complaints, close } = await open({ ...phone, judged: true });
    await page.goto(`${server.origin}/faulty`);
    const [found, width] = [await violations(page), await widthFaults(page)];
    await close();
    expect(found.map((line) => line.split(':', 1)[0])).toContain('label');
    expect(width).toEqual([expect.stringContaining('px wide in a window of 390 px')]);
    expect(complaints.join()).toContain('Content Security Policy');
  });

  it('sign a customer in by keyboard alone, the problem first', async () => {
    const { page, close } = await open(desk);
    await page.goto(`${server.origin}/sign-in-not-recognised`);
    // The browser moves the focus after the page has loaded.
    await page.waitForFunction("document.activeElement.id === 'problem'");
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(focused)).toBe('login_name');
    await page.keyboard.type('amelia');
    await page.keyboard.press('Tab');
    await page.keyboard.type('a <password> & more');
    await Promise.all([page.waitForURL('**/as/interaction/7d0e'), page.keyboard.press('Enter')]);
    expect(Object.fromEntries(server.posted.at(-1) ?? [])).toEqual({
      csrf: 'b3f0c1d2e4',
      login_name: 'amelia',
      password: 'a <password> & more',
      decision: 'continue',
    });
    await close();
  });

  it('skip to the main content, and reach every part of the decision by keyboard in reading order', async () => {
    const { page, close } = await open(desk);
    await page.goto(`${server.origin}/authorise`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(focused)).toBe('Skip to main content');
    await page.keyboard.press('Enter');
    const reached: string[] = [];
    for (let tabs = 0; tabs < 12; tabs += 1) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate(focused));
    }
    expect(reached).toEqual([
      'Select all',
      'account-1',
      'account-2',
      'account-3',
      'Your account details',
      'Your regular payments',
      'Your account transactions',
      'Your statements',
      'Your account features and benefits',
      'Your contact details',
      'Approve access',
      'Deny access',
    ]);
    await close();
  });

  it('stay as they are, choice and all, when Enter is pressed on an account; a button alone makes the decision', async () => {
    const { page, close } = await open(phone);
    await page.goto(`${server.origin}/authorise`);
    await page.focus('#account-1');
    await page.keyboard.press('Space');
    await page.check('#account-2');
    // As the gateway answers what is not a decision.
    const posted: (string | null)[] = [];
    await page.route('**/as/interaction/7d0e', (route) => {
      posted.push(new URLSearchParams(route.request().postData() ?? '').get('decision'));
      return route.fulfill({ status: 204 });
    });
    for (const place of ['#account-1', '#account-3'])
      await Promise.all([page.waitForResponse('**/as/interaction/7d0e'), page.press(place, 'Enter')]);
    await page.unroute('**/as/interaction/7d0e');
    expect([posted, new URL(page.url()).pathname]).toEqual([['continue', 'continue'], '/authorise']);
    expect(await Promise.all([1, 2, 3].map((number) => page.isChecked(`#account-${number}`)))).toEqual([
      true,
      true,
      false,
    ]);
    await Promise.all([page.waitForURL('**/as/interaction/7d0e'), page.click('text=Approve access')]);
    expect([...(server.posted.at(-1) ?? [])]).toEqual([
      ['csrf', 'b3f0c1d2e4'],
      ['account', 'a1'],
      ['account', 'a2'],
      ['decision', 'approve'],
    ]);
    await close();
  });

  it('show on a phone’s first screen where to sign in, the first account, and both decisions', async () => {
    const { page, close } = await open(phone);
    const lowest: Record<string, number> = {};
    for (const [name, ...places] of firstScreens) {
      await page.goto(`${server.origin}/${name}`);
      for (const place of places) {
        const box = await page.locator(place).first().boundingBox();
        lowest[`${name} ${place}`] = Math.ceil((box?.y ?? Infinity) + (box?.height ?? 0));
      }
    }
    await close();
    expect(Object.entries(lowest).filter(([, bottom]) => bottom > phone.height)).toEqual([]);
    expect(Object.keys(lowest)).toHaveLength(15);
  });

  it('are less than three screens of a phone long where a customer has 20 accounts', async () => {
    const { page, close } = await open(phone);
    await page.goto(`${server.origin}/authorise-many`);
    const height = await page.evaluate<number>('document.documentElement.scrollHeight');
    await close();
    expect(height).toBeLessThan(3 * phone.height);
  });

  it.each([phone, desk, { ...phone, width: 320, height: 450 }])(
    'never hide what has the focus behind the decisions at the lower edge: %j',
    async (setting) => {
      const { page, close } = await open(setting);
      for (const key of ['Tab', 'Shift+Tab']) {
        await page.goto(`${server.origin}/authorise-many`);
        if (key !== 'Tab') await page.locator('button[value=deny]').focus();
        const hidden: string[] = [];
        let last = '';
        for (let presses = 0; presses < 40; presses += 1) {
          await page.keyboard.press(key);
          const [name, isHidden] = await page.evaluate<[string, boolean]>(hiddenFocus);
          if (isHidden) hidden.push(name);
          last ||= name === 'account-20' ? name : '';
        }
        expect([key, hidden, last]).toEqual([key, [], 'account-20']);
      }
      await close();
    },
  );

  it('give approving and denying the same size and the same row, also on a phone', async () => {
    for (const setting of [phone, desk]) {
      const { page, close } = await open(setting);
      for (const name of ['authorise', 'reauthenticate']) {
        await page.goto(`${server.origin}/${name}`);
        const [approve, deny] = await Promise.all(
          ['approve', 'deny'].map((value) => page.locator(`button[value=${value}]`).boundingBox()),
        );
        expect(approve && [approve.y, approve.width, approve.height]).toEqual(
          deny && [deny.y, deny.width, deny.height],
        );
        expect(approve?.height).toBeGreaterThanOrEqual(44);
      }
      await close();
    }
  });

  it('keep the words of a button apart where a name stands among them', async () => {
    const { page, close } = await open(phone);
    await page.goto(`${server.origin}/sign-in`);
    expect(await page.locator('button[value=cancel]').innerText()).toBe('Cancel and go back to Copper Budget');
    await close();
  });

  it('are the same to a browser without scripts', async () => {
    const { page, close } = await open({ ...phone, javaScriptEnabled: false });
    await page.goto(`${server.origin}/authorise`);
    await page.check('#account-3');
    await Promise.all([page.waitForURL('**/as/interaction/7d0e'), page.click('text=Deny access')]);
    expect(server.posted.at(-1)?.getAll('decision')).toEqual(['deny']);
    await close();
  });

  it('show hostile words as words: the parser of a browser finds no element of theirs', async () => {
    const { page, complaints, close } = await open(desk);
    await page.goto(`${server.origin}/hostile`);
    expect(await page.title()).toBe('Choose what to share – Hartwell & Rye Bank');
    expect(await page.locator('h1').textContent()).toBe(`Choose what to share with ${hostileWord}`);
    expect(await page.locator('body script, iframe, [onerror]').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(1);
    expect(await page.inputValue('#account-1')).toBe(hostileWord);
    expect(complaints).toEqual([]);
    await close();
  });

  /** A page whose console, failed loads and script faults are all written down. */
  async function open({ width, height, judged = false, ...others }: Setting) {
    const context = await browser.newContext({ viewport: { width, height }, ...others });
    if (judged) await context.addInitScript(axe.source);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('requestfailed', (request) => complaints.push(`${request.url()} ${request.failure()?.errorText}`));
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.url()} ${response.status()}`);
    });
    return { page, complaints, close: () => context.close() };
  }
});

/** Page by page what must lie within the first screen. */
const firstScreens = [
  ['sign-in', '#login_name', '#password', 'button[value=continue]'],
  ['sign-in-withdrawn', '#login_name', '#password', 'button[value=continue]'],
  ['code', '#code', 'button[value=continue]'],
  ['authorise', '#account-1', 'button[value=approve]', 'button[value=deny]'],
  ['authorise-many', '#account-1', 'button[value=approve]', 'button[value=deny]'],
  ['reauthenticate', 'button[value=approve]'],
] as const;

/** The element with the focus, and whether the decisions at the lower edge cover a part of it. */
const hiddenFocus = `(() => {
  const { activeElement } = document;
  const bar = document.querySelector('.decision-bar');
  const name = activeElement.id || activeElement.textContent.trim();
  if (activeElement === document.body || bar.contains(activeElement)) return [name, false];
  return [name, activeElement.getBoundingClientRect().bottom > bar.getBoundingClientRect().top];
})()`;

/** The element with the focus, by its id or its words. */
const focused = '(document.activeElement.id || document.activeElement.textContent).trim()';

async function violations(page: Page, rules: RunOnly = wcag22AA): Promise<string[]> {
  return page.evaluate(async (runOnly) => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
    const { violations: all } = await inPage.run({ runOnly });
    return all.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`),
    );
  }, rules);
}

/** The elements that would make the page scroll sideways. */
async function widthFaults(page: Page): Promise<string[]> {
  const [content, window] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  return content > window ? [`${content} px wide in a window of ${window} px`] : [];
}
