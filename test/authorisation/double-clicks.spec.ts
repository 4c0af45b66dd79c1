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
    [held, setting.customers.held, setting.customers.unreachable] = [undefined, undefined, false];
    database.before = () => undefined;
  });

  interface BrowserPage {
    readonly browser: Browser;
    readonly page: Page;
  }
  const places = {
    'a journey': async () => (await tpp.begin(await tpp.createConsent(defaultPermissions))).url,
    'the dashboard': async () => '/as/dashboard',
  } as const;
  type SignInPlace = keyof typeof places;
  const everywhere = Object.keys(places) as SignInPlace[];

  async function arrive(place: SignInPlace): Promise<BrowserPage> {
    const browser = setting.browser();
    return { browser, page: await browser.open(await places[place]()) };
  }
  async function atCode(place: SignInPlace): Promise<BrowserPage> {
    const { browser, page } = await arrive(place);
    return { browser, page: await browser.submit(page, details) };
  }
  async function atDecision(): Promise<BrowserPage> {
    const { browser, page } = await atCode('a journey');
    return { browser, page: await browser.submit(page, right) };
  }
  const asksForCode = ({ html }: Page): boolean => html.includes('name="code"');
  const isIn = ({ html }: Page): boolean => /name="account"|Who may look at your accounts/.test(html);
  const bankWork = (): number => setting.customers.started + setting.customers.checked + reads;

  /** Clicks a second time while the bank holds the first post. */
  async function clickTwice({ browser, page }: BrowserPage, form: Readonly<Record<string, string | string[]>>) {
    let release = (): void => undefined;
    held = setting.customers.held = new Promise((resolve) => (release = resolve));
    const before = bankWork();
    const first = browser.submit(page, form);
    await until(() => bankWork() > before);
    const asked = bankWork();
    const second = await browser.submit(page, form);
    expect(bankWork()).toBe(asked);
    held = setting.customers.held = undefined;
    release();
    return { first: await first, second };
  }

  const buttons: readonly [
    string,
    (place: SignInPlace) => Promise<BrowserPage>,
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
    'at %s on "%s" asks the bank once: the answer to the second post says at once to go on in the other window',
    async (place, _button, reach, form, isThere) => {
      const visit = await reach(place);
      const { first, second } = await clickTwice(visit, form);
      expect([second.status, text(second.html)]).toEqual([
        409,
        expect.stringContaining('Continue in the other window'),
      ]);
      expect([first.status, isThere(first)]).toEqual([200, true]);
      // The link of the second page leads to the page where the customer is.
      const [, link = ''] = /<a class="button main" href="([^"]*)"/.exec(second.html) ?? [];
      expect(isThere(await visit.browser.open(link))).toBe(true);
    },
  );

  it.each(cases)(
    'at %s on "%s" asks the bank nothing more after the first post has replaced the cookie',
    async (place, _button, reach, form, isThere) => {
      const visit = await reach(place);
      const late = setting.browser();
      for (const pair of visit.browser.cookiesFor('/').split('; ')) {
        const [name = '', value = ''] = pair.split('=');
        late.plant({ name, value, path: '/' });
      }
      expect(isThere(await visit.browser.submit(visit.page, form))).toBe(true);
      const asked = bankWork();
      const second = await late.submit(visit.page, form);
      expect([bankWork(), isThere(second)]).toEqual([asked, false]);
      // At the dashboard that browser can begin again.
      const begin = async (page: Page): Promise<Page> => late.submit(page, details);
      if (place === 'the dashboard')
        expect(asksForCode(await begin(await late.open(await places[place]())))).toBe(true);
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

  it('on "Approve" gives the access once while the core is asked, and the first answer leads to the TPP', async () => {
    const visit = await atDecision();
    const { first, second } = await clickTwice(visit, { account: offeredKeys(visit.page), decision: 'approve' });
    expect([second.status, text(second.html)]).toEqual([409, expect.stringContaining('Continue in the other window')]);
    const { url } = first;
    expect([url.href.startsWith(redirectUri), new URLSearchParams(url.hash.slice(1)).has('code')]).toEqual([
      true,
      true,
    ]);
  });

  it('does not count as a second attempt to sign in', async () => {
    const own = await AuthorisationSetting.start({
      authorisationServer: { signIn: { ...defaultSignIn, starts: 2, freeStarts: 2 } },
    });
    const clicks = async (browser: Browser): Promise<number[]> => {
      const page = await browser.open('/as/dashboard');
      const both = await Promise.all([browser.submit(page, details), browser.submit(page, details)]);
      return both.map(({ status }) => status).sort();
    };
    expect(await clicks(own.browser())).toEqual([200, 409]);
    const browser = own.browser();
    expect(asksForCode(await browser.submit(await browser.open('/as/dashboard'), details))).toBe(true);
    await own.close();
  });

  it('or a retry leads to the TPP after an approval broke off between the consent and the answer', async () => {
    const { browser, page } = await atDecision();
    let artefacts = 0;
    // The library keeps the answer to the TPP after the consent is given.
    database.before = (statement) =>
      statement === 'oidcArtefact.upsert' && ++artefacts === 1
        ? Promise.reject(new Error('the test says that the database is unreachable'))
        : undefined;
    const broken = await browser.submit(page, { account: offeredKeys(page), decision: 'approve' });
    expect([artefacts, broken.status]).toEqual([1, 503]);
    const again = await browser.open(page.url);
    expect(offeredKeys(again)).toEqual([]);
    const { url } = await browser.submit(again, { decision: 'approve' });
    expect([url.href.startsWith(redirectUri), new URLSearchParams(url.hash.slice(1)).has('code')]).toEqual([
      true,
      true,
    ]);
  });
});
