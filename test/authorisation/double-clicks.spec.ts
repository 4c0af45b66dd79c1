import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { defaultSignIn } from '../../src/config/config.js';
import { until } from '../support/until.js';
import { WatchedDatabase } from '../support/watched-database.js';
import { watched } from '../support/wrapped-adapter.js';
import { text, type Browser, type Page } from './browser.js';
import { AuthorisationSetting, defaultPermissions, offeredKeys } from './setting.js';
import { redirectUri, type TestTpp } from './tpp.js';

const details = { login_name: 'saver', password: 'saver-password' };
const right = { code: '246810' };

describe('a double click', () => {
  const database = new WatchedDatabase();
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  /** The bank answers neither a sign-in nor a read of the core until then. */
  let held: Promise<void> | undefined;
  let reads = 0;
  beforeAll(async () => {
    const beforeRead = async (): Promise<void> => {
      reads++;
      await held;
    };
    setting = await AuthorisationSetting.start({
      persistence: database.module,
      adapter: (ledger) => watched(ledger, beforeRead),
      authorisationServer: { signIn: { ...defaultSignIn, starts: 1_000, freeStarts: 1_000 } },
    });
    tpp = await setting.tpp('tpp-one');
  });
  afterAll(() => setting.close());
  afterEach(() => {
    [held, setting.customers.held, setting.customers.away] = [undefined, undefined, false];
    database.before = () => undefined;
  });

  interface Visit {
    readonly browser: Browser;
    readonly page: Page;
  }
  const places = {
    'a journey': async () => (await tpp.begin(await tpp.createConsent(defaultPermissions))).url,
    'the dashboard': async () => '/as/dashboard',
  } as const;
  type Place = keyof typeof places;
  const everywhere = Object.keys(places) as Place[];

  async function arrive(place: Place): Promise<Visit> {
    const browser = setting.browser();
    return { browser, page: await browser.open(await places[place]()) };
  }
  async function atCode(place: Place): Promise<Visit> {
    const { browser, page } = await arrive(place);
    return { browser, page: await browser.submit(page, details) };
  }
  async function atDecision(): Promise<Visit> {
    const { browser, page } = await atCode('a journey');
    return { browser, page: await browser.submit(page, right) };
  }
  const asksForCode = ({ html }: Page): boolean => html.includes('name="code"');
  const isIn = ({ html }: Page): boolean => /name="account"|Who may look at your accounts/.test(html);
  const bankWork = (): number => setting.customers.started + setting.customers.judged + reads;

  /** Clicks a second time while the bank holds the first post. The browser drops the answer to the first one. */
  async function clickTwice({ browser, page }: Visit, form: Readonly<Record<string, string | string[]>>) {
    let release = (): void => undefined;
    held = setting.customers.held = new Promise((resolve) => (release = resolve));
    const before = bankWork();
    const first = browser.post(...browser.formOf(page, form));
    await until(() => bankWork() > before);
    const asked = bankWork();
    browser.refreshes = false;
    const waiting = await browser.submit(page, form);
    expect(bankWork()).toBe(asked);
    return {
      waiting,
      /** The page at which the browser arrives after the bank has answered. */
      arrive: async (): Promise<Page> => {
        held = setting.customers.held = undefined;
        release();
        await first;
        browser.refreshes = true;
        return browser.open(waiting.url);
      },
    };
  }

  const buttons: readonly [
    string,
    (place: Place) => Promise<Visit>,
    Record<string, string>,
    (page: Page) => boolean,
  ][] = [
    ['Continue with the details', arrive, details, asksForCode],
    ['Continue with the code', atCode, right, isIn],
    [
      'Send again',
      atCode,
      { decision: 'send-again' },
      (page) => text(page.html).includes('another code is on its way'),
    ],
  ];
  const cases = everywhere.flatMap((place) => buttons.map((button) => [place, ...button] as const));

  it.each(cases)(
    'at %s on "%s" is answered at once by a page that leads on, and the bank is asked once',
    async (place, _button, reach, form, isThere) => {
      const visit = await reach(place);
      const { waiting, arrive: arriveAfter } = await clickTwice(visit, form);
      expect([waiting.status, waiting.headers.get('refresh'), text(waiting.html)]).toEqual([
        200,
        '1',
        expect.stringContaining('Your answer is being processed'),
      ]);
      const [, link = ''] = /<a class="button main" href="([^"]*)"/.exec(waiting.html) ?? [];
      expect(link).toBe(waiting.url.pathname + waiting.url.search);
      // It goes on waiting for as long as the bank does not answer.
      expect(text((await visit.browser.open(link)).html)).toContain('Your answer is being processed');
      const page = await arriveAfter();
      expect([page.status, isThere(page)]).toEqual([200, true]);
      // The cookie that the browser has now opens the journey by its plain address as well.
      expect(isThere(await visit.browser.open(page.url.pathname)) || place === 'the dashboard').toBe(true);
    },
  );

  it.each(['approve', 'deny', 'cancel'])('on the button "%s" leads to the TPP with one answer', async (decision) => {
    const visit = await atDecision();
    const account = offeredKeys(visit.page);
    const posts = [...Array<undefined>(2)].map(() => visit.browser.submit(visit.page, { account, decision }));
    const told = (await Promise.all(posts)).filter(({ url }) => url.href.startsWith(redirectUri));
    const answers = told.map(({ url }) => new URLSearchParams(url.hash.slice(1)));
    expect(answers.map((answer) => [answer.has('code'), answer.get('error')])).toEqual([
      decision === 'approve' ? [true, null] : [false, 'access_denied'],
    ]);
  });

  it('on "Approve" is answered at once while the core is asked, and the second answer leads to the TPP', async () => {
    const visit = await atDecision();
    const form = { account: offeredKeys(visit.page), decision: 'approve' };
    const { waiting, arrive: arriveAfter } = await clickTwice(visit, form);
    expect(text(waiting.html)).toContain('Your answer is being processed');
    const { url } = await arriveAfter();
    expect([url.href.startsWith(redirectUri), new URLSearchParams(url.hash.slice(1)).has('code')]).toEqual([
      true,
      true,
    ]);
  });

  it.each(everywhere)('at %s while the bank is away leads back to the sign-in, which says so', async (place) => {
    const visit = await atCode(place);
    const { arrive: arriveAfter } = await clickTwice(visit, right);
    setting.customers.away = true;
    const page = await arriveAfter();
    expect([page.status, page.html.includes('name="password"')]).toEqual([200, true]);
    expect(text(page.html)).toContain('We cannot check');
  });

  it('gives the new cookie only to the browser that posted the same: the old cookie with another mark gets an error', async () => {
    const visit = await atCode('a journey');
    const thief = setting.browser();
    for (const pair of visit.browser.cookiesFor('/').split('; ')) {
      const [name = '', value = ''] = pair.split('=');
      thief.plant({ name, value, path: '/' });
    }
    const { waiting, arrive: arriveAfter } = await clickTwice(visit, right);
    expect(isIn(await arriveAfter())).toBe(true);
    const place = waiting.url.pathname;
    const mark = waiting.url.searchParams.get('after') ?? '';
    for (const address of [place, `${place}?after=`, `${place}?after=x`, `${place}?after=${mark.slice(1)}x`])
      expect([address, (await thief.open(address)).status]).toEqual([address, 400]);
    // The address of the waiting page opens nothing without the cookie.
    expect((await setting.browser().open(waiting.url)).status).toBe(400);
  });

  it('or a retry leads to the TPP after an approval broke off between the grant and the answer', async () => {
    const { browser, page } = await atDecision();
    let artefacts = 0;
    // The library keeps the grant first, and the answer to the TPP after the consent is given.
    database.before = (statement) =>
      statement === 'oidcArtefact.upsert' && ++artefacts === 2
        ? Promise.reject(new Error('the test says that the database is away'))
        : undefined;
    const broken = await browser.submit(page, { account: offeredKeys(page), decision: 'approve' });
    expect([artefacts, broken.status]).toEqual([2, 503]);
    const again = await browser.open(page.url);
    expect(offeredKeys(again)).toEqual([]);
    const { url } = await browser.submit(again, { decision: 'approve' });
    expect([url.href.startsWith(redirectUri), new URLSearchParams(url.hash.slice(1)).has('code')]).toEqual([
      true,
      true,
    ]);
  });
});
