import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page, Response } from 'playwright-core';
import { defaultSignIn } from '../../src/config/config.js';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { until } from '../support/until.js';
import { AuthorisationSetting, defaultPermissions } from './setting.js';
import { redirectUri, type TestTpp } from './tpp.js';

const present = hasChromium('taking over a journey is');

function unseen(): never {
  throw new Error('the page shows no such button');
}

(present ? describe : describe.skip)('a journey in one browser, and a thief in another', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    // Some tests leave a sign-in unfinished: the limit of starts must not reach the tests after them.
    const signIn = { ...defaultSignIn, starts: 1_000, freeStarts: 1_000 };
    setting = await AuthorisationSetting.start({ authorisationServer: { signIn } });
    tpp = await setting.tpp('tpp-one');
    browser = await launchChromium();
  });
  afterEach(() => {
    setting.customers.held = undefined;
  });
  afterAll(async () => {
    for (const context of contexts) await context.close();
    await browser?.close();
    await setting?.close();
  });

  async function newContext(): Promise<BrowserContext> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    contexts.push(context);
    return context;
  }

  interface Journey {
    readonly consentId: string;
    readonly page: Page;
    readonly request: string;
  }

  async function arrive(context?: BrowserContext): Promise<Journey> {
    const consentId = await tpp.createConsent(defaultPermissions);
    const request = (await tpp.begin(consentId)).url.href;
    const page = await (context ?? (await newContext())).newPage();
    await page.goto(request);
    return { consentId, request, page };
  }

  const saver = (): ReturnType<AuthorisationSetting['person']> => setting.person('saver');
  async function firstFactor({ page }: Pick<Journey, 'page'>): Promise<void> {
    await page.fill('[name=login_name]', saver().loginName);
    await page.fill('[name=password]', saver().password);
    await page.click('text=Continue');
    await page.waitForSelector('[name=code]');
  }
  async function secondFactor({ page }: Pick<Journey, 'page'>): Promise<void> {
    await page.fill('[name=code]', saver().code);
    await page.click('text=Continue');
    await page.waitForSelector('[name=account]');
  }
  /** Gives where the bank sends the browser then; no TPP is there. */
  async function approve({ page }: Pick<Journey, 'page'>, click = 'click' as 'click' | 'dblclick'): Promise<string> {
    for (const box of await page.locator('[name=account]').all()) await box.check();
    const placeOf = (answer: Response): string => answer.headers()['location'] ?? '';
    const back = page.waitForResponse((answer) => placeOf(answer).startsWith(redirectUri));
    await page[click]('button[value=approve]');
    return placeOf(await back);
  }
  /** Clicks that the mouse itself makes: a click on the button would wait for the answer to the one before. */
  async function mouseOn(page: Page, button: string): Promise<(clickCount?: number) => Promise<void>> {
    const { x, y, width, height } = (await page.locator(button).boundingBox()) ?? unseen();
    return (clickCount = 1) => page.mouse.click(x + width / 2, y + height / 2, { clickCount });
  }
  /** The paths to which the page posts. */
  function postsOf(page: Page): string[] {
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') posts.push(new URL(request.url()).pathname.replace(/.*\//, ''));
    });
    return posts;
  }
  const status = async ({ consentId }: Journey): Promise<unknown> =>
    (await setting.stack.report(`/consents/${consentId}`)).json.Status;

  /** The steps of a journey, and where each has led. */
  const stages: readonly [string, (journey: Journey) => Promise<void>][] = [
    ['before signing in', async () => undefined],
    ['between the factors', firstFactor],
    ['after signing in', async (journey) => firstFactor(journey).then(() => secondFactor(journey))],
  ];

  it.each(stages)(
    'a person who knows its URL %s gets nothing, under any cookie that can be made of it',
    async (_when, reach) => {
      const journey = await arrive();
      await reach(journey);
      const url = journey.page.url();
      const id = new URL(url).pathname.split('/').at(-1) ?? '';
      const thief = await newContext();
      const own = await journey.page.context().cookies();
      await thief.addCookies(
        ['_interaction', '_resume', ...own.map(({ name }) => name)].map((name) => ({
          name,
          value: id,
          url: new URL(url).origin,
          secure: true,
        })),
      );
      const page = await thief.newPage();
      for (const place of [url, `${url}/decision`, url.replace('/interaction/', '/authorize/')]) {
        const answer = await page.goto(place);
        expect([place, answer?.status()]).toEqual([place, 400]);
        expect(await page.content()).not.toContain(saver().displayName);
      }
      expect(await status(journey)).toBe('awaiting');
      expect(own.filter(({ value }) => url.includes(value) || journey.request.includes(value))).toEqual([]);
    },
  );

  it.each<[string, (journey: Journey) => Promise<void>, (journey: Journey) => Promise<unknown>]>([
    ['before signing in, after the first factor', async () => undefined, firstFactor],
    ['between the factors, after the second', firstFactor, secondFactor],
    [
      'after signing in, after the approval',
      async (journey) => firstFactor(journey).then(() => secondFactor(journey)),
      approve,
    ],
  ])('a cookie that a thief copied or planted %s is useless', async (_when, reach, goOn) => {
    const journey = await arrive();
    await reach(journey);
    const url = journey.page.url();
    const known = await journey.page.context().cookies();
    expect(known.length).toBeGreaterThan(0);
    const thief = await newContext();
    await thief.addCookies(known);
    const page = await thief.newPage();
    // Until then both hold the same.
    expect((await page.goto(url))?.status()).toBe(200);
    let back = await goOn(journey);
    for (const place of [url, url.replace('/interaction/', '/authorize/')])
      expect([place, (await page.goto(place))?.status()]).toEqual([place, 400]);
    // The customer is not disturbed.
    if (goOn === firstFactor) await secondFactor(journey);
    if (goOn !== approve) back = await approve(journey);
    expect(back).toContain('code=');
    expect(await status(journey)).toBe('authorised');
  });

  it('two journeys in two tabs of one browser both come to their end', async () => {
    const context = await newContext();
    const [one, other] = [await arrive(context), await arrive(context)];
    for (const step of [firstFactor, secondFactor, approve]) for (const journey of [one, other]) await step(journey);
    expect([await status(one), await status(other)]).toEqual(['authorised', 'authorised']);
  });

  it('a double click on each button sends one post', async () => {
    const journey = await arrive();
    const { page } = journey;
    const posts = postsOf(page);
    await page.fill('[name=login_name]', saver().loginName);
    await page.fill('[name=password]', saver().password);
    await (
      await mouseOn(page, 'text=Continue')
    )(2);
    await page.fill('[name=code]', saver().code);
    await (
      await mouseOn(page, 'text=Continue')
    )(2);
    await page.waitForSelector('[name=account]');
    expect(await approve(journey, 'dblclick')).toContain('code=');
    expect([posts, await status(journey)]).toEqual([['sign-in', 'code', 'decision'], 'authorised']);
  });

  it('a double click on each button of the dashboard’s sign-in sends one post', async () => {
    const page = await (await newContext()).newPage();
    const posts = postsOf(page);
    await page.goto(`${setting.places.issuer}/dashboard`);
    await page.fill('[name=login_name]', saver().loginName);
    await page.fill('[name=password]', saver().password);
    await (
      await mouseOn(page, 'text=Continue')
    )(2);
    await page.fill('[name=code]', saver().code);
    await (
      await mouseOn(page, 'text=Continue')
    )(2);
    await page.waitForSelector('text=Who may look at your accounts');
    expect(posts).toEqual(['sign-in', 'code']);
  });

  it('a second click without scripts, while the bank takes its time, sees the advice to go on in the other window', async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled: false });
    contexts.push(context);
    const { page } = await arrive(context);
    let release = (): void => undefined;
    setting.customers.held = new Promise((resolve) => (release = resolve));
    await page.fill('[name=login_name]', saver().loginName);
    await page.fill('[name=password]', saver().password);
    const started = setting.customers.started;
    const click = await mouseOn(page, 'text=Continue');
    await click();
    await until(() => setting.customers.started > started);
    await click();
    await page.waitForSelector('text=Continue in the other window');
    setting.customers.held = undefined;
    release();
    expect(setting.customers.started).toBe(started + 1);
  });

  it('a page to which the customer goes back can be sent again', async () => {
    const page = await (await newContext()).newPage();
    await page.goto(`${setting.places.issuer}/dashboard`);
    await page.click('text=Continue');
    await page.getByText('Enter your login name and your password').waitFor();
    await page.goBack();
    await firstFactor({ page });
  });

  it('Enter on an account leaves the buttons of the decision as they are', async () => {
    const journey = await arrive();
    await firstFactor(journey);
    await secondFactor(journey);
    const left = journey.page.waitForResponse((answer) => answer.status() === 204);
    await journey.page.locator('[name=account]').first().press('Enter');
    await left;
    expect(await approve(journey)).toContain('code=');
  });

  it('going back and reloading shows the page where the customer is', async () => {
    const journey = await arrive();
    const { page } = journey;
    await firstFactor(journey);
    await page.goBack();
    await page.waitForSelector('[name=code]');
    await page.reload();
    await secondFactor(journey);
    await page.goBack();
    await page.waitForSelector('[name=account]');
    await approve(journey);
    expect(await status(journey)).toBe('authorised');
  });

  it('the same request opened once more goes on in the browser that opened it last, and in no other', async () => {
    const first = await arrive();
    const context = await newContext();
    const page = await context.newPage();
    await page.goto(first.request);
    await page.waitForSelector('[name=login_name]');
    expect((await first.page.reload())?.status()).toBe(400);
    const second = { ...first, page };
    for (const step of [firstFactor, secondFactor, approve]) await step(second);
    expect(await status(first)).toBe('authorised');
  });

  it('a cookie of the dashboard is useless to a thief who had it before each factor', async () => {
    const context = await newContext();
    const page = await context.newPage();
    const place = `${setting.places.issuer}/dashboard`;
    await page.goto(place);
    for (const step of ['first', 'second'] as const) {
      const thief = await newContext();
      await thief.addCookies(await context.cookies());
      if (step === 'first') await firstFactor({ page });
      else {
        await page.fill('[name=code]', saver().code);
        await page.click('text=Continue');
        await page.waitForSelector('text=Who may look at your accounts');
      }
      const stolen = await thief.newPage();
      await stolen.goto(place);
      expect(await stolen.locator('h1').innerText()).toBe('Sign in to your access dashboard');
    }
  });
});
