import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:tls';
import { httpOptions } from '../../src/server/http-server.js';
import { anyUuid } from '../support/error-shape.js';
import { sendRaw, type RawAnswer } from '../support/raw-http.js';
import { until } from '../support/until.js';
import { AuthorisationSetting, defaultPermissions } from './setting.js';
import type { TestTpp } from './tpp.js';

interface Recorded {
  readonly interactionId: string;
  readonly endpoint?: string;
  readonly status: number;
}

const form = 'Content-Type: application/x-www-form-urlencoded';
/** This machine may be busy with other things: no verdict depends on how soon something happens. */
const generousMs = 20_000;

describe('a client that does not end what it began', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  const { requestTimeout } = httpOptions;
  beforeAll(async () => {
    // Other tests below check the limits themselves; here the test would wait for them.
    Object.assign(httpOptions, { requestTimeout: 1_000, connectionsCheckingInterval: 100 });
    setting = await AuthorisationSetting.start();
    tpp = await setting.tpp('tpp-one');
  });
  afterAll(async () => {
    Object.assign(httpOptions, { requestTimeout, connectionsCheckingInterval: undefined });
    await setting.close();
  });
  beforeEach(() => {
    setting.stack.log.length = 0;
  });
  afterEach(() => {
    setting.customers.held = undefined;
  });

  const lines = (): { level: number; access?: Recorded }[] =>
    setting.stack.log.map((line) => JSON.parse(line) as { level: number; access?: Recorded });
  const records = (): Recorded[] => lines().flatMap(({ access }) => access ?? []);
  const complaints = (): unknown[] => lines().filter(({ level }) => level > 30);

  /** Ends when the request is recorded, a moment after its answer: no later test finds its record. */
  async function openDashboard(): Promise<void> {
    const opened = () => records().filter(({ status }) => status === 200).length;
    const before = opened();
    await setting.browser().open('/as/dashboard');
    await until(() => opened() > before, generousMs);
  }

  function open(listener: 'browser' | 'tpp'): Socket {
    const { certificatePem: cert, keyPem: key } = tpp.certified;
    const { port } = setting.listeners[listener];
    return connect({ port, host: '127.0.0.1', ca: setting.places.ca, ...(listener === 'tpp' && { cert, key }) });
  }

  function head(listener: 'browser' | 'tpp', path: string, headers: readonly string[]): string {
    const host = new URL(setting.listeners[listener].url).host;
    return [`POST ${path} HTTP/1.1`, `Host: ${host}`, ...headers, '', ''].join('\r\n');
  }

  /** The cookies and the way of a journey that waits for the first factor. */
  async function journey(): Promise<{ path: string; cookie: string; csrf: string }> {
    const browser = setting.browser();
    const page = await browser.open((await tpp.begin(await tpp.createConsent(defaultPermissions))).url);
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
    const path = `${page.url.pathname}/sign-in`;
    setting.stack.log.length = 0;
    return { path, cookie: `Cookie: ${browser.cookiesFor(path)}`, csrf };
  }

  const posts: readonly [string, 'browser' | 'tpp', () => Promise<[string, readonly string[]]>][] = [
    ['a step of a journey', 'browser', async () => journey().then(({ path, cookie }) => [path, [cookie]])],
    ['the sign-in of the dashboard', 'browser', async () => ['/as/dashboard/sign-in', []]],
    ['a request for a token', 'tpp', async () => ['/as/token', []]],
    ['a pushed authorization request', 'tpp', async () => ['/as/par', []]],
  ];

  it.each(posts)('and hangs up in the middle of %s is a 499 and no fault', async (_what, listener, way) => {
    const [path, headers] = await way();
    const socket = open(listener);
    // 100: the request has come as far as its handler, which waits for the body.
    socket.write(head(listener, path, [form, 'Content-Length: 1000', 'Expect: 100-continue', ...headers]));
    await once(socket, 'data');
    socket.write('csrf=x');
    socket.destroy();
    await until(() => records().length > 0, generousMs);
    // The handler completes its work on it before the next request is answered.
    await openDashboard();
    expect(records()[0]).toMatchObject({ status: 499, interactionId: expect.stringMatching(anyUuid) });
    expect(complaints()).toEqual([]);
  });

  it('and hangs up while the bank is asked is a 499 and no fault', async () => {
    const { path, cookie, csrf } = await journey();
    let release = (): void => undefined;
    setting.customers.held = new Promise<void>((resolve) => (release = resolve));
    const started = setting.customers.started;
    const body = new URLSearchParams({ csrf, login_name: 'saver', password: 'saver-password' }).toString();
    const socket = open('browser');
    socket.write(head('browser', path, [form, cookie, `Content-Length: ${body.length}`]) + body);
    await until(() => setting.customers.started > started, generousMs);
    socket.destroy();
    // The listener knows of the end before it answers a connection that was opened after it.
    await openDashboard();
    release();
    await until(() => records().some(({ status }) => status === 499), generousMs);
    expect(complaints()).toEqual([]);
  });

  it.each(posts)('and sends %s too slowly is answered 408, and recorded as that once', async (_what, listener, way) => {
    const [path, headers] = await way();
    const answer = await sendRaw(
      setting.listeners[listener].port,
      `${head(listener, path, [form, 'Content-Length: 1000', ...headers])}csrf=x`,
      () => open(listener),
    );
    const id = answer.headers['x-fapi-interaction-id'];
    expect(answer).toMatchObject({ status: 408, headers: { connection: 'close', 'cache-control': 'no-store' } });
    await until(() => records().length > 0, generousMs);
    await openDashboard();
    expect(records().filter(({ interactionId }) => interactionId === id)).toEqual([
      expect.objectContaining({ status: 408, endpoint: expect.stringMatching(/^\/as\//) }),
    ]);
    expect(complaints()).toEqual([]);
  });

  it.each(['browser', 'tpp'] as const)(
    'and never ends its headers at the %s listener is answered 408',
    async (listener) => {
      const answer = await sendRaw(setting.listeners[listener].port, 'GET /as/dashboard HTTP/1.1\r\nHost: x\r\n', () =>
        open(listener),
      );
      expect([answer.status, answer.headers['x-fapi-interaction-id']]).toEqual([408, expect.stringMatching(anyUuid)]);
      await until(() => records().length > 0, generousMs);
      expect(records()).toEqual([{ interactionId: answer.headers['x-fapi-interaction-id'], status: 408 }]);
    },
  );

  it('and sends the browsers’ listener what is not HTTP is answered 400, and recorded', async () => {
    const answer: RawAnswer = await sendRaw(setting.listeners.browser.port, 'GARBAGE\r\n\r\n', () => open('browser'));
    expect([answer.status, answer.headers['x-fapi-interaction-id']]).toEqual([400, expect.stringMatching(anyUuid)]);
    await until(() => records().length > 0, generousMs);
    expect(records()).toEqual([{ interactionId: answer.headers['x-fapi-interaction-id'], status: 400 }]);
  });

  it('has 30 seconds for a whole request, and keeps an idle connection for longer than balancers do', async () => {
    expect(requestTimeout).toBe(30_000);
    expect(httpOptions.keepAliveTimeout).toBe(72_000);
  });
});
