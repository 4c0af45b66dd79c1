import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { makeIssuerKeys } from '../../sandbox/bank/issuer.js';
import { startSandboxBank, type SandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { signOnOf } from '../../sandbox/bank/sign-on.js';
import { Sessions } from '../../sandbox/tpp/sessions.js';
import { createTppServer } from '../../sandbox/tpp/tpp-server.js';
import { SystemClock } from '../../src/clock/clock.js';

interface Answer {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly cookie: string | undefined;
  readonly text: string;
}
interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Asks the server at the origin under another name, as a browser does whose name server leads that name to this machine. */
function askAs(host: string, url: string, { method = 'GET', headers = {}, body = '' }: Asked = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, host } }, (answer) => {
      const { 'content-type': type, 'set-cookie': [cookie] = [] } = answer.headers;
      const head = { status: answer.statusCode, type, cookie: cookie?.split(';', 1)[0] };
      textOf(answer).then((text) => resolve({ ...head, text }), reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

describe('a name of another site that leads to this machine', () => {
  let bank: SandboxBank;
  let tpp: FastifyInstance;
  let tppOrigin: string;
  let folder: string;
  beforeAll(async () => {
    const issuerKeys = await makeIssuerKeys();
    bank = await startSandboxBank({ port: 0, credential: 'staff', signOnCredential: 'sign-on', issuerKeys });
    folder = await mkdtemp(join(tmpdir(), 'own-pages-'));
    tpp = createTppServer({
      origin: 'http://localhost',
      bankOrigin: 'http://localhost',
      inboxUrl: bank.inboxUrl,
      customer: signOnOf({ name: 'complete' }),
      offersFunds: true,
      windowMs: 1,
      choices: [],
      versions: ['v4.0'],
      openBank: () => Promise.reject(new Error('the bank is asked')),
      clock: new SystemClock(),
      sessions: await Sessions.open(join(folder, 'connections.json')),
    });
    tppOrigin = await tpp.listen({ port: 0, host: '127.0.0.1' });
    const signIn = { user: 'complete', pass: 'sandbox-complete' };
    await askAs(new URL(bank.url).host, `${bank.signOnUrl}/tickets`, signOnAsked(signIn));
  });
  afterAll(async () => {
    await tpp.close();
    await bank.close();
    await rm(folder, { recursive: true });
  });

  const signOnAsked = (content: unknown): Asked => ({
    method: 'POST',
    headers: { authorization: 'Bearer sign-on', 'content-type': 'application/json' },
    body: JSON.stringify(content),
  });
  const own = (url: string): string => `localhost:${new URL(url).port}`;
  const foreign = (url: string): string => `evil.example:${new URL(url).port}`;

  it.each(['', '/messages', '/style.css'])('cannot read a one-time code: /inbox%s', async (path) => {
    const url = bank.inboxUrl + path;
    expect((await askAs(own(url), url)).status).toBe(200);
    expect(await askAs(foreign(url), url)).toMatchObject({
      status: 403,
      text: `The sandbox shows this page at http://${own(url)} only.\n`,
    });
  });

  it('can neither read the TPP’s pages nor use its forms', async () => {
    for (const path of ['/', '/tpp.css', '/health', '/callback', '/unknown'])
      expect([path, (await askAs(foreign(tppOrigin), tppOrigin + path)).status]).toEqual([path, 403]);
    const { status, text, cookie = '' } = await askAs(own(tppOrigin), `${tppOrigin}/`);
    expect([status, text]).toEqual([200, expect.stringContaining('Connect to the bank')]);
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const connect = (origin: string) =>
      askAs(own(tppOrigin), `${tppOrigin}/connect`, {
        method: 'POST',
        headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: `csrf=${csrf}&api=v4.0`,
      });
    for (const origin of [`http://${foreign(tppOrigin)}`, 'null', `http://127.0.0.1:${new URL(tppOrigin).port}`])
      expect(await connect(origin)).toMatchObject({
        status: 403,
        text: 'The sandbox takes changes from its own pages only.\n',
      });
    expect((await connect(`http://${own(tppOrigin)}`)).status).toBe(502);
  });

  it('reaches the other paths of the bank under any name, as a gateway on another machine does', async () => {
    const ask = async (path: string, asked?: Asked) =>
      (await askAs('sandbox-bank:3002', bank.url + path, asked)).status;
    expect(await ask('/health')).toBe(200);
    expect(await ask('/issuer/jwks.json')).toBe(200);
    expect(await ask('/ledger/clients/C1001/accts')).toBe(200);
    expect(await ask('/sign-on/tickets', signOnAsked({ user: 'complete', pass: 'wrong' }))).not.toBe(403);
  });

  it('gets no favicon, although each of the pages has one under its own name', async () => {
    for (const origin of [bank.url, tppOrigin]) {
      const icon = `${origin}/favicon.ico`;
      expect(await askAs(own(origin), icon)).toMatchObject({ status: 200, type: 'image/svg+xml' });
      expect((await askAs(foreign(origin), icon)).status).toBe(403);
    }
    const page = await askAs(own(bank.url), bank.inboxUrl);
    expect(page.text).toContain('<link rel="icon" type="image/svg+xml" href="/favicon.ico" />');
  });
});
