import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { text, type Browser, type Page } from './browser.js';
import { AuthorisationSetting, defaultPermissions, offeredKeys } from './setting.js';
import type { TestTpp } from './tpp.js';

describe('the language of the customer’s pages', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start();
    tpp = await setting.tpp('tpp-one');
  });
  afterAll(() => setting.close());

  function browser(acceptLanguage?: string): Browser {
    const one = setting.browser();
    if (acceptLanguage !== undefined) one.headers = { 'accept-language': acceptLanguage };
    return one;
  }

  function told({ html, headers }: Page): unknown[] {
    return [/<html lang="([^"]*)"/.exec(html)?.[1], headers.get('content-language'), headers.get('vary')];
  }

  const inWelsh = ['cy-GB', 'cy-GB', 'accept-language'];
  const inEnglish = ['en-GB', 'en-GB', 'accept-language'];

  it('is Welsh on every page of a journey of a browser that prefers Welsh', async () => {
    const welsh = browser('cy,en-GB;q=0.8');
    const begun = await tpp.begin(await tpp.createConsent(defaultPermissions));
    const signIn = await welsh.open(begun.url);
    const { password, code } = setting.person('saver');
    const codePage = await welsh.submit(signIn, { login_name: 'saver', password });
    const decision = await welsh.submit(codePage, { code });
    expect([signIn, codePage, decision].map(told)).toEqual([inWelsh, inWelsh, inWelsh]);
    expect(text(decision.html)).toContain('Dewiswch beth i’w rannu â');
    const back = await welsh.submit(decision, { account: offeredKeys(decision), decision: 'approve' });
    expect(back.url.href).toContain('code=');
  });

  it('is English for a browser that prefers none of ours, or says nothing', async () => {
    for (const acceptLanguage of ['fr-FR', undefined]) {
      const begun = await tpp.begin(await tpp.createConsent(defaultPermissions));
      expect(told(await browser(acceptLanguage).open(begun.url))).toEqual(inEnglish);
    }
  });

  it('can change in the middle of a journey', async () => {
    const one = browser('cy');
    const begun = await tpp.begin(await tpp.createConsent(defaultPermissions));
    const page = await one.open(begun.url);
    one.headers = { 'accept-language': 'en' };
    const next = await one.submit(page, { login_name: 'saver', password: setting.person('saver').password });
    expect([told(page), told(next)]).toEqual([inWelsh, inEnglish]);
  });

  it.each([
    ['of the dashboard', '/as/dashboard', 200],
    ['about a journey that is over', '/as/interaction/unknown', 400],
    ['about a request that cannot be used', '/as/authorize', 400],
  ])('is the browser’s on a page %s', async (_which, path, status) => {
    const page = await browser('cy').open(path);
    expect([page.status, ...told(page)]).toEqual([status, ...inWelsh]);
  });
});
