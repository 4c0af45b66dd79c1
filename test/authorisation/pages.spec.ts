import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { watched } from '../support/wrapped-adapter.js';
import { ownScript, text, type Browser, type Page } from './browser.js';
import { AuthorisationSetting, defaultPermissions, offeredKeys } from './setting.js';
import { redirectUri, type TestTpp } from './tpp.js';
import { answersToWrongFactors } from './wrong-factors.js';

describe('the customer’s way through the pages', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  /** A read of the core waits for it. */
  let beforeRead: () => unknown = () => undefined;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start({ adapter: (ledger) => watched(ledger, () => beforeRead()) });
    tpp = await setting.tpp('tpp-one');
  });
  afterAll(() => setting.close());

  interface BrowserPage {
    readonly consentId: string;
    readonly browser: Browser;
    readonly page: Page;
  }

  async function arrive(permissions = defaultPermissions): Promise<BrowserPage> {
    const consentId = await tpp.createConsent(permissions);
    const browser = setting.browser();
    return { consentId, browser, page: await browser.open((await tpp.begin(consentId)).url) };
  }

  async function signedIn(loginName = 'saver'): Promise<BrowserPage> {
    const visit = await arrive();
    return { ...visit, page: await setting.signIn(visit.browser, visit.page, loginName) };
  }

  const consentStatus = async ({ consentId }: Pick<BrowserPage, 'consentId'>): Promise<string> =>
    (await setting.stack.report(`/consents/${consentId}`)).json.Status as string;

  /** The answer that the customer brings back to the TPP. */
  const toldTpp = ({ url }: Page): string | null => {
    expect(url.href.startsWith(redirectUri)).toBe(true);
    return new URLSearchParams(url.hash.slice(1)).get('error');
  };

  it('an explicit refusal, and only that, makes the consent Rejected', async () => {
    const visit = await signedIn();
    const back = await visit.browser.submit(visit.page, { decision: 'deny' });
    expect([toldTpp(back), await consentStatus(visit)]).toEqual(['access_denied', 'rejected']);
  });

  it.each<[string, () => Promise<[BrowserPage, Page]>]>([
    [
      'goes back to the TPP before signing in',
      async () => {
        const visit = await arrive();
        return [visit, await visit.browser.submit(visit.page, { decision: 'cancel' })];
      },
    ],
    [
      'takes longer than 15 minutes',
      async () => {
        const visit = await signedIn();
        setting.clock.advance(15 * 60_000);
        const back = await visit.browser.submit(visit.page, { account: offeredKeys(visit.page), decision: 'approve' });
        setting.clock.advance(-15 * 60_000);
        return [visit, back];
      },
    ],
  ])('a customer who %s leaves the consent awaiting, and the TPP is informed', async (_what, leave) => {
    const [visit, back] = await leave();
    expect([toldTpp(back), await consentStatus(visit)]).toEqual(['access_denied', 'awaiting']);
  });

  it('a customer who comes back after the time of the profile sees that it has ended, and the TPP is informed', async () => {
    const visit = await signedIn();
    setting.clock.advance(30 * 60_000);
    try {
      const late = await visit.browser.open(visit.page.url);
      expect([late.status, text(late.html)]).toEqual([
        409,
        expect.stringContaining('The time for this request has ended'),
      ]);
      expect(await consentStatus(visit)).toBe('rejected');
      expect(toldTpp(await visit.browser.submit(late, { decision: 'cancel' }))).toBe('access_denied');
      const again = await visit.browser.open((await tpp.begin(visit.consentId)).url);
      expect(toldTpp(again)).toBe('invalid_request');
    } finally {
      setting.clock.advance(-30 * 60_000);
    }
  });

  it('a customer selects all accounts, or none, without a script and without deciding', async () => {
    const visit = await signedIn('cards');
    const chosen = ({ html }: Page): boolean[] =>
      [...html.matchAll(/<input[^>]*name="account"[^>]*>/g)].map(([input]) => /\schecked/.test(input));
    const count = chosen(visit.page).length;
    expect(count).toBeGreaterThan(1);
    const all = await visit.browser.submit(visit.page, { decision: 'select-all' });
    const none = await visit.browser.submit(all, { decision: 'select-none', account: offeredKeys(all) });
    const again = await visit.browser.submit(none, { decision: 'select-all' });
    // The choice that the bank removed is not shown again.
    const complaint = await visit.browser.submit(again, { decision: 'approve' });
    expect([visit.page, all, none, again, complaint].map(chosen)).toEqual(
      [false, true, false, true, false].map((isChosen) => new Array(count).fill(isChosen)),
    );
    expect(text(complaint.html)).toContain('Choose at least one account, or deny access');
    expect(await consentStatus(visit)).toBe('awaiting');
  });

  it('a page of a journey that has ended, and a link that never was one, lead on to the access dashboard and say why', async () => {
    const visit = await signedIn();
    await visit.browser.submit(visit.page, { account: offeredKeys(visit.page), decision: 'approve' });
    for (const old of [visit.page.url, '/as/interaction/unknown', '/as/authorize/unknown']) {
      const { status, html } = await visit.browser.open(old);
      expect([status, text(html)]).toEqual([
        400,
        expect.stringContaining('This page is no longer open It was finished,'),
      ]);
      const [, way = ''] = /<a class="button main" href="([^"]*)"/.exec(html) ?? [];
      expect(text((await visit.browser.open(way)).html)).toContain('Sign in to your access dashboard');
    }
  });

  it('a closed page leaves the consent awaiting, and the customer can begin again', async () => {
    const { consentId } = await signedIn();
    expect(await consentStatus({ consentId })).toBe('awaiting');
    const back = await setting.approve(await tpp.begin(consentId), 'saver');
    expect([back.href.startsWith(redirectUri), await consentStatus({ consentId })]).toEqual([true, 'authorised']);
  });

  it('no answer reveals which factor was wrong, or whether the name is known', async () => {
    const answers = await answersToWrongFactors(arrive);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    await setting.approve(await tpp.begin(await tpp.createConsent(defaultPermissions)), 'cards');
  });

  it('after three failures in a row, of either factor, signing in waits, ever longer, and the TPP can be informed', async () => {
    const visit = await arrive();
    let { page } = visit;
    const fail = async (attempt: number): Promise<Page> => {
      const password = attempt % 2 === 0 ? 'wrong' : 'blocked-password';
      const signIn = await visit.browser.open(`${page.url.pathname}?check-details`);
      const next = await visit.browser.submit(signIn, { login_name: 'blocked', password });
      return next.status === 429 ? next : visit.browser.submit(next, { code: attempt % 2 === 0 ? '246810' : '000000' });
    };
    for (let attempt = 1; attempt <= 3; attempt++) {
      page = await fail(attempt);
      expect(page.status).toBe(200);
    }
    const another = await arrive();
    const right = { login_name: ' BLOCKED ', password: 'blocked-password' };
    expect((await another.browser.submit(another.page, right)).status).toBe(429);
    setting.clock.advance(60_000);
    expect((page = await fail(4)).status).toBe(200);
    const refused = await another.browser.submit(another.page, right);
    expect([refused.status, text(refused.html)]).toEqual([429, expect.stringContaining('Signing in is paused')]);
    expect(toldTpp(await another.browser.submit(refused, { decision: 'cancel' }))).toBe('access_denied');
    expect(await consentStatus(another)).toBe('awaiting');

    setting.clock.advance(120_000);
    const back = await setting.approve(await tpp.begin(another.consentId), 'blocked');
    setting.clock.advance(-180_000);
    expect(back.href.startsWith(redirectUri)).toBe(true);
  });

  /** It posts 200 forms, and each guess that counts costs as much as a password. */
  const guessesWithinMs = 300_000;
  it(
    'of 200 guesses at one-time codes the bank checks three for each code that may be sent at once',
    async () => {
      const [started, checked] = [setting.customers.started, setting.customers.checked];
      const visit = await arrive();
      const { pathname } = visit.page.url;
      const signIn = { login_name: 'calendar', password: 'calendar-password' };
      let page = await visit.browser.submit(visit.page, signIn);
      for (let guesses = 0; guesses < 200; guesses += 20) {
        const csrf = /name="csrf" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
        const html = `<form action="${pathname}/code"><input type="hidden" name="csrf" value="${csrf}"></form>`;
        const codes = Array.from({ length: 20 }, (_, index) => String(100_000 + guesses + index));
        await Promise.all(codes.map((code) => visit.browser.submit({ ...page, html }, { code })));
        const usedUp = !page.html.includes('name="code"');
        page = await visit.browser.open(pathname);
        // As soon as no further code can be sent: a minute later one can.
        if (!usedUp && !page.html.includes('name="code"'))
          expect((await visit.browser.submit(page, signIn)).status).toBe(429);
      }
      expect(page.html).toContain('name="password"');
      expect([setting.customers.started - started, setting.customers.checked - checked]).toEqual([3, 9]);
    },
    guessesWithinMs,
  );

  it('every form that is posted without its token, or with another’s, is refused and changes nothing', async () => {
    const first = await arrive();
    const other = await arrive();
    const foreign = /name="csrf" value="([^"]*)"/.exec(other.page.html)?.[1];
    const code = await first.browser.submit(first.page, { login_name: 'saver', password: 'saver-password' });
    const choice = await setting.signIn(other.browser, other.page, 'saver');
    for (const [browser, page, given] of [
      [first.browser, first.page, { login_name: 'saver', password: 'saver-password' }],
      [first.browser, code, { code: '246810' }],
      [other.browser, choice, { account: offeredKeys(choice), decision: 'approve' }],
      [other.browser, choice, { decision: 'deny' }],
      [other.browser, choice, { decision: 'cancel' }],
    ] as const)
      for (const csrf of [undefined, '', browser === first.browser ? foreign : 'guessed'])
        expect((await browser.submit(page, { ...given, csrf })).status).toBe(403);
    const { consentId } = await setting.access(tpp, 'saver');
    const again = setting.browser();
    const confirm = await setting.signIn(again, await again.open((await tpp.begin(consentId)).url), 'saver');
    const stranger = setting.browser();
    const notice = await setting.signIn(stranger, await stranger.open((await tpp.begin(consentId)).url), 'cards');
    const before = (await setting.stack.report(`/consents/${consentId}`)).json as unknown;
    for (const [browser, page, given] of [
      [again, confirm, { decision: 'approve' }],
      [again, confirm, { decision: 'deny' }],
      [stranger, notice, { decision: 'cancel' }],
    ] as const)
      for (const csrf of [undefined, '', foreign])
        expect((await browser.submit(page, { ...given, csrf })).status).toBe(403);
    expect([await consentStatus(first), await consentStatus(other)]).toEqual(Array(2).fill('awaiting'));
    expect((await setting.stack.report(`/consents/${consentId}`)).json).toEqual(before);
  });

  it('another browser, without the cookie of the journey, gets no page of it', async () => {
    const visit = await signedIn();
    const stranger = setting.browser();
    const seen = await stranger.open(visit.page.url);
    const posted = await stranger.submit(visit.page, { account: offeredKeys(visit.page), decision: 'approve' });
    expect([seen.status, posted.status, await consentStatus(visit)]).toEqual([400, 400, 'awaiting']);
  });

  it('an account that was not offered is refused, and nothing is given', async () => {
    const visit = await signedIn();
    for (const account of [['A100101'], [...offeredKeys(visit.page), 'more'], ['']])
      expect((await visit.browser.submit(visit.page, { account, decision: 'approve' })).status).toBe(400);
    expect(await consentStatus(visit)).toBe('awaiting');
  });

  it('Enter on an account, which neither approves nor denies, leaves the page as it is', async () => {
    const visit = await signedIn();
    for (const decision of [undefined, 'continue', 'anything']) {
      const answer = await visit.browser.submit(visit.page, { account: offeredKeys(visit.page), decision });
      expect([answer.status, answer.html]).toEqual([204, '']);
    }
    expect(await consentStatus(visit)).toBe('awaiting');
    const back = await visit.browser.submit(visit.page, { account: offeredKeys(visit.page), decision: 'approve' });
    expect([toldTpp(back), await consentStatus(visit)]).toEqual([null, 'authorised']);
  });

  it('approving without an account asks for one', async () => {
    const visit = await signedIn();
    const again = await visit.browser.submit(visit.page, { decision: 'approve' });
    expect([again.status, offeredKeys(again).length]).toEqual([200, offeredKeys(visit.page).length]);
    expect(await consentStatus(visit)).toBe('awaiting');
  });

  it('a consent that is approved twice at once is given once', async () => {
    const visit = await signedIn();
    const browser = setting.browser();
    const second = await setting.signIn(browser, await browser.open((await tpp.begin(visit.consentId)).url), 'saver');
    const answers = await Promise.all([
      visit.browser.submit(visit.page, { account: offeredKeys(visit.page), decision: 'approve' }),
      browser.submit(second, { account: offeredKeys(second), decision: 'approve' }),
    ]);
    const given = answers.filter(({ url }) => url.href.startsWith(redirectUri));
    const refused = answers.filter(({ status }) => status === 409);
    expect([given.length, refused.length, await consentStatus(visit)]).toEqual([1, 1, 'authorised']);
  });

  it('a double click on approve leads to the TPP with one code, and the other click nowhere', async () => {
    const visit = await signedIn();
    const body = { account: offeredKeys(visit.page), decision: 'approve' };
    const answers = await Promise.all([visit.browser.submit(visit.page, body), visit.browser.submit(visit.page, body)]);
    const codes = answers.filter(({ url }) => new URLSearchParams(url.hash.slice(1)).has('code'));
    expect([codes.length, await consentStatus(visit)]).toEqual([1, 'authorised']);
  });

  it.each(['cancel', 'deny'])('a %s that comes while an approval is under way follows it', async (other) => {
    const visit = await signedIn();
    let release = (): void => undefined;
    const approving = new Promise<void>((reached) => {
      beforeRead = () => {
        reached();
        return new Promise<void>((go) => (release = go));
      };
    });
    const approval = visit.browser.submit(visit.page, { account: offeredKeys(visit.page), decision: 'approve' });
    await approving;
    const late = visit.browser.submit(visit.page, { decision: other });
    await Promise.race([late, sleep(200)]);
    beforeRead = () => undefined;
    release();
    const answers = await Promise.all([approval, late]);
    const told = answers.filter(({ url }) => url.href.startsWith(redirectUri)).map(toldTpp);
    expect([new Set(told), await consentStatus(visit)]).toEqual([new Set([null]), 'authorised']);
  });

  it('going back and signing in as another customer offers that customer’s accounts', async () => {
    const visit = await signedIn('saver');
    const other = await setting.signIn(visit.browser, await rewind(visit), 'cards');
    expect(offeredKeys(other).length).toBe(setting.person('cards').accounts.length);
    expect(offeredKeys(other)).not.toEqual(offeredKeys(visit.page));
  });

  /** The sign-in page as the browser still has it. */
  async function rewind({ page, browser }: BrowserPage): Promise<Page> {
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
    const action = page.url.pathname;
    void browser;
    return {
      ...page,
      html: `<form action="${action}/sign-in"><input type="hidden" name="csrf" value="${csrf}"></form>`,
    };
  }

  it('a customer who has just approved signs in again for the next request, even in the same browser', async () => {
    const browser = setting.browser();
    await setting.approve(await tpp.begin(await tpp.createConsent(defaultPermissions)), 'saver', browser);
    const next = await browser.open((await tpp.begin(await tpp.createConsent(defaultPermissions))).url);
    expect([next.html.includes('name="password"'), offeredKeys(next)]).toEqual([true, []]);
    expect(next.html).not.toContain(setting.person('saver').displayName);
  });

  it('a customer without an account to share reads this, and can only go back', async () => {
    const names = { loginName: 'accountless', displayName: 'The accountless', customerRef: 'C-accountless' };
    setting.customers.people.push({ ...names, password: 'accountless-password', code: '246810', accounts: [] });
    const visit = await signedIn('accountless');
    expect(text(visit.page.html)).toContain('There is nothing to share');
    expect(toldTpp(await visit.browser.submit(visit.page, { decision: 'cancel' }))).toBe('access_denied');
    expect(await consentStatus(visit)).toBe('awaiting');
  });

  it('asks again when the bank cannot check, and counts no failure', async () => {
    const visit = await arrive();
    setting.customers.unreachable = true;
    const unreachable = await visit.browser.submit(visit.page, { login_name: 'saver', password: 'saver-password' });
    setting.customers.unreachable = false;
    expect(unreachable.status).toBe(200);
    expect((await setting.signIn(visit.browser, unreachable, 'saver')).html).toContain('name="account"');
  });

  it('pages have a strict policy that lets the last redirect go to the TPP and nowhere else', async () => {
    const { page } = await arrive();
    expect(page.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'self'; script-src ${ownScript(page)}; img-src 'self'; ` +
        "form-action 'self' https://tpp.example; frame-ancestors 'none'; base-uri 'none'",
    );
    expect([page.headers.get('cache-control'), page.headers.get('x-content-type-options')]).toEqual([
      'no-store',
      'nosniff',
    ]);
  });
});
