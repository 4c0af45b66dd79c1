import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import { AuthorisationSetting } from '../authorisation/setting.js';
import { freePort } from '../support/free-port.js';
import { Stack } from '../support/stack.js';

const header = 'strict-transport-security';
/** A page, a redirect, a refusal, a static file, an answer of the library, and an unknown path. */
const paths = [
  '/as/dashboard',
  '/as/interaction/unknown',
  '/as/auth?client_id=nobody',
  '/as/.well-known/openid-configuration',
  '/as/nothing',
];

describe('Strict-Transport-Security', () => {
  describe.each([
    ['where the gateway ends TLS', true],
    ['where a proxy ends TLS', false],
  ])('on the browsers’ listener, %s', (_where, ownTls) => {
    let setting: AuthorisationSetting;
    let agent: Agent;
    let port: number;
    beforeAll(async () => {
      port = await freePort();
      const browser = { host: '127.0.0.1', port, url: 'https://pages.bank.example' };
      setting = await AuthorisationSetting.start(ownTls ? {} : { authorisationServer: { browser } });
      agent = new Agent({ connect: { ca: setting.places.ca } });
    });
    afterAll(async () => {
      await agent.close();
      await setting.close();
    });

    it.each(paths)('is sent with %s', async (path) => {
      const { url, port: own } = setting.listeners.browser;
      const answer = await request(`${ownTls ? `https://127.0.0.1:${own}` : `http://127.0.0.1:${port}`}${path}`, {
        dispatcher: agent,
        headers: { host: new URL(url).host },
      });
      await answer.body.dump();
      expect([answer.statusCode < 500, answer.headers[header]]).toEqual([true, 'max-age=31536000']);
    });
  });

  it('is not sent over plain HTTP', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const setting = await AuthorisationSetting.start({
      authorisationServer: { browser: { host: '127.0.0.1', port, url } },
    });
    for (const path of paths) {
      const answer = await request(`${url}${path}`);
      await answer.body.dump();
      expect([answer.statusCode < 500, answer.headers[header]]).toEqual([true, undefined]);
    }
    await setting.close();
  });

  it.each([
    ['https://gateway.example', 'max-age=31536000'],
    ['http://gateway.example', undefined],
  ])('goes with the pages for TPPs’ developers under %s: %s', async (baseUrl, expected) => {
    const stack = await Stack.start({ config: { baseUrl } });
    for (const path of ['/docs', '/docs/static/index.html', '/openapi.json']) {
      const answer = await stack.gateway.server.inject({ method: 'GET', url: path });
      expect([answer.statusCode < 400, answer.headers[header]]).toEqual([true, expected]);
    }
    await stack.close();
  });
});
