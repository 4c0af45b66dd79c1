import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { defaultSignIn } from '../../src/config/config.js';
import { FakeClock } from '../support/fake-clock.js';
import { realNowMs } from '../support/real-time.js';
import { text, type Browser, type Page } from './browser.js';
import { AuthorisationSetting, defaultPermissions } from './setting.js';
import type { TestTpp } from './tpp.js';

const details = { login_name: 'saver', password: 'saver-password' };
const right = { code: '246810' };

describe('the bank’s steps of a sign-in', () => {
  const clock = new FakeClock(realNowMs());
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  /** Made while the clock still goes with the library's own. */
  const requests: { readonly url: URL; readonly consentId: string }[] = [];
  beforeAll(async () => {
    const signIn = { ...defaultSignIn, starts: 1_000, freeStarts: 1_000, addressStarts: 1_000 };
    setting = await AuthorisationSetting.start({ clock, authorisationServer: { signIn } });
    tpp = await setting.tpp('tpp-one');
    for (let asked = 0; asked < 30; asked++) {
      const consentId = await tpp.createConsent(defaultPermissions);
      requests.push({ url: (await tpp.begin(consentId)).url, consentId });
    }
  });
  afterAll(() => setting.close());
  afterEach(() => {
    Object.assign(setting.customers, { app: 'no', refusal: undefined, actsFor: [], unreachable: false });
  });

  const places = { 'a journey': () => requests.pop()?.url ?? '', 'the dashboard': () => '/as/dashboard' } as const;
  type SignInPlace = keyof typeof places;
  const everywhere = Object.keys(places) as SignInPlace[];

  interface BrowserPage {
    readonly browser: Browser;
    readonly page: Page;
  }
  async function arrive(place: SignInPlace): Promise<BrowserPage> {
    const browser = setting.browser();
    return { browser, page: await browser.open(places[place]()) };
  }
  async function signIn(place: SignInPlace, given: Record<string, string> = details): Promise<BrowserPage> {
    const { browser, page } = await arrive(place);
    return { browser, page: await browser.submit(page, given) };
  }
  async function typed(place: SignInPlace): Promise<BrowserPage> {
    const { browser, page } = await signIn(place);
    return { browser, page: await browser.submit(page, right) };
  }
  const isIn = ({ html }: Page): boolean => /name="account"|Who may look at your accounts/.test(html);
  const isStart = ({ html }: Page): boolean => html.includes('name="password"');

  describe('an approval in the bank’s app', () => {
    /** A browser that does not load the page again by itself. */
    async function waiting(place: SignInPlace, given = details): Promise<BrowserPage> {
      setting.customers.app = 'asks';
      const { browser, page } = await arrive(place);
      browser.refreshes = false;
      return { browser, page: await browser.submit(page, given) };
    }
    const refreshed = ({ browser, page }: BrowserPage): Promise<Page> =>
      browser.open(/url=(.*)$/.exec(page.headers.get('refresh') ?? '')?.[1] ?? '');

    it.each(everywhere)('is waited for by a page that loads itself again without scripts (%s)', async (place) => {
      const visit = await waiting(place);
      expect(visit.page.headers.get('refresh')).toMatch(/^2; url=\/as\/.+/);
      expect(text(visit.page.html)).toContain('Open the app and answer there');
      expect(text(visit.page.html)).toMatch(/Approve only if the app shows the same 42/);
      clock.advance(2_000);
      expect((await refreshed(visit)).headers.get('refresh')).not.toBeNull();
      setting.customers.app = 'approved';
      clock.advance(2_000);
      visit.browser.refreshes = true;
      expect(isIn(await refreshed(visit))).toBe(true);
    });

    it.each(everywhere)(
      'is asked for no more often than the bank says, however often the page is loaded (%s)',
      async (place) => {
        const visit = await waiting(place);
        const before = setting.customers.checked;
        for (let loads = 0; loads < 5; loads++) await refreshed(visit);
        expect(setting.customers.checked).toBe(before);
        clock.advance(2_000);
        await Promise.all(Array.from({ length: 5 }, () => refreshed(visit)));
        expect(setting.customers.checked).toBe(before + 1);
      },
    );

    it.each(everywhere)('that the customer refuses, or forgets, leads back to the beginning (%s)', async (place) => {
      for (const app of ['declined', 'expired'] as const) {
        const visit = await waiting(place);
        setting.customers.app = app;
        clock.advance(2_000);
        const page = await refreshed(visit);
        const start = await visit.browser.open(new URL(page.headers.get('location') ?? page.url, page.url));
        expect([isStart(start), text(start.html)]).toEqual([
          true,
          expect.stringContaining('You did not finish signing in'),
        ]);
      }
    });

    it.each(everywhere)('goes on being waited for while the bank does not answer (%s)', async (place) => {
      const visit = await waiting(place);
      setting.customers.unreachable = true;
      clock.advance(2_000);
      expect((await refreshed(visit)).headers.get('refresh')).not.toBeNull();
      Object.assign(setting.customers, { unreachable: false, app: 'approved' });
      clock.advance(2_000);
      visit.browser.refreshes = true;
      expect(isIn(await refreshed(visit))).toBe(true);
    });

    it.each(everywhere)(
      'looks the same after a wrong password and an unknown login name, and never comes (%s)',
      async (place) => {
        const seen: unknown[] = [];
        for (const given of [details, { ...details, password: 'wrong' }, { login_name: 'nobody', password: 'x' }]) {
          const visit = await waiting(place, given);
          const shown = visit.page.html.replaceAll(/interaction\/[\w-]+|name="csrf" value="[\w-]+"/g, '');
          seen.push([visit.page.status, shown]);
          if (given === details) continue;
          setting.customers.app = 'approved';
          clock.advance(2_000);
          expect((await refreshed(visit)).headers.get('refresh')).not.toBeNull();
        }
        expect(seen[1]).toEqual(seen[0]);
        expect(seen[2]).toEqual(seen[0]);
      },
    );

    it.each(everywhere)('gives a thief who copied the cookie before it nothing (%s)', async (place) => {
      const visit = await waiting(place);
      const thief = setting.browser();
      for (const pair of visit.browser.cookiesFor('/').split('; ')) {
        const [name = '', value = ''] = pair.split('=');
        thief.plant({ name, value, path: '/' });
      }
      setting.customers.app = 'approved';
      clock.advance(2_000);
      visit.browser.refreshes = true;
      expect(isIn(await refreshed(visit))).toBe(true);
      const stolen = await thief.open(/url=(.*)$/.exec(visit.page.headers.get('refresh') ?? '')?.[1] ?? '');
      expect([stolen.status, isIn(stolen)]).toEqual([place === 'a journey' ? 400 : 200, false]);
    });

    it('leads from the page of the app to the details, and back', async () => {
      const visit = await waiting('a journey');
      const page = await visit.browser.open(`${visit.page.url.pathname}?check-details`);
      expect([isStart(page), page.html.includes('value="saver"')]).toEqual([true, true]);
      expect((await visit.browser.open(visit.page.url)).headers.get('refresh')).not.toBeNull();
    });
  });

  it.each(everywhere)('a person who may act for several customers chooses one (%s)', async (place) => {
    const other = setting.person('cards');
    setting.customers.actsFor = [{ customerRef: other.customerRef, displayName: other.displayName }];
    const { browser, page } = await typed(place);
    expect(text(page.html)).toContain('Choose which customer you act for');
    expect(text(page.html)).toContain(other.displayName);
    for (const customer of [undefined, '2', '-1', 'x', other.customerRef]) {
      const again = await browser.submit(page, { customer });
      expect(text(again.html)).toContain('There is a problem Choose which customer you act for');
    }
    const chosen = await browser.submit(page, { customer: '1' });
    expect([isIn(chosen), text(chosen.html)]).toEqual([
      true,
      expect.stringContaining(place === 'a journey' ? `Hello ${other.displayName}` : other.displayName),
    ]);
  });

  it('a person who confirms an access of one of several customers is not asked which', async () => {
    const access = await setting.access(tpp, 'saver');
    const other = setting.person('cards');
    setting.customers.actsFor = [{ customerRef: other.customerRef, displayName: other.displayName }];
    const { url } = await tpp.begin(access.consentId);
    const browser = setting.browser();
    const page = await setting.signIn(browser, await browser.open(url), 'saver');
    expect(text(page.html)).toContain('Confirm access for');
  });

  it.each(
    everywhere.flatMap((place) => [
      { place, reason: 'locked' as const, words: 'is locked' },
      { place, reason: 'must-change-password' as const, words: 'You need a new password' },
    ]),
  )('a customer who is $reason is led to the bank’s page ($place)', async ({ place, reason, words }) => {
    setting.customers.refusal = { step: 'refused', reason, page: 'https://bank.example/help?for=us' };
    const { browser, page } = await typed(place);
    expect([page.status, text(page.html)]).toEqual([403, expect.stringContaining(words)]);
    expect(page.html).toContain('<a class="button main" href="https://bank.example/help?for=us">');
    setting.customers.refusal = undefined;
    const start = await browser.open(
      place === 'a journey' ? page.url.pathname.replace(/\/code$/, '') : '/as/dashboard',
    );
    expect(isStart(start)).toBe(true);
  });

  it('the bank gets the purpose, the TPP’s request in words, the browser’s address and its cookie', async () => {
    const { browser, page } = await arrive('a journey');
    await browser.submit(page, details);
    const { request } = setting.customers;
    expect(request).toEqual({
      purpose: 'consent',
      credentials: { loginName: 'saver', password: 'saver-password' },
      asked: { tpp: 'The tpp-one app', data: ['Your account details', 'Your contact details'] },
      browser: { address: '127.0.0.1', userAgent: 'undici', deviceCookie: browser.cookie('__Host-device') },
      returnTo: {
        url: `${new URL(setting.places.issuer).origin}/as/sign-on/return`,
        state: expect.stringMatching(/^[\w-]{22}\.[\w-]{43}$/),
      },
      acrValues: ['urn:openbanking:psd2:sca'],
      language: 'en-GB',
    });
    await browser.submit(await browser.open('/as/dashboard'), details);
    expect(setting.customers.request).toMatchObject({ purpose: 'dashboard', browser: request?.browser });
    expect(setting.customers.request).not.toHaveProperty('asked');
  });

  it('an unusable step or error of an adapter is a fault that reveals nothing', async () => {
    const { customers } = setting;
    const begin = customers.begin.bind(customers);
    const bad: unknown[] = [
      { step: 'redirect', state: 's', url: 'javascript:alert(1)' },
      { step: 'redirect', state: 's', url: 'http://bank.example/' },
      { step: 'code', state: 'x'.repeat(4_001), sentTo: 'x' },
      { step: 'code', state: 's', sentTo: '' },
      { step: 'wait', state: 's', pollAfterSeconds: 0 },
      { step: 'wait', state: 's', pollAfterSeconds: 61 },
      { step: 'refused', reason: 'locked', page: 'javascript:alert(1)' },
      { step: 'refused', reason: 'unknown' },
      { step: 'nonsense', state: 's' },
      undefined,
      ...[
        { authenticatedAt: 'today' },
        { method: 'password and code' },
        { customers: [] },
        { customers: [{ customerRef: '', displayName: 'x' }] },
        { customers: [{ customerRef: 'C1', customerRefs: { cards: 7 }, displayName: 'x' }] },
      ].map((part) => ({
        step: 'done',
        result: {
          customers: [{ customerRef: 'C1', displayName: 'x' }],
          authenticatedAt: new Date(clock.nowMs()),
          method: 'password+code',
          acr: 'urn:openbanking:psd2:sca',
          ...part,
        },
      })),
      new RangeError('the password is hunter2'),
    ];
    for (const answer of bad) {
      customers.begin = () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as never));
      try {
        const { page } = await signIn('the dashboard');
        expect(text(page.html)).toContain('We cannot check your details at the moment');
      } finally {
        customers.begin = begin;
      }
    }
    expect(setting.stack.log.join('')).not.toContain('hunter2');
  });
});
