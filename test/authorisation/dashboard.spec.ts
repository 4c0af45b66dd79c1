import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CoreAdapter } from '../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import { formToken } from '../../src/authorisation-server/sealing.js';
import { PrismaService } from '../../src/persistence/prisma.service.js';
import { FakeClock } from '../support/fake-clock.js';
import { freshDatabase } from '../support/fresh-database.js';
import { realNowMs } from '../support/real-time.js';
import { dayMs, minuteMs } from '../support/stack.js';
import { until } from '../support/until.js';
import { watched } from '../support/wrapped-adapter.js';
import { WatchedDatabase } from '../support/watched-database.js';
import { ownScript, sortedCookie, text, type Browser, type Page } from './browser.js';
import { AuthorisationSetting, defaultPermissions } from './setting.js';
import type { TestTpp } from './tpp.js';
import { answersToWrongFactors } from './wrong-factors.js';

const place = '/as/dashboard';

describe('the access dashboard', () => {
  let start = realNowMs();
  const clock = new FakeClock(start);
  const database = new WatchedDatabase();
  let setting: AuthorisationSetting;
  let coreIsAway = false;
  let tpp: TestTpp;
  beforeAll(async () => {
    const beforeRead = (): void => {
      if (coreIsAway) throw new CoreError('unavailable', 'the test says so');
    };
    const adapter = (ledger: CoreAdapter): CoreAdapter => watched(ledger, beforeRead);
    setting = await AuthorisationSetting.start({ clock, persistence: database.module, adapter });
    tpp = await setting.tpp('tpp-one');
  });
  afterAll(() => setting.close());
  // TPPs sign by the machine's time: however long all tests take, ours is at most one test behind it.
  beforeEach(() => {
    start = realNowMs();
    clock.set(start);
  });
  afterEach(() => {
    database.failing = false;
    setting.customers.unreachable = false;
    coreIsAway = false;
  });

  interface BrowserPage {
    readonly browser: Browser;
    readonly page: Page;
  }

  async function arrive(): Promise<BrowserPage> {
    const browser = setting.browser();
    return { browser, page: await browser.open(place) };
  }

  async function enter(loginName = 'saver'): Promise<BrowserPage> {
    const { browser, page } = await arrive();
    return { browser, page: await setting.signIn(browser, page, loginName) };
  }

  /** The way to the confirmation and its form. */
  async function withdraw({ browser }: BrowserPage, consentId: string): Promise<Page> {
    const confirmation = await browser.open(`${place}/withdraw/${consentId}`);
    return browser.submit(confirmation, { decision: 'continue' }, consentId);
  }

  const status = async (consentId: string): Promise<string> =>
    (await setting.stack.report(`/consents/${consentId}`)).json.Status as string;
  const isSignIn = ({ html }: Page): boolean => html.includes('name="password"');
  const isOverview = ({ html }: Page): boolean => html.includes('Who may look at your accounts');
  const csrfOf = ({ html }: Page): string => /name="csrf" value="([^"]*)"/.exec(html)?.[1] ?? '';
  /** The words of the cards of current and of past access, one by one. */
  const cards = ({ html }: Page): { current: string[]; past: string[] } => {
    const [current = '', past = ''] = html.split('<h2 id="past">');
    const words = (part: string): string[] => part.split('class="panel card"').slice(1).map(text);
    return { current: words(current), past: words(past) };
  };

  describe('signing in', () => {
    it('takes both factors, and shows nothing of the customer before', async () => {
      const { browser, page } = await arrive();
      expect([page.status, isSignIn(page)]).toEqual([200, true]);
      const person = setting.person('saver');
      const code = await browser.submit(page, { login_name: 'saver', password: person.password });
      expect([code.html.includes('name="code"'), code.html.includes(person.displayName)]).toEqual([true, false]);
      expect(isOverview(await browser.open(place))).toBe(false);
      const overview = await browser.submit(code, { code: person.code });
      expect([isOverview(overview), overview.html.includes(person.displayName)]).toEqual([true, true]);
    });

    it('never reveals which factor was wrong, or whether the name is known', async () => {
      const answers = await answersToWrongFactors(arrive);
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[2]).toEqual(answers[0]);
      expect(isOverview((await enter('cards')).page)).toBe(true);
    });

    it('asks for an empty field, and counts no attempt that did not reach the bank', async () => {
      const { browser, page: first } = await arrive();
      let page = await browser.submit(first, { login_name: 'cards', password: '' });
      expect(text(page.html)).toContain('Enter your login name and your password');
      for (let attempt = 0; attempt < 6; attempt++) {
        setting.customers.unreachable = true;
        page = await browser.submit(page, { login_name: 'cards', password: 'cards-password' });
        setting.customers.unreachable = false;
        expect(text(page.html)).toContain('We cannot check your details at the moment');
      }
      expect(isOverview(await setting.signIn(browser, page, 'cards'))).toBe(true);
    });

    it.each<[string, string, Record<string, string>]>([
      ['a form that was left empty', 'sign-in', { login_name: 'saver', password: '' }],
      ['a code without a sign-in', 'code', { code: '246810', login_name: 'saver', password: 'x' }],
    ])('leaves no row for %s, with a made-up cookie and its token', async (_what, step, form) => {
      const rows = async (): Promise<number> =>
        (await database.prisma.customerJourney.count()) + (await database.prisma.dashboardSession.count());
      const before = await rows();
      const browser = setting.browser();
      const made = step.padEnd(43, '-');
      browser.plant({ name: '__Host-dashboard_sign_in', value: made, path: '/' });
      const body = new URLSearchParams({ csrf: formToken(made), ...form });
      expect(await browser.post(new URL(`${place}/${step}`, browser.bank), body)).toBe(303);
      expect(await rows()).toBe(before);
    });

    it('and signing in on a journey share one count: after three failures in a row both wait', async () => {
      const journey = setting.browser();
      let asked = await journey.open((await tpp.begin(await tpp.createConsent(defaultPermissions))).url);
      const { browser, page: first } = await arrive();
      let page = first;
      for (let attempt = 1; attempt <= 3; attempt++) {
        const wrong = { login_name: 'blocked', password: attempt % 2 === 0 ? 'wrong' : 'blocked-password' };
        const code = { code: attempt % 2 === 0 ? '246810' : '000000' };
        if (attempt % 2 === 0) asked = await journey.submit(await journey.submit(asked, wrong), code);
        else await browser.submit(await browser.submit(page, wrong), code);
        page = await browser.open(`${place}?check-details`);
        asked = await journey.open(`${asked.url.pathname}?check-details`);
      }
      const right = { login_name: ' BLOCKED ', password: 'blocked-password' };
      const paused = await browser.submit(page, right);
      expect([paused.status, text(paused.html)]).toEqual([429, expect.stringContaining('Signing in is paused')]);
      expect((await journey.submit(asked, right)).status).toBe(429);
      clock.advance(minuteMs - 1);
      const blocked = await arrive();
      expect((await blocked.browser.submit(blocked.page, right)).status).toBe(429);
      clock.advance(1);
      expect(isOverview((await enter('blocked')).page)).toBe(true);
    });

    it('lets the bank check one of many guesses that arrive at once', async () => {
      const { browser, page } = await arrive();
      const code = await browser.submit(page, { login_name: 'calendar', password: 'calendar-password' });
      setting.customers.checked = 0;
      let release = (): void => undefined;
      setting.customers.held = new Promise((resolve) => (release = resolve));
      let answered = 0;
      const guesses = Array.from({ length: 20 }, async (_, guess) => {
        await browser.submit(code, { code: String(guess) });
        answered++;
      });
      await until(() => answered === 19);
      setting.customers.held = undefined;
      release();
      await Promise.all(guesses);
      expect(setting.customers.checked).toBe(1);
    });

    it('that takes 15 minutes begins again', async () => {
      const { browser, page } = await arrive();
      const code = await browser.submit(page, { login_name: 'saver', password: 'saver-password' });
      clock.advance(15 * minuteMs);
      const late = await browser.submit(code, { code: '246810' });
      expect([late.status, isSignIn(late)]).toEqual([200, true]);
      expect(isOverview(await setting.signIn(browser, late, 'saver'))).toBe(true);
    });
  });

  describe('a session', () => {
    it('is an opaque value in a cookie of this host alone, over TLS alone, that no script can read', async () => {
      const { browser } = await enter();
      const lines = browser.cookieLines.filter((line) => line.startsWith('__Host-dashboard_'));
      expect(lines.map((line) => sortedCookie(line).replace(/=[\w-]{43}(?=;)/, '=…'))).toEqual([
        '__Host-dashboard_sign_in=…; HttpOnly; Path=/; SameSite=Lax; Secure',
        '__Host-dashboard_sign_in=…; HttpOnly; Path=/; SameSite=Lax; Secure',
        '__Host-dashboard_sign_in=…; HttpOnly; Path=/; SameSite=Lax; Secure',
        '__Host-dashboard_session=…; HttpOnly; Path=/; SameSite=Lax; Secure',
        '__Host-dashboard_sign_in=; HttpOnly; Max-Age=0; Path=/; SameSite=Lax; Secure',
      ]);
    });

    it('is in the database without the cookie and without anything that can be read', async () => {
      const { browser } = await enter();
      const rows = JSON.stringify(await database.prisma.dashboardSession.findMany());
      const { customerRef, displayName } = setting.person('saver');
      for (const secret of [browser.cookie('__Host-dashboard_session') ?? '', customerRef, displayName])
        expect([secret.length > 0, rows.includes(secret)]).toEqual([true, false]);
    });

    it('has a fresh value: one that was planted before, under either name, opens nothing after', async () => {
      const planted = 'p'.repeat(43);
      const browser = setting.browser();
      for (const name of ['__Host-dashboard_session', '__Host-dashboard_sign_in'])
        browser.plant({ name, value: planted, path: '/' });
      const overview = await setting.signIn(browser, await browser.open(place), 'saver');
      expect([isOverview(overview), browser.cookie('__Host-dashboard_session') === planted]).toEqual([true, false]);
      for (const name of ['__Host-dashboard_session', '__Host-dashboard_sign_in']) {
        const thief = setting.browser();
        thief.plant({ name, value: planted, path: '/' });
        expect(isSignIn(await thief.open(place))).toBe(true);
      }
    });

    it('lasts 4:59.999 without activity, is renewed by it, and is over after 5:00.000', async () => {
      const { browser } = await enter();
      for (let visit = 0; visit < 3; visit++) {
        clock.advance(5 * minuteMs - 1);
        expect(isOverview(await browser.open(place))).toBe(true);
      }
      clock.advance(5 * minuteMs);
      const late = await browser.open(place);
      expect([isSignIn(late), text(late.html)]).toEqual([
        true,
        expect.stringContaining('We signed you out after 5 minutes without activity.'),
      ]);
      expect(isOverview(await setting.signIn(browser, late, 'saver'))).toBe(true);
    });

    it('that is over withdraws nothing, and says why it asks to sign in', async () => {
      const { consentId } = await setting.stack.consent({ persona: 'saver' });
      const { browser } = await enter();
      const confirmation = await browser.open(`${place}/withdraw/${consentId}`);
      clock.advance(5 * minuteMs);
      const late = await browser.submit(confirmation, {}, consentId);
      expect([text(late.html), await status(consentId)]).toEqual([
        expect.stringContaining('We signed you out after 5 minutes'),
        'authorised',
      ]);
      expect(isSignIn(await browser.open(`${place}/withdraw/${consentId}`))).toBe(true);
    });

    it('ends with signing out, also for a copy of its cookie', async () => {
      const { browser, page } = await enter();
      const value = browser.cookie('__Host-dashboard_session') ?? '';
      const left = await browser.submit(page, {}, 'sign-out');
      expect([text(left.html), browser.cookie('__Host-dashboard_session')]).toEqual([
        expect.stringContaining('You are signed out.'),
        undefined,
      ]);
      const other = setting.browser();
      other.plant({ name: '__Host-dashboard_session', value, path: '/' });
      expect(isSignIn(await other.open(place))).toBe(true);
    });

    it('ends when a customer begins to sign in at the same browser', async () => {
      const { browser } = await enter('saver');
      const value = browser.cookie('__Host-dashboard_session') ?? '';
      // A second window that was open before.
      const window = setting.browser();
      const page = await window.open(place);
      window.plant({ name: '__Host-dashboard_session', value, path: '/' });
      const { displayName, password } = setting.person('cards');
      const code = await window.submit(page, { login_name: 'cards', password });
      expect([code.html.includes('name="code"'), isSignIn(await browser.open(place))]).toEqual([true, true]);
      expect((await window.submit(code, { code: '246810' })).html).toContain(displayName);
    });
  });

  describe('a form', () => {
    it('without its token, or with another’s, is refused and changes nothing', async () => {
      const { consentId } = await setting.stack.consent({ persona: 'saver' });
      const before = await arrive();
      const begun = await arrive();
      const code = await begun.browser.submit(begun.page, { login_name: 'saver', password: 'saver-password' });
      const inside = await enter('saver');
      const confirmation = await inside.browser.open(`${place}/withdraw/${consentId}`);
      const foreign = csrfOf((await enter('cards')).page);
      for (const [browser, page, given, to] of [
        [before.browser, before.page, { login_name: 'saver', password: 'saver-password' }, 'sign-in'],
        [begun.browser, code, { code: '246810' }, 'code'],
        [inside.browser, confirmation, { decision: 'continue' }, consentId],
        [inside.browser, inside.page, {}, 'sign-out'],
      ] as const)
        for (const csrf of [undefined, '', foreign]) {
          const refused = await browser.submit(page, { ...given, csrf }, to);
          expect([to, refused.status, text(refused.html)]).toEqual([
            to,
            403,
            expect.stringContaining('That page was out of date'),
          ]);
        }
      expect([await status(consentId), isOverview(await inside.browser.open(place))]).toEqual(['authorised', true]);
    });

    it('that no browser of ours posts, or that is not a form, is refused', async () => {
      const { browser, page } = await enter();
      const at = (path: string): URL => new URL(`${place}${path}`, page.url);
      expect(await setting.browser().post(at('/sign-out'), new URLSearchParams({ csrf: csrfOf(page) }))).toBe(403);
      expect(await browser.post(at('/sign-out'), new URLSearchParams({ csrf: 'x'.repeat(20_000) }))).toBe(403);
      for (const [path, expected] of [
        ['', 405],
        ['/nothing', 404],
        ['/__proto__', 404],
        ['/withdraw', 404],
        ['/withdraw/a/b', 404],
        ['/sign-out/a', 404],
      ] as const)
        expect([path, await browser.post(at(path), new URLSearchParams())]).toEqual([path, expected]);
      expect((await browser.open(`${place}/sign-out`)).status).toBe(405);
    });
  });

  describe('the overview', () => {
    it('shows each TPP with access: its data and accounts, begin and end, last use and last authentication', async () => {
      const until = new Date(start + 30 * dayMs).toISOString();
      const { consentId, token } = await setting.stack.consent({
        persona: 'joint',
        permissions: ['ReadAccountsDetail', 'ReadBalances'],
        authenticatedAgoMs: 2 * minuteMs,
        data: { ExpirationDateTime: until },
      });
      const { browser, page } = await enter('joint');
      const { accounts } = setting.person('joint');
      const [card = ''] = cards(page).current;
      expect(cards(page)).toEqual({ current: [expect.any(String)], past: [] });
      for (const words of [
        // Another issuer's TPP, whose client id is that of a TPP which is registered here.
        'An app or website that we no longer know',
        `Access since ${day(start)}`,
        `Until ${moment(Date.parse(until))}`,
        'Last used Never',
        `You last confirmed it was you ${moment(start - 2 * minuteMs)}`,
        'Your account details',
        ...accounts.map(({ name }) => name),
      ])
        expect(card).toContain(words);

      expect((await setting.stack.ask('/accounts', { token })).status).toBe(200);
      expect(cards(await browser.open(place)).current[0]).toContain(`Last used ${moment(start)}`);
      expect(await status(consentId)).toBe('authorised');
    });

    it('keeps ended accesses, newest end first, and omits unanswered requests', async () => {
      const persona = 'traveller';
      const expiring = { ExpirationDateTime: new Date(start + minuteMs).toISOString() };
      const give = async (data = {}): Promise<string> => {
        const consentId = await tpp.createConsent(defaultPermissions, data);
        await setting.approve(await tpp.begin(consentId), persona);
        return consentId;
      };
      await give(expiring);
      const [revoked, deleted, withdrawn] = [await give(), await give(), await give()];
      const refused = await tpp.createConsent(defaultPermissions);
      await tpp.createConsent(defaultPermissions);
      clock.set(start + minuteMs);
      await setting.stack.report(`/consents/${revoked}/revoke`, {});
      clock.advance(1);
      await tpp.ask(`/account-access-consents/${deleted}`, await tpp.ownToken(), { method: 'DELETE' });
      clock.advance(1);
      const journey = setting.browser();
      const choice = await setting.signIn(journey, await journey.open((await tpp.begin(refused)).url), persona);
      await journey.submit(choice, { decision: 'deny' });
      clock.advance(1);
      const visit = await enter(persona);
      const overview = await withdraw(visit, withdrawn);
      expect(cards(overview).current).toEqual([]);
      const ends = ['Withdrawn by you', 'Refused by you', 'Ended by them', 'Ended by us', 'Expired'];
      expect(cards(overview).past.map((card) => ends.find((end) => card.includes(end)))).toEqual([
        ...ends.slice(0, 3),
        // In the same millisecond: which comes first does not matter.
        ...(cards(overview).past[3]?.includes('Ended by us') ? ends.slice(3) : ends.slice(3).reverse()),
      ]);
    });

    it('loads files from the gateway only', async () => {
      await setting.stack.consent({ persona: 'saver' });
      const { page } = await enter('saver');
      expect(page.headers.get('content-security-policy')).toBe(
        `default-src 'none'; style-src 'self'; script-src ${ownScript(page)}; img-src 'self'; ` +
          "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
      expect(page.headers.get('cache-control')).toBe('no-store');
    });

    it('shows accesses without the names of accounts, and withdraws them, when the core cannot name its customers’ accounts', async () => {
      const { consentId } = await setting.stack.consent({ persona: 'saver' });
      const visit = await enter('saver');
      const [{ name } = { name: '' }] = setting.person('saver').accounts;
      expect((await visit.browser.open(place)).html).toContain(name);
      coreIsAway = true;
      const page = await visit.browser.open(place);
      expect([page.status, page.html.includes(name)]).toEqual([200, false]);
      expect(cards(page).current[0]).toContain('Savings account');
      await withdraw(visit, consentId);
      expect(await status(consentId)).toBe('cancelled');
    });

    it('is unavailable while the database is unreachable, and does not claim that nothing was changed', async () => {
      const { consentId } = await setting.stack.consent({ persona: 'saver' });
      const { browser } = await enter('saver');
      const confirmation = await browser.open(`${place}/withdraw/${consentId}`);
      const outside = await arrive();
      database.failing = true;
      for (const page of [
        await browser.open(place),
        await browser.open(`${place}/withdraw/${consentId}`),
        await browser.submit(confirmation, {}, consentId),
        await browser.submit(confirmation, {}, 'sign-out'),
        await outside.browser.submit(outside.page, { login_name: 'saver', password: 'saver-password' }),
      ]) {
        expect([page.status, text(page.html)]).toEqual([503, expect.stringContaining('not available at the moment')]);
        expect(text(page.html)).not.toContain('changed nothing');
      }
      database.failing = false;
      expect([isOverview(await browser.open(place)), await status(consentId)]).toEqual([true, 'authorised']);
    });
  });

  describe('when an access was last used', () => {
    const uses = (): string[] => database.statements.filter((statement) => /consent_uses|consentUse/.test(statement));

    it('costs a request no statement', async () => {
      const { accessToken: token } = await setting.access(tpp, 'saver');
      expect((await tpp.ask('/accounts', token)).status).toBe(200);
      database.statements.length = 0;
      for (let read = 0; read < 20; read++) await tpp.ask('/accounts', token);
      expect(uses().length).toBeLessThanOrEqual(1);
      await (await enter('saver')).browser.open(place);
      expect(uses().length).toBeGreaterThan(0);
    });

    it('does not change with requests that were refused', async () => {
      const { token, accountId } = await setting.stack.consent({
        persona: 'overdrawn',
        permissions: ['ReadAccountsBasic'],
      });
      for (const [path, expected] of [
        [`/accounts/${accountId('CurrentAccount')}/balances`, 403],
        ['/accounts/unknown', 403],
        ['/nothing', 404],
      ] as const)
        expect([path, (await setting.stack.ask(path, { token })).status]).toEqual([path, expected]);
      expect(cards((await enter('overdrawn')).page).current[0]).toContain('Last used Never');
    });

    it('is not a reason for a read to fail while the database is unreachable, and is written when it is back', async () => {
      const { accessToken } = await setting.access(tpp, 'trader');
      const read = async (): Promise<number> => (await tpp.ask('/accounts', accessToken)).status;
      let status: number;
      let lastMs: number;
      // Where the machine is so slow that the rows of the first read are a second old by the second one, once more.
      do {
        expect(await read()).toBe(200);
        clock.advance(minuteMs);
        lastMs = clock.nowMs();
        database.failing = true;
        status = await read();
        database.failing = false;
      } while (status === 503);
      expect(status).toBe(200);
      expect(cards((await enter('trader')).page).current[0]).toContain(`Last used ${moment(lastMs)}`);
    });
  });

  describe('withdrawing', () => {
    it('takes one confirmation; then token, refresh and consent are dead at once, and the page says so', async () => {
      const access = await setting.access(tpp, 'saver');
      expect((await tpp.ask('/accounts', access.accessToken)).status).toBe(200);
      const visit = await enter('saver');
      const confirmation = await visit.browser.open(`${place}/withdraw/${access.consentId}`);
      expect(text(confirmation.html)).toContain('Withdraw the access of The tpp-one app ?');
      expect(await status(access.consentId)).toBe('authorised');
      const overview = await visit.browser.submit(confirmation, { decision: 'continue' }, access.consentId);
      expect(text(overview.html)).toContain('You withdrew the access of The tpp-one app');
      expect([await status(access.consentId), (await tpp.ask('/accounts', access.accessToken)).status]).toEqual([
        'cancelled',
        401,
      ]);
      await expect(tpp.refresh(access.refreshToken)).rejects.toMatchObject({ error: 'invalid_grant' });
      expect(cards(overview).past[0]).toContain('Withdrawn by you');
      expect(text((await visit.browser.open(place)).html)).not.toContain('You withdrew the access');
    });

    it('by a double click, and in two windows, shows that the access is withdrawn', async () => {
      const { consentId } = await setting.stack.consent({ persona: 'saver' });
      const { browser } = await enter('saver');
      const [one, other] = [
        await browser.open(`${place}/withdraw/${consentId}`),
        await browser.open(`${place}/withdraw/${consentId}`),
      ];
      const clicks = await Promise.all([browser.submit(one, {}, consentId), browser.submit(one, {}, consentId)]);
      const later = await browser.submit(other, {}, consentId);
      for (const page of [...clicks, later])
        expect([page.status, text(page.html)]).toEqual([200, expect.stringContaining('You withdrew the access of')]);
      const again = await browser.open(`${place}/withdraw/${consentId}`);
      expect([again.status, text(again.html)]).toEqual([404, expect.stringContaining('There is nothing to withdraw')]);
    });

    it.each<[string, string, (consentId: string) => Promise<unknown>, string]>([
      [
        'its TPP has deleted meanwhile',
        'scripts',
        async (consentId) =>
          setting.stack.ask(`/account-access-consents/${consentId}`, {
            method: 'DELETE',
            token: await setting.stack.clientToken(),
          }),
        'Ended by them',
      ],
      [
        'the bank has ended meanwhile',
        'history',
        (id) => setting.stack.report(`/consents/${id}/revoke`, {}),
        'Ended by us',
      ],
      ['has expired meanwhile', 'payer', async () => clock.advance(minuteMs), 'Expired'],
    ])('an access that %s says that there is nothing to withdraw', async (_how, persona, end, words) => {
      const data = { ExpirationDateTime: new Date(start + minuteMs).toISOString() };
      const { consentId } = await setting.stack.consent({ persona, data });
      const { browser } = await enter(persona);
      const confirmation = await browser.open(`${place}/withdraw/${consentId}`);
      await end(consentId);
      const late = await browser.submit(confirmation, {}, consentId);
      expect([late.status, text(late.html)]).toEqual([404, expect.stringContaining('There is nothing to withdraw')]);
      expect(cards(await browser.open(place)).past[0]).toContain(words);
    });

    it('another customer’s access is as unknown as one that does not exist, and stays', async () => {
      const { consentId } = await setting.stack.consent({ persona: 'saver' });
      const awaiting = await tpp.createConsent(defaultPermissions);
      const { browser, page } = await enter('cards');
      const answers: unknown[] = [];
      for (const id of [consentId, awaiting, 'aac-00000000-0000-4000-8000-000000000000', '%00', '..%2f..']) {
        const url = new URL(`${place}/withdraw/${id}`, page.url);
        const seen = await browser.open(url);
        const posted = await browser.post(url, new URLSearchParams({ csrf: csrfOf(page) }));
        answers.push([seen.status, text(seen.html), posted]);
      }
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(answers[0]).toEqual([404, expect.stringContaining('nothing to withdraw'), 404]);
      expect(cards(page).current.join()).not.toContain('Savings account');
      expect([await status(consentId), await status(awaiting)]).toEqual(['authorised', 'awaiting']);
    });
  });
});

describe('a gateway that stops', () => {
  it('has written the last use of each access on both ports, up to the last moment', async () => {
    const database = await freshDatabase();
    const setting = await AuthorisationSetting.start({ database });
    const tpp = await setting.tpp('tpp-one');
    const { consentId, accessToken } = await setting.access(tpp, 'saver');
    const plain = await setting.stack.consent({ persona: 'saver' });
    expect((await tpp.ask('/accounts', accessToken)).status).toBe(200);
    expect((await setting.stack.ask('/accounts', { token: plain.token })).status).toBe(200);
    await setting.close();
    const prisma = await PrismaService.open(database.config);
    const uses = await prisma.consentUse.findMany();
    await prisma.onApplicationShutdown();
    await database.drop();
    expect(new Set(uses.map((use) => use.consentId))).toEqual(new Set([consentId, plain.consentId]));
  });
});

const parts = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', ...options });
const day = (ms: number): string => parts({ day: 'numeric', month: 'long', year: 'numeric' }).format(ms);
const moment = (ms: number): string =>
  `${day(ms)} at ${parts({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(ms)}`;
