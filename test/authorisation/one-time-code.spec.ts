import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../support/fake-clock.js';
import { realNowMs } from '../support/real-time.js';
import { minuteMs } from '../support/stack.js';
import { text, type Browser, type Page } from './browser.js';
import { AuthorisationSetting, defaultPermissions } from './setting.js';
import type { TestTpp } from './tpp.js';

/** Six digits that are not the code of any customer. */
const wrong = '135790';
const right = '246810';

describe('the one-time code', () => {
  const clock = new FakeClock(realNowMs());
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  /** For each test one, made while the clock still goes with the library's own. */
  const requests: string[] = [];
  beforeAll(async () => {
    setting = await AuthorisationSetting.start({ clock });
    tpp = await setting.tpp('tpp-one');
    for (let asked = 0; asked < 20; asked++)
      requests.push((await tpp.begin(await tpp.createConsent(defaultPermissions))).url.href);
  });
  afterAll(() => setting.close());
  // Each test begins where nothing counts any more.
  beforeEach(() => clock.advance(20 * minuteMs));
  afterEach(() => {
    const { customers } = setting;
    [customers.unreachable, customers.expired, customers.forgetful] = [false, false, false];
  });

  const places = { 'a journey': () => requests.pop() ?? '', 'the dashboard': () => '/as/dashboard' } as const;
  type SignInPlace = keyof typeof places;
  const everywhere = Object.keys(places) as SignInPlace[];

  interface BrowserPage {
    readonly browser: Browser;
    /** Where this browser's pages are, whatever the step. */
    readonly at: string;
    readonly page: Page;
  }
  const details = (password = 'saver-password', loginName = 'saver') => ({ login_name: loginName, password });

  async function arrive(place: SignInPlace): Promise<BrowserPage> {
    const browser = setting.browser();
    const page = await browser.open(places[place]());
    return { browser, page, at: page.url.pathname };
  }
  async function atCode(place: SignInPlace, given = details()): Promise<BrowserPage> {
    const visit = await arrive(place);
    return { ...visit, page: await visit.browser.submit(visit.page, given) };
  }
  async function type({ browser, page }: BrowserPage, ...codes: readonly string[]): Promise<Page> {
    let next = page;
    for (const code of codes) next = await browser.submit(next, { code });
    return next;
  }
  const again = ({ browser, page }: BrowserPage): Promise<Page> => browser.submit(page, { decision: 'send-again' });
  const asksForCode = ({ html }: Page): boolean => html.includes('name="code"');
  const isIn = ({ html }: Page): boolean => /name="account"|Who may look at your accounts/.test(html);
  const typedName = ({ html }: Page): string | undefined => /name="login_name"[^>]*value="([^"]*)"/.exec(html)?.[1];
  /** How often the bank was asked to send a code, and to check one. */
  const asked = (): [number, number] => [setting.customers.started, setting.customers.checked];
  async function askedDuring(act: () => Promise<unknown>): Promise<[sent: number, checked: number]> {
    const [sent, checked] = asked();
    await act();
    return [asked()[0] - sent, asked()[1] - checked];
  }

  it.each(everywhere)('is accepted with spaces and dashes of any kind (%s)', async (place) => {
    for (const typed of ['246 810', ' 246-810 ', '24–68—10', '2 4 6 8 1 0'])
      expect([typed, isIn(await type(await atCode('the dashboard'), typed))]).toEqual([typed, true]);
    expect(isIn(await type(await atCode(place), '246 810'))).toBe(true);
  });

  it.each(everywhere)('is refused with anything else than digits, and that is not a try (%s)', async (place) => {
    const visit = await atCode(place);
    let page = visit.page;
    const counted = await askedDuring(async () => {
      for (const typed of ['24681O', 'abc', '246.810', '١٢٣', '<b>', '', ' - '])
        page = await visit.browser.submit(page, { code: typed });
    });
    expect(counted).toEqual([0, 0]);
    expect(text(page.html)).toContain('Enter the one-time code');
    expect(text((await type(visit, '24681O')).html)).toContain(
      'A code has digits only. Spaces and dashes do not matter',
    );
    expect(isIn(await type(visit, right))).toBe(true);
  });

  it.each(everywhere)('can be corrected twice (%s)', async (place) => {
    const visit = await atCode(place);
    const page = await type(visit, wrong, wrong);
    expect(text(page.html)).toContain('That code is not right. Check it and try again');
    expect(isIn(await type({ ...visit, page }, right))).toBe(true);
  });

  it.each(everywhere)(
    'that was wrong three times is replaced by a new code, which counts like a sign-in (%s)',
    async (place) => {
      const visit = await atCode(place);
      let page = visit.page;
      const counted = await askedDuring(async () => (page = await type(visit, wrong, wrong, wrong)));
      expect(counted).toEqual([1, 3]);
      expect(text(page.html)).toContain('That code was not right three times');
      // The bank does not check a guess at the previous code by the new one.
      expect(await askedDuring(() => type(visit, right))).toEqual([0, 0]);
      expect(isIn(await type({ ...visit, page }, wrong, wrong, right))).toBe(true);
      // A success gives everything back: three codes more can be sent at once, and not four.
      for (const status of [200, 200, 200, 429])
        expect((await atCode('the dashboard', details('no'))).page.status).toBe(status);
    },
  );

  it('is replaced until a customer has had five codes in 15 minutes, and then signing in waits', async () => {
    const visit = await atCode('a journey');
    const counted = await askedDuring(async () => {
      const third = await type(visit, ...Array<string>(8).fill(wrong));
      expect([third.status, asksForCode(third)]).toEqual([200, true]);
      const blocked = await type({ ...visit, page: third }, wrong);
      expect([blocked.status, text(blocked.html)]).toEqual([429, expect.stringContaining('Signing in is paused')]);
    });
    expect(counted).toEqual([2, 9]);
    const signIn = await visit.browser.open(visit.at);
    expect([asksForCode(signIn), typedName(signIn)]).toEqual([false, 'saver']);
  });

  it.each(everywhere)(
    'is called expired when it is, and the customer gets a new one without the password (%s)',
    async (place) => {
      const visit = await atCode(place);
      setting.customers.expired = true;
      const late = await type(visit, right);
      expect(text(late.html)).toContain('That code has expired');
      setting.customers.expired = false;
      const page = await again({ ...visit, page: late });
      expect(text(page.html)).toContain('another code is on its way');
      expect(isIn(await type({ ...visit, page }, right))).toBe(true);
    },
  );

  it.each(everywhere)('is sent once by a double click on "Send again" (%s)', async (place) => {
    const visit = await atCode(place);
    const sent = await askedDuring(async () => {
      const both = await Promise.all([again(visit), again(visit)]);
      expect(both.some(asksForCode)).toBe(true);
    });
    expect(sent).toEqual([1, 0]);
  });

  it.each(everywhere)('stays valid while no other code can be sent yet (%s)', async (place) => {
    const visit = await atCode(place);
    let page = visit.page;
    const counted = await askedDuring(async () => {
      for (let asks = 0; asks < 4; asks++) page = await again({ ...visit, page });
    });
    expect(counted).toEqual([2, 0]);
    expect([page.status, text(page.html)]).toEqual([200, expect.stringContaining('We cannot send another code yet')]);
    clock.advance(minuteMs);
    expect(await askedDuring(() => again({ ...visit, page }))).toEqual([1, 0]);
    expect(isIn(await type({ ...visit, page: await visit.browser.open(visit.at) }, right))).toBe(true);
  });

  it.each(everywhere)(
    'that the bank has forgotten leads back to the first step, with the name filled in (%s)',
    async (place) => {
      const visit = await atCode(place);
      setting.customers.forgetful = true;
      const page = await again(visit);
      expect([text(page.html), typedName(page)]).toEqual([expect.stringContaining('That code has expired'), 'saver']);
    },
  );

  it.each(everywhere)('leads back to the details, and stays valid until others are posted (%s)', async (place) => {
    const visit = await atCode(place);
    const [, link = ''] = /<a href="([^"]*)">Check your details</.exec(visit.page.html) ?? [];
    const page = await visit.browser.open(link);
    expect([asksForCode(page), typedName(page)]).toEqual([false, 'saver']);
    expect(page.html).not.toContain('saver-password');
    expect(isIn(await type({ ...visit, page: await visit.browser.open(visit.at) }, right))).toBe(true);
  });

  it.each(everywhere)(
    'keeps the login name filled in after every failure, and never the password (%s)',
    async (place) => {
      const { browser, page } = await arrive(place);
      const first = place === 'a journey' ? page : await browser.submit(page, details());
      const back = place === 'a journey' ? first : await browser.open('/as/dashboard?check-details');
      const empty = await browser.submit(back, { login_name: ' saver ', password: '' });
      setting.customers.unreachable = true;
      const unreachable = await browser.submit(empty, details());
      setting.customers.unreachable = false;
      expect([typedName(empty), typedName(unreachable)]).toEqual(['saver', 'saver']);
      for (const { html } of [empty, unreachable]) expect(html).not.toContain('saver-password');
    },
  );

  it.each(everywhere)('does not reveal whether the password was right or the name exists (%s)', async (place) => {
    /** The answer without its random values, and the number of questions to the bank. */
    const told = async (answer: Promise<Page>, before: [number, number]): Promise<unknown> => {
      const { status, html, headers } = await answer;
      const kept = [...headers].filter(([name]) => !['date', 'set-cookie', 'x-fapi-interaction-id'].includes(name));
      const cookies = headers.getSetCookie().map((line) => line.replace(/=[^;]*/, ''));
      const shown = html
        .replaceAll(/interaction\/[\w-]+|name="csrf" value="[\w-]+"/g, '')
        .replaceAll(/value="(cards|nobody)"/g, '');
      return [status, shown, kept, cookies, asked()[0] - before[0], asked()[1] - before[1]];
    };
    const seen: unknown[] = [];
    for (const given of [details('cards-password', 'cards'), details('wrong', 'cards'), details('nothing', 'nobody')]) {
      clock.advance(20 * minuteMs);
      const answers: unknown[] = [];
      const { browser, page: first } = await arrive(place);
      let page = first;
      const step = async (form: Record<string, string>, to?: string): Promise<void> => {
        const before = asked();
        const answer = browser.submit(page, form, to);
        answers.push(await told(answer, before));
        page = await answer;
      };
      await step(given);
      for (const code of ['letters', wrong, wrong, wrong]) await step({ code });
      await step({ decision: 'send-again' });
      await step({ decision: 'send-again' });
      setting.customers.expired = true;
      await step({ code: wrong });
      setting.customers.expired = false;
      await step({ code: wrong });
      await step({ code: wrong });
      await step({ code: wrong });
      seen.push(answers);
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
  });
});
