import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { againAfterMs, mostLogoBytes } from '../../src/authorisation-server/tpps/logo-fetch.js';
import { until } from '../support/until.js';
import type { Page } from './browser.js';
import { AuthorisationSetting, defaultPermissions } from './setting.js';
import type { TestTpp } from './tpp.js';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const plainPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; " +
  "form-action 'self' https://tpp.example; frame-ancestors 'none'; base-uri 'none'";

describe('the logo of a TPP', () => {
  let outside: Server;
  let url: string;
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let count = 0;
  /** The requests to the server with the TPPs' logos. */
  const asked: string[] = [];
  let answer: (response: ServerResponse) => void;

  beforeAll(async () => {
    outside = createServer((request, response) => {
      asked.push(request.url ?? '');
      answer(response);
    }).listen(0, '127.0.0.1');
    await once(outside, 'listening');
    url = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
    // Documents of others are fetched from the public internet alone: this machine is allowed as the directory's own.
    setting = await AuthorisationSetting.start({
      authorisationServer: { directory: { issuer: 'The directory', jwks: `${url}/directory` } },
    });
  });
  afterAll(async () => {
    await setting.close();
    outside.closeAllConnections();
    outside.close();
  });
  beforeEach(async () => {
    answer = (response) => void response.end(png);
    tpp = await setting.tpp(`tpp-${count++}`);
    asked.length = 0;
  });

  /** As a former version has stored it: fetched by the periodic work. */
  const state = (logo: string): Promise<void> => setting.server.tpps.save({ ...tpp.registration, logo });
  const show = async (): Promise<Page> =>
    setting.browser().open((await tpp.begin(await tpp.createConsent(defaultPermissions))).url);
  const shownIn = ({ html }: Page): string | undefined => /<img class="tpp-logo" src="([^"]*)"/.exec(html)?.[1];
  const shown = async (): Promise<string | undefined> => shownIn(await show());
  const origin = (): string => new URL(setting.places.issuer).origin;

  it('is fetched once, and shown from our origin as an image that can run nothing', async () => {
    await state(`${url}/logo.png`);
    expect(await shown()).toBeUndefined();
    await setting.server.tend();
    const page = await show();
    expect(page.headers.get('content-security-policy')).toBe(plainPolicy);
    expect(shownIn(page)).toMatch(/^\/as\/logos\/[0-9a-f]{64}$/);
    const image = await setting.browser().open(new URL(`${origin()}${shownIn(page)}`));
    expect([image.status, Object.fromEntries(image.headers)]).toEqual([
      200,
      expect.objectContaining({
        'content-type': 'image/png',
        'content-length': String(png.length),
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      }),
    ]);
    await setting.server.tend();
    await setting.server.tend();
    expect(asked).toEqual(['/logo.png']);
  });

  it('is fetched after the registration is answered, and again when it changes', async () => {
    const { clientId, name, metadata } = tpp.registration;
    const put = (logo: string): Promise<unknown> => setting.server.registry.put({ clientId, name, logo, metadata });
    const fetched = async (path: string): Promise<string | undefined> => {
      await until(() => asked.includes(path));
      await setting.server.tend();
      return shown();
    };
    await put(`${url}/first.png`);
    const first = await fetched('/first.png');
    await put(`${url}/first.png`);
    answer = (response) => void response.end(Buffer.concat([png, Buffer.from('2')]));
    await put(`${url}/second.png`);
    const second = await fetched('/second.png');
    expect([first, second]).toEqual([expect.any(String), expect.any(String)]);
    expect(second).not.toBe(first);
    expect(asked).toEqual(['/first.png', '/second.png']);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['is not there', (response) => void response.writeHead(404).end()],
    ['is elsewhere', (response) => void response.writeHead(302, { location: `${url}/elsewhere` }).end()],
    [
      'is a page that is called an image',
      (response) => void response.setHeader('content-type', 'image/png').end('<script>'),
    ],
    ['is a program', (response) => void response.setHeader('content-type', 'image/svg+xml').end('<svg onload="x()"/>')],
    ['is larger than a logo', (response) => void response.end(Buffer.concat([png, Buffer.alloc(mostLogoBytes)]))],
    [
      'breaks off',
      (response) => void response.writeHead(200, { 'content-length': 500 }).write(png, () => response.destroy()),
    ],
  ])('that %s is not shown, and is fetched again in an hour', async (_what, broken) => {
    answer = broken;
    await state(`${url}/logo.png`);
    const logged = setting.stack.log.length;
    await setting.server.tend();
    await setting.server.tend();
    expect([await shown(), asked]).toEqual([undefined, ['/logo.png']]);
    const told = setting.stack.log.slice(logged).filter((line) => line.includes('the logo of a TPP cannot be fetched'));
    expect(told.map((line) => JSON.parse(line).clientId)).toEqual([tpp.clientId]);
    answer = (response) => void response.end(png);
    setting.clock.advance(againAfterMs + 1_000);
    await setting.server.tend();
    setting.clock.advance(-againAfterMs - 1_000);
    expect(await shown()).toMatch(/^\/as\/logos\//);
  });

  it.each(['https://127.0.0.1:9/logo.png', 'http://tpp.example/logo.png', 'https://tpp.example;script-src/logo.png'])(
    'at %s is not asked for, and changes no page’s policy',
    async (logo) => {
      await state(logo);
      await setting.server.tend();
      const page = await show();
      expect([page.status, shownIn(page), page.headers.get('content-security-policy')]).toEqual([
        200,
        undefined,
        plainPolicy,
      ]);
    },
  );

  it('of another URL than the TPP states now is not shown', async () => {
    await state(`${url}/logo.png`);
    await setting.server.tend();
    expect(await shown()).toBeDefined();
    await state(`${url}/new.png`);
    expect(await shown()).toBeUndefined();
    await setting.server.tend();
  });

  it('in a data: URL is shown as it is, without a fetch', async () => {
    const logo = `data:image/png;base64,${png.toString('base64')}`;
    await state(logo);
    await setting.server.tend();
    expect([await shown(), asked]).toEqual([logo, []]);
  });

  it('is not found under another digest', async () => {
    for (const path of ['0'.repeat(64), '', '..', 'x'])
      expect((await setting.browser().open(new URL(`${origin()}/as/logos/${path}`))).status).toBe(404);
  });
});
