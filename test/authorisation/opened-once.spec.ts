import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as oidc from 'openid-client';
import { Agent, fetch } from 'undici';
import { text, type Page } from './browser.js';
import { WatchedDatabase } from '../support/watched-database.js';
import { AuthorisationSetting, defaultPermissions, offeredKeys } from './setting.js';
import type { TestTpp } from './tpp.js';

describe('a pushed authorization request', () => {
  const database = new WatchedDatabase();
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let agent: Agent;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start({ persistence: database.module });
    tpp = await setting.tpp('tpp-one', {
      metadata: { fapi_profile: '2.0', require_signed_request_object: false, response_types: ['code'] },
    });
    agent = new Agent({ connect: { ca: setting.places.ca } });
  });
  afterAll(async () => {
    await agent.destroy();
    await setting.close();
  });

  async function push(): Promise<URL> {
    const { parameters, verifier } = tpp.parameters(await tpp.createConsent(defaultPermissions));
    return oidc.buildAuthorizationUrlWithPAR(await tpp.config(), {
      ...parameters,
      response_type: 'code',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
  }
  const asked = (url: URL, method: string, headers = {}) =>
    fetch(url, { method, headers, dispatcher: agent, redirect: 'manual' });
  const isSignIn = (page: Page): boolean => page.status === 200 && page.html.includes('name="password"');
  function expectNotice(page: Page): void {
    expect([page.status, text(page.html)]).toEqual([400, expect.stringContaining('This page is no longer open')]);
    expect(text(page.html)).toContain('To continue, start again from');
  }

  it('is opened once: another browser gets a page that says so, and the first one goes on', async () => {
    const url = await push();
    const [first, second] = [setting.browser(), setting.browser()];
    const page = await first.open(url);
    expect(isSignIn(page)).toBe(true);
    expectNotice(await second.open(url));
    const choice = await setting.signIn(first, page, 'saver');
    expectNotice(await second.open(url));
    const back = await first.submit(choice, { account: offeredKeys(choice), decision: 'approve' });
    expect([back.url.pathname, back.url.searchParams.has('code')]).toEqual(['/callback', true]);
  });

  it('goes on where it was when the same browser opens it again', async () => {
    const url = await push();
    const browser = setting.browser();
    const page = await browser.open(url);
    expect(isSignIn(await browser.open(url))).toBe(true);
    const choice = await setting.signIn(browser, page, 'saver');
    const again = await browser.open(url);
    expect([again.url.pathname, offeredKeys(again)]).toEqual([choice.url.pathname, offeredKeys(choice)]);
    expect((await browser.submit(again, { decision: 'cancel' })).url.searchParams.get('error')).toBe('access_denied');
    // Nor does its end, without any code, open it again.
    expectNotice(await browser.open(url));
  });

  it('of ten browsers that open it at once, one has its journey', async () => {
    const url = await push();
    const pages = await Promise.all(Array.from({ length: 10 }, () => setting.browser().open(url)));
    expect(pages.filter(isSignIn)).toHaveLength(1);
    pages.filter((page) => !isSignIn(page)).forEach(expectNotice);
  });

  it('is answered once, however often the browser asks at the same moment, and leaves nothing of itself', async () => {
    const rows = { where: { model: { in: ['PushedAuthorizationRequest', 'Interaction'] } } };
    await database.prisma.oidcArtefact.deleteMany(rows);
    const url = await push();
    const browser = setting.browser();
    const choice = await setting.signIn(browser, await browser.open(url), 'saver');
    expect(await database.prisma.oidcArtefact.count(rows)).toBe(2);
    browser.follows = ({ pathname }) => !pathname.startsWith('/as/authorize/');
    const { url: end } = await browser.submit(choice, { account: offeredKeys(choice), decision: 'approve' });
    const headers = { cookie: browser.cookiesFor(end.pathname) };
    const answers = await Promise.all(Array.from({ length: 5 }, () => asked(end, 'GET', headers)));
    const codes = answers.flatMap((answer) =>
      new URL(answer.headers.get('location') ?? end).searchParams.getAll('code'),
    );
    expect(codes).toHaveLength(1);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400, 400]);
    expect(await database.prisma.oidcArtefact.count(rows)).toBe(0);
  });

  it('is not opened by a look at its headers, nor by a browser that fetches it in advance', async () => {
    const url = await push();
    const looked = await asked(url, 'HEAD');
    expect([looked.status, looked.headers.getSetCookie()]).toEqual([200, []]);
    for (const headers of [
      { 'sec-purpose': 'prefetch' },
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
      { 'x-moz': 'prefetch' },
      { 'x-purpose': 'preview' },
    ]) {
      const fetched = await asked(url, 'GET', headers);
      expect([fetched.status, fetched.headers.get('cache-control'), fetched.headers.getSetCookie()]).toEqual([
        503,
        'no-store',
        [],
      ]);
    }
    expect(isSignIn(await setting.browser().open(url))).toBe(true);
  });
});

describe('a signed authorization request in the address', () => {
  it('has one journey, in the browser that opened it last', async () => {
    const setting = await AuthorisationSetting.start();
    try {
      const tpp = await setting.tpp('tpp-one');
      const { url } = await tpp.begin(await tpp.createConsent(defaultPermissions));
      const [first, second] = [setting.browser(), setting.browser()];
      const page = await first.open(url);
      expect((await second.open(url)).status).toBe(200);
      expect((await first.open(page.url)).status).toBe(400);
    } finally {
      await setting.close();
    }
  });
});
