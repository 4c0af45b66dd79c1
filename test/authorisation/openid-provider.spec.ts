import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPair } from 'jose';
import { kitServices } from '../../packages/adapter-kit/kit-services.js';
import { signOnHttp } from '../../packages/customer-authentication/sign-on-http.js';
import { createCustomerAuthentication } from '../../src/customer-authentication/adapters/oidc/oidc.adapter.js';
import { strongAuthentication } from '../../src/open-banking/authentication-classes.js';
import { RunningClock } from '../support/running-clock.js';
import { realNowMs } from '../support/real-time.js';
import { BankProvider, providerClientId } from './bank-provider.js';
import { text, type Browser, type Page } from './browser.js';
import { AuthorisationSetting, defaultPermissions, offeredKeys } from './setting.js';
import { redirectUri, type StartedRequest, type TestTpp } from './tpp.js';

const clientSecret = 'secret-of-the-gateway-0123456789abcdef';

describe('customers who sign in at the bank’s OpenID provider', () => {
  const clock = new RunningClock();
  const services = { ...kitServices, http: signOnHttp, clock };
  let provider: BankProvider;
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  const people: { customerRef: string; displayName: string }[] = [];
  beforeAll(async () => {
    provider = await BankProvider.at(people);
    const variables = {
      CUSTOMER_AUTHENTICATION_CLIENT_ID: providerClientId,
      CUSTOMER_AUTHENTICATION_CREDENTIAL: clientSecret,
    };
    const signOn = await createCustomerAuthentication({ url: provider.issuer, variables }, services);
    setting = await AuthorisationSetting.start({ signOn, clock });
    people.push(setting.person('saver'), setting.person('cards'));
    await open();
    tpp = await setting.tpp('tpp-one');
  });
  afterAll(async () => {
    await setting.close();
    await provider.stop();
  });
  afterEach(() => {
    const { behaviour } = provider;
    Object.assign(behaviour, { acr: strongAuthentication, authenticatedSecondsAgo: 0, claims: {} });
    Object.assign(behaviour, { tamper: undefined, forgery: undefined });
    clock.set(realNowMs());
  });

  const returnUrl = (): string => `${new URL(setting.places.issuer).origin}/as/sign-on/return`;
  const open = (): Promise<void> => provider.open(returnUrl(), { client_secret: clientSecret });

  interface BrowserPage {
    readonly browser: Browser;
    readonly begun: StartedRequest;
    readonly consentId: string;
    readonly page: Page;
  }
  async function arrive(consentId?: string): Promise<BrowserPage> {
    const id = consentId ?? (await tpp.createConsent(defaultPermissions));
    const begun = await tpp.begin(id);
    const browser = newBrowser();
    return { browser, begun, consentId: id, page: await browser.open(begun.url) };
  }
  /** It follows redirects to the bank's provider too. */
  function newBrowser(): Browser {
    const browser = setting.browser();
    const ours = [new URL(setting.places.issuer).origin, provider.issuer];
    browser.follows = ({ origin }) => ours.includes(origin);
    return browser;
  }
  /** The page of the bank's own sign-on. */
  const atBank = ({ browser, page }: Pick<BrowserPage, 'browser' | 'page'>): Promise<Page> => browser.submit(page, {});
  const answer = (browser: Browser, page: Page, customer = 'saver'): Promise<Page> =>
    browser.submit(page, { customer: customer === '' ? '' : setting.person(customer).customerRef });
  async function signIn(visit: BrowserPage, customer = 'saver'): Promise<Page> {
    return answer(visit.browser, await atBank(visit), customer);
  }
  /** The address with which the provider sends the browser back, which the browser has not opened. */
  async function wayBack(visit: BrowserPage): Promise<URL> {
    const page = await atBank(visit);
    const { follows } = visit.browser;
    visit.browser.follows = (url) => url.origin === provider.issuer;
    const { url } = await answer(visit.browser, page);
    visit.browser.follows = follows;
    return url;
  }
  const isStart = ({ html }: Page): boolean => html.includes('Go to the sign-in page');
  async function party(token: string): Promise<number> {
    const accounts = await tpp.ask('/accounts', token);
    if (accounts.status !== 200) return accounts.status;
    return (await tpp.ask(`/accounts/${accounts.json.Data.Account[0].AccountId}/party`, token)).status;
  }

  it('see who asks before they leave, sign in there, choose accounts here, and the TPP gets tokens', async () => {
    const visit = await arrive();
    expect(text(visit.page.html)).toContain('The tpp-one app asks to see information about your accounts');
    expect([isStart(visit.page), visit.page.html.includes('type="password"')]).toEqual([true, false]);
    const choice = await signIn(visit);
    expect(text(choice.html)).toContain(`Hello ${setting.person('saver').displayName}`);
    const back = await visit.browser.submit(choice, { account: offeredKeys(choice), decision: 'approve' });
    const tokens = await tpp.finish(visit.begun, back.url);
    expect(await party(tokens.access_token)).toBe(200);
  });

  it('are asked to authenticate again and strongly, by a pushed request with state, nonce and PKCE', async () => {
    const before = provider.asked.pushed;
    await atBank(await arrive());
    expect(provider.asked.pushed).toBe(before + 1);
    expect(provider.requests.at(-1)).toMatchObject({
      client_id: providerClientId,
      redirect_uri: returnUrl(),
      response_type: 'code',
      scope: 'openid profile',
      state: expect.stringMatching(/^[\w-]{22}\.[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      prompt: 'login',
      max_age: '60',
      acr_values: strongAuthentication,
      ui_locales: 'en-GB',
    });
  });

  it('open the window from the time at which the provider authenticated them', async () => {
    provider.behaviour.authenticatedSecondsAgo = 50;
    const visit = await arrive();
    const choice = await signIn(visit);
    const back = await visit.browser.submit(choice, { account: offeredKeys(choice), decision: 'approve' });
    const tokens = await tpp.finish(visit.begun, back.url);
    clock.advance(240_000);
    expect(await party(tokens.access_token)).toBe(200);
    clock.advance(15_000);
    expect(await party(tokens.access_token)).toBe(403);
  });

  it('open it again when they authenticate again; another customer cannot', async () => {
    const first = await arrive();
    const choice = await signIn(first);
    const back = await first.browser.submit(choice, { account: offeredKeys(choice), decision: 'approve' });
    const old = await tpp.finish(first.begun, back.url);
    clock.advance(301_000);
    expect(await party(old.access_token)).toBe(403);
    clock.set(realNowMs());

    const stranger = await signIn(await arrive(first.consentId), 'cards');
    expect([stranger.status, stranger.html.includes(setting.person('saver').displayName)]).toEqual([403, false]);

    const again = await arrive(first.consentId);
    const confirm = await signIn(again);
    const tokens = await tpp.finish(again.begun, (await again.browser.submit(confirm, { decision: 'approve' })).url);
    expect(await party(tokens.access_token)).toBe(200);
  });

  it('open it again from the provider’s time, not from their return minutes later', async () => {
    const first = await arrive();
    const choice = await signIn(first);
    const back = await first.browser.submit(choice, { account: offeredKeys(choice), decision: 'approve' });
    await tpp.finish(first.begun, back.url);

    const again = await arrive(first.consentId);
    const returned = await wayBack(again);
    clock.advance(240_000);
    const confirm = await again.browser.open(returned);
    expect(text(confirm.html)).toContain('Confirm access for');
    const tokens = await tpp.finish(again.begun, (await again.browser.submit(confirm, { decision: 'approve' })).url);
    expect(await party(tokens.access_token)).toBe(200);
    clock.advance(65_000);
    expect(await party(tokens.access_token)).toBe(403);
  });

  it('who refuse there are back at the beginning, and can try again', async () => {
    const visit = await arrive();
    const page = await answer(visit.browser, await atBank(visit), '');
    expect([isStart(page), text(page.html)]).toEqual([true, expect.stringContaining('You did not finish signing in')]);
    expect(offeredKeys(await signIn({ ...visit, page })).length).toBeGreaterThan(0);
  });

  it('who go back from there see the beginning, without being sent there again', async () => {
    const visit = await arrive();
    await atBank(visit);
    const page = await visit.browser.open(visit.page.url);
    expect([page.url.href, isStart(page)]).toEqual([visit.page.url.href, true]);
  });

  it('sign in to the dashboard the same way', async () => {
    const browser = newBrowser();
    const page = await answer(browser, await atBank({ browser, page: await browser.open('/as/dashboard') }));
    expect(text(page.html)).toContain('Who may look at your accounts');
  });

  it('who may act for several customers choose one, with the references at other cores', async () => {
    const [saver, cards] = [setting.person('saver'), setting.person('cards')];
    const variables = {
      CUSTOMER_AUTHENTICATION_CLIENT_ID: providerClientId,
      CUSTOMER_AUTHENTICATION_CREDENTIAL: clientSecret,
      CUSTOMER_AUTHENTICATION_CUSTOMER_CLAIM: 'customers',
    };
    provider.behaviour.claims = {
      customers: [saver, cards].map(({ customerRef: ref, displayName: name }) => ({
        ref,
        name,
        refs: { loans: 'L-7' },
      })),
    };
    const settings = { url: provider.issuer, variables };
    const signOn = await createCustomerAuthentication(settings, services);
    const step = await signOn.begin(
      {
        purpose: 'dashboard',
        browser: { deviceCookie: 'd' },
        returnTo: { url: returnUrl(), state: 'state' },
        acrValues: [strongAuthentication],
        language: 'en-GB',
      },
      AbortSignal.timeout(60_000),
    );
    if (step.step !== 'redirect') throw new Error('no redirect');
    const browser = newBrowser();
    browser.follows = (url) => url.origin === provider.issuer;
    const back = await answer(browser, await browser.open(step.url));
    const done = await signOn.continue(
      step.state,
      { input: 'return', url: back.url.href },
      AbortSignal.timeout(60_000),
    );
    expect(done).toMatchObject({
      step: 'done',
      result: {
        customers: [saver, cards].map(({ customerRef, displayName }) => ({
          customerRef,
          customerRefs: { loans: 'L-7' },
          displayName,
        })),
        method: 'pwd+otp',
        acr: strongAuthentication,
      },
    });
    await signOn.close();
  });

  describe('are protected:', () => {
    /** The answer to a sign-in that must not succeed: the customer is at the beginning, and the log has the reason. */
    async function expectRefused(visit: BrowserPage, page: Page, reason: RegExp): Promise<void> {
      expect([page.status, isStart(page), text(page.html)]).toEqual([
        200,
        true,
        expect.stringContaining('We cannot check your details at the moment'),
      ]);
      const line = setting.stack.log.findLast((one) => one.includes('failed a request')) ?? '';
      expect(line).toMatch(reason);
      expect(line).not.toMatch(/eyJ|secret-of-the-gateway/);
      expect((await setting.stack.report(`/consents/${visit.consentId}`)).json.Status).toBe('awaiting');
    }

    it.each<[string, (provider: BankProvider) => unknown, RegExp]>([
      [
        'an ID token with another nonce',
        ({ behaviour }) => (behaviour.tamper = (c) => ({ ...c, nonce: 'n' })),
        /JWT_CLAIM/,
      ],
      [
        'an ID token of another client',
        ({ behaviour }) => (behaviour.tamper = (c) => ({ ...c, aud: 'x' })),
        /JWT_CLAIM/,
      ],
      [
        'an ID token of another issuer',
        ({ behaviour }) => (behaviour.tamper = (c) => ({ ...c, iss: 'https://x.example' })),
        /JWT_CLAIM/,
      ],
      [
        'an ID token without its time of authentication',
        ({ behaviour }) => (behaviour.tamper = (c) => ({ ...c, auth_time: undefined })),
        /refused|lacks/,
      ],
      ['an earlier authentication', ({ behaviour }) => (behaviour.authenticatedSecondsAgo = 300), /TIMESTAMP/],
      [
        'an authentication in the future',
        ({ behaviour }) => (behaviour.tamper = (c) => ({ ...c, auth_time: Number(c['auth_time']) + 300 })),
        /in the future/,
      ],
      ['a weak authentication', ({ behaviour }) => (behaviour.acr = 'password-only'), /does not name its acr/],
      [
        'an ID token without acr',
        ({ behaviour }) => (behaviour.tamper = (c) => ({ ...c, acr: undefined })),
        /lacks acr/,
      ],
      [
        'an ID token with a wrong signature',
        async ({ behaviour }) => (behaviour.forgery = (await generateKeyPair('ES256')).privateKey),
        /OAUTH_|refused/,
      ],
      [
        'an expired ID token',
        ({ behaviour }) => (behaviour.tamper = (c) => ({ ...c, exp: 1_000_000_000 })),
        /TIMESTAMP/,
      ],
    ])('%s is refused', async (_what, set, reason) => {
      await set(provider);
      const visit = await arrive();
      await expectRefused(visit, await signIn(visit), reason);
    });

    it('a return to another browser gets nothing, and leaves the sign-in open for the browser that began it', async () => {
      const visit = await arrive();
      const url = await wayBack(visit);
      const asked = provider.asked.tokens;
      const thief = await newBrowser().open(url);
      expect([thief.status, text(thief.html)]).toEqual([400, expect.stringContaining('This page is no longer open')]);
      // The thief has a journey too, but not this one.
      const own = await arrive();
      await atBank(own);
      expect((await own.browser.open(url)).status).toBe(400);
      expect(provider.asked.tokens).toBe(asked);
      expect(offeredKeys(await visit.browser.open(url)).length).toBeGreaterThan(0);
    });

    it.each<[string, (url: URL) => void]>([
      [
        'another state',
        (url) => url.searchParams.set('state', url.searchParams.get('state')?.replace(/.{43}$/, 'x'.repeat(43)) ?? ''),
      ],
      ['the state of another journey', (url) => url.searchParams.set('state', `${'x'.repeat(22)}.${'y'.repeat(43)}`)],
      ['no state', (url) => url.searchParams.delete('state')],
    ])('a return with %s changes nothing and asks the provider nothing', async (_what, change) => {
      const visit = await arrive();
      const url = await wayBack(visit);
      const changed = new URL(url);
      change(changed);
      const asked = provider.asked.tokens;
      expect((await visit.browser.open(changed)).status).toBe(400);
      expect(provider.asked.tokens).toBe(asked);
      expect(offeredKeys(await visit.browser.open(url)).length).toBeGreaterThan(0);
    });

    it.each<[string, (url: URL) => void]>([
      ['the name of another issuer', (url) => url.searchParams.set('iss', 'http://another.example')],
      ['an empty issuer', (url) => url.searchParams.set('iss', '')],
      ['no issuer', (url) => url.searchParams.delete('iss')],
      ['two issuers', (url) => url.searchParams.append('iss', provider.issuer)],
      ['two codes', (url) => url.searchParams.append('code', 'x')],
      ['no code', (url) => url.searchParams.delete('code')],
      ['an empty code', (url) => url.searchParams.set('code', '')],
      ['an answer in a JWT', (url) => url.searchParams.set('response', 'x')],
      ['an ID token', (url) => url.searchParams.set('id_token', 'x')],
      ['an error of no standard', (url) => url.searchParams.set('error', 'Mary Smith')],
    ])('a return with %s, which a browser can make, is a refusal and no fault', async (_what, change) => {
      const visit = await arrive();
      const url = await wayBack(visit);
      change(url);
      const [asked, logged] = [provider.asked.tokens, setting.stack.log.length];
      const page = await visit.browser.open(url);
      expect([page.status, isStart(page), text(page.html)]).toEqual([
        200,
        true,
        expect.stringContaining('You did not finish signing in'),
      ]);
      expect(setting.stack.log.slice(logged).join('')).not.toMatch(/"level":(50|60)|Mary Smith/);
      expect(provider.asked.tokens).toBe(asked);
    });

    it('a return is accepted once: opened again it shows the page where the customer is', async () => {
      const visit = await arrive();
      const url = await wayBack(visit);
      const asked = provider.asked.tokens;
      const choice = await visit.browser.open(url);
      const again = await visit.browser.open(url);
      expect([offeredKeys(again), again.url.pathname]).toEqual([offeredKeys(choice), choice.url.pathname]);
      expect(provider.asked.tokens).toBe(asked + 1);
    });

    it('a return that arrives twice at once signs in once', async () => {
      const visit = await arrive();
      const url = await wayBack(visit);
      const asked = provider.asked.tokens;
      const both = await Promise.all([visit.browser.open(url), visit.browser.open(url)]);
      expect(both.some((page) => offeredKeys(page).length > 0)).toBe(true);
      expect(provider.asked.tokens).toBe(asked + 1);
    });

    it('a code that was used before is refused', async () => {
      const visit = await arrive();
      const url = await wayBack(visit);
      const used = await fetch(`${provider.issuer}/token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${providerClientId}:${clientSecret}`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: url.searchParams.get('code') ?? '',
          redirect_uri: returnUrl(),
          code_verifier: 'x'.repeat(43),
        }),
      });
      expect(used.status).toBe(400);
      const stolen = new URL(url);
      stolen.searchParams.set('code', 'a-code-that-nobody-issued');
      const page = await visit.browser.open(stolen);
      expect([isStart(page), text(page.html)]).toEqual([
        true,
        expect.stringContaining('You did not finish signing in'),
      ]);
    });

    it('the cookie that a thief copied before the return is useless after it', async () => {
      const visit = await arrive();
      const url = await wayBack(visit);
      const thief = newBrowser();
      for (const pair of visit.browser.cookiesFor('/').split('; ')) {
        const [name = '', value = ''] = pair.split('=');
        thief.plant({ name, value, path: '/' });
      }
      const choice = await visit.browser.open(url);
      expect((await thief.open(choice.url)).status).toBe(400);
      expect((await thief.open(`${choice.url.pathname}?leave`)).status).toBe(400);
    });

    it('a second beginning makes the return of the first one out of date', async () => {
      const visit = await arrive();
      const first = await wayBack(visit);
      const page = await visit.browser.open(visit.page.url);
      const second = await wayBack({ ...visit, page });
      expect((await visit.browser.open(first)).status).toBe(400);
      expect(offeredKeys(await visit.browser.open(second)).length).toBeGreaterThan(0);
    });

    it('a return after the end of the journey leads to the TPP', async () => {
      const visit = await arrive();
      const url = await wayBack(visit);
      clock.advance(16 * 60_000);
      const end = await visit.browser.open(url);
      expect([end.url.href.startsWith(redirectUri), end.url.hash]).toEqual([
        true,
        expect.stringContaining('error=access_denied'),
      ]);
    });

    it('a provider that is unreachable is not a refusal, and the sign-in goes on when it is back', async () => {
      const visit = await arrive();
      const url = await wayBack(visit);
      await provider.stop();
      try {
        const page = await visit.browser.open(url);
        await expectRefused(visit, page, /is unreachable at 127\.0\.0\.1/);
        await expectRefused(visit, await atBank({ ...visit, page }), /is unreachable at 127\.0\.0\.1/);
      } finally {
        await open();
      }
      expect(
        offeredKeys(await signIn({ ...visit, page: await visit.browser.open(visit.page.url) })).length,
      ).toBeGreaterThan(0);
    });
  });
});
