import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { Browser } from 'playwright-core';
import { hasChromium, launchChromium } from '../support/chromium.js';
import { AuthorisationSetting, defaultPermissions, offeredKeys } from './setting.js';
import { claimsFor, redirectUri, type TestTpp } from './tpp.js';

const present = hasChromium('form_post is');

/** The security headers of every page of ours. */
const securityHeaders = [
  'cache-control',
  'x-content-type-options',
  'x-frame-options',
  'referrer-policy',
  'cross-origin-opener-policy',
] as const;

describe('a page that posts the answer to the TPP (form_post)', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start();
    tpp = await setting.tpp('tpp-one');
  });
  afterAll(() => setting.close());

  const asking = async (changes: Readonly<Record<string, unknown>>): Promise<URL> =>
    tpp.beginWith(await tpp.requestObject(await tpp.createConsent(defaultPermissions), changes));
  const policyOf = (headers: Headers): string[] => (headers.get('content-security-policy') ?? '').split(/; ?/);

  it.each([
    ['code id_token', 'form_post'],
    ['code id_token', 'form_post.jwt'],
  ])('carries the headers of the customers’ pages: %s by %s', async (type, mode) => {
    const browser = setting.browser();
    const url = await asking({ response_type: type, response_mode: mode });
    const signIn = await browser.open(url);
    const choice = await setting.signIn(browser, signIn, 'saver');
    const page = await browser.submit(choice, { account: offeredKeys(choice), decision: 'approve' });
    expect([page.status, page.html]).toEqual([200, expect.stringContaining(`action="${redirectUri}"`)]);
    for (const name of securityHeaders)
      expect([name, page.headers.get(name)]).toEqual([name, signIn.headers.get(name)]);
    const others = (policy: string[]): string[] => policy.filter((directive) => !directive.startsWith('script-src'));
    expect(others(policyOf(page.headers))).toEqual(others(policyOf(signIn.headers)));
    const scripts = policyOf(page.headers).find((directive) => directive.startsWith('script-src'));
    expect(scripts).toMatch(/^script-src( 'sha256-[A-Za-z0-9+/]{43}='){2}$/);
  });

  it.each(['form_post', 'form_post.jwt'])('carries these headers also with an error, by %s', async (mode) => {
    const page = await setting.browser().open(await asking({ response_mode: mode, prompt: 'none' }));
    expect([page.status, page.html]).toEqual([400, expect.stringContaining(`action="${redirectUri}"`)]);
    expect(policyOf(page.headers)).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "form-action 'self' https://tpp.example",
        "frame-ancestors 'none'",
      ]),
    );
    expect(page.headers.get('x-frame-options')).toBe('DENY');
  });
});

(present ? describe : describe.skip)('form_post in Chromium', () => {
  let setting: AuthorisationSetting;
  let browser: Browser;
  let callback: Server;
  let tpp: TestTpp;
  let place: string;
  const received: URLSearchParams[] = [];
  beforeAll(async () => {
    setting = await AuthorisationSetting.start();
    callback = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        if (request.method === 'POST') received.push(new URLSearchParams(body));
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<link rel="icon" href="data:,"><h1>Back at the TPP</h1>');
      });
    }).listen(0, '127.0.0.1');
    await once(callback, 'listening');
    place = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
    const metadata = {
      redirect_uris: [place],
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    };
    tpp = await setting.tpp('tpp-post', { metadata });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    callback?.close();
    await setting?.close();
  });

  it.each([
    ['by itself', true],
    ['by its button, without scripts', false],
  ])(
    'posts the answer to the TPP %s, and nothing is blocked',
    async (_how, javaScriptEnabled) => {
      const consentId = await tpp.createConsent(defaultPermissions);
      const changes = { redirect_uri: place, response_type: 'code', response_mode: 'form_post.jwt' };
      const object = await tpp.requestObject(consentId, { ...changes, claims: claimsFor(consentId) });
      const url = await tpp.beginWith(object);
      url.searchParams.set('redirect_uri', place);
      url.searchParams.set('response_type', 'code');
      const context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        // The library's page has no icon, and nor have we at that address.
        if (!message.location().url.endsWith('/favicon.ico')) complaints.push(message.text());
      });
      received.length = 0;
      await page.goto(url.href);
      const person = setting.person('saver');
      await page.fill('[name=login_name]', person.loginName);
      await page.fill('[name=password]', person.password);
      await page.click('text=Continue');
      await page.fill('[name=code]', person.code);
      await page.click('text=Continue');
      await page.check('[name=account] >> nth=0');
      await page.click('[name=decision][value=approve]');
      if (!javaScriptEnabled) await page.click('button[type=submit]:has-text("Continue")');
      await page.getByText('Back at the TPP').waitFor();
      expect(received).toHaveLength(1);
      const { aud, code } = decodeJwt(received[0]?.get('response') ?? '');
      expect([page.url(), aud, code]).toEqual([place, 'tpp-post', expect.any(String)]);
      expect(complaints).toEqual([]);
      await context.close();
    },
    60_000,
  );
});
