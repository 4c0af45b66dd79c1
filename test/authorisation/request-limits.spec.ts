import { afterEach, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import type { AuthorisationLimits } from '../../src/config/rate-limits.js';
import type { AuthorisationServerConfig, GatewayConfig } from '../../src/config/config.js';
import { CertificateAuthority } from '../support/certificates.js';
import { RunningClock } from '../support/running-clock.js';
import { WatchedDatabase } from '../support/watched-database.js';
import { DirectoryServer } from './directory-server.js';
import { AuthorisationSetting, defaultPermissions } from './setting.js';
import { redirectUri, type ApiAnswer, type TestTpp } from './tpp.js';

/** So slow that no token comes back while the test runs. */
const perSecond = 0.001;
const three = { perSecond, burst: 3 };
const enough = { perSecond, burst: 1_000 };
const endpoints = ['token', 'par', 'revoke'] as const;
const refused = [401, 401, 401];

describe('the number of requests to the authorization server', () => {
  let setting: AuthorisationSetting;
  afterEach(() => setting.close());
  const start = async (
    limits: AuthorisationLimits,
    config: Partial<GatewayConfig> = {},
    more: Partial<AuthorisationServerConfig> = {},
  ): Promise<void> => {
    setting = await AuthorisationSetting.start({ config, authorisationServer: { limits, ...more } });
  };
  /** Each endpoint finds its parameters here, so that only the client can be at fault. */
  const asked = { grant_type: 'client_credentials', scope: 'accounts', token: 'any' };
  const token = async (tpp: TestTpp, fetch = tpp.fetch): Promise<number> =>
    (await tpp.post('token', asked, fetch)).status;
  /** A request in the name of the TPP that another key signed. */
  async function forged(tpp: TestTpp, fetch: TestTpp['fetch'], endpoint: (typeof endpoints)[number] = 'token') {
    const { privateKey } = await setting.stranger('forger');
    return tpp.post(endpoint, { ...asked, ...(await tpp.assertion(privateKey)) }, fetch);
  }
  async function times(count: number, ask: () => Promise<number>): Promise<number[]> {
    const statuses: number[] = [];
    while (statuses.length < count) statuses.push(await ask());
    return statuses;
  }
  const told = ({ status, headers, json }: ApiAnswer): unknown => {
    const seconds = headers.get('retry-after');
    expect(Number(seconds)).toBeGreaterThan(0);
    const { error, error_description: description } = json as Record<string, string>;
    return [status, headers.get('cache-control'), error, description?.replace(`${seconds} seconds`, 'N seconds')];
  };
  const whole = (description: string): unknown => [429, 'no-store', 'temporarily_unavailable', description];

  describe('by a client that has proven itself', () => {
    it('is a burst over all endpoints, then 429 with advice, for that client alone', async () => {
      await start({ requests: three, failures: enough });
      const [one, two] = [await setting.tpp('tpp-one'), await setting.tpp('tpp-two')];
      for (const endpoint of endpoints) expect((await one.post(endpoint, asked)).status).not.toBe(429);
      for (const endpoint of endpoints)
        expect(told(await one.post(endpoint, asked))).toEqual(
          whole('the client sends requests faster than its limit allows ("requests";q=3;w=3000): wait N seconds'),
        );
      expect(await token(two)).toBe(200);
    });

    it('does not shrink by requests that only name the client', async () => {
      await start({ requests: three, failures: enough });
      const [one, other] = [await setting.tpp('tpp-one'), await setting.tpp('tpp-two')];
      for (const endpoint of endpoints)
        expect(await times(2, async () => (await forged(one, other.fetch, endpoint)).status)).toEqual([401, 401]);
      // The library finds the client before it refuses this one as not well formed.
      const claims = Buffer.from(JSON.stringify({ sub: one.clientId })).toString('base64url');
      const attested = {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'oauth-client-attestation': `e30.${claims}.` },
        body: `client_id=${one.clientId}`,
      };
      for (let i = 0; i < 4; i++)
        expect((await other.fetch(`${one.places.tppUrl}/as/token`, attested as never)).status).toBe(400);
      expect(await times(4, () => token(one))).toEqual([200, 200, 200, 429]);
    });

    it.each(['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth'] as const)(
      'is limited for that client, by whatever method it proves itself: %s',
      async (clientAuth) => {
        await start({ requests: three, failures: enough });
        const certified = clientAuth.startsWith('self') ? new CertificateAuthority().issue('tpp-one') : undefined;
        const tpp = await setting.tpp('tpp-one', { clientAuth, ...(certified && { certified }) });
        expect(await times(4, () => token(tpp))).toEqual([200, 200, 200, 429]);
      },
    );

    it('does not shrink by an assertion that was used before', async () => {
      await start({ requests: three, failures: three });
      const [one, other] = [await setting.tpp('tpp-one'), await setting.tpp('tpp-two')];
      const used = { ...asked, ...(await one.assertion()) };
      expect((await one.post('token', used)).status).toBe(200);
      const replay = async (): Promise<number> => (await one.post('token', used, other.fetch)).status;
      expect(await times(4, replay)).toEqual([...refused, 429]);
      expect(await times(3, () => token(one))).toEqual([200, 200, 429]);
    });

    it('leaves a code unused when it refuses the exchange', async () => {
      const database = new WatchedDatabase('');
      setting = await AuthorisationSetting.start({
        persistence: database.module,
        authorisationServer: { limits: { requests: three, failures: enough } },
      });
      const tpp = await setting.tpp('tpp-one');
      const begun = await tpp.begin(await tpp.createConsent(defaultPermissions));
      const back = await setting.approve(begun, 'saver');
      expect(await times(2, () => token(tpp))).toEqual([200, 200]);
      await expect(tpp.finish(begun, back)).rejects.toMatchObject({ error: 'temporarily_unavailable' });
      const unused = { model: 'AuthorizationCode', consumedAt: null };
      expect(await database.prisma.oidcArtefact.count({ where: unused })).toBe(1);
    });

    it('has a further limit for pushed requests', async () => {
      await start({ authorizations: three, failures: enough });
      const tpp = await setting.tpp('tpp-one', { metadata: { fapi_profile: '2.0', response_types: ['code'] } });
      expect(await times(3, async () => (await tpp.push({})).status)).toEqual([400, 400, 400]);
      expect(told(await tpp.push({}))).toEqual(
        whole(
          'the client begins authorizations faster than its limit allows ("authorizations";q=3;w=3000): wait N seconds',
        ),
      );
      expect(await token(tpp)).toBe(200);
    });

    it('has the same limit for requests that browsers open, which the same request does not use up again', async () => {
      await start({ authorizations: three, failures: enough });
      const tpp = await setting.tpp('tpp-one');
      const consentId = await tpp.createConsent(defaultPermissions);
      const open = async (url: URL): Promise<string> => {
        const page = await setting.browser().open(url);
        return page.url.href.startsWith(redirectUri)
          ? `${new URLSearchParams(page.url.hash.slice(1)).get('error')}`
          : `a page (${page.status})`;
      };
      const { url } = await tpp.begin(consentId);
      for (let i = 0; i < 4; i++) expect(await open(url)).toBe('a page (200)');
      for (let i = 0; i < 2; i++) expect(await open((await tpp.begin(consentId)).url)).toBe('a page (200)');
      expect(await open((await tpp.begin(consentId)).url)).toBe('temporarily_unavailable');
      expect(await open(url)).toBe('a page (200)');
    });

    it('is not limited where the limits are switched off', async () => {
      await start({ failures: three });
      const tpp = await setting.tpp('tpp-one');
      expect(await times(8, () => token(tpp))).toEqual(Array(8).fill(200));
    });
  });

  describe('by requests that fail', () => {
    it('is limited for their certificate, and does not affect another certificate at the same address', async () => {
      await start({ failures: three });
      const [one, two] = [await setting.tpp('tpp-one'), await setting.tpp('tpp-two')];
      const named = await setting.tpp('tpp-named', { clientAuth: 'tls_client_auth' });
      expect(await times(3, async () => (await forged(one, two.fetch)).status)).toEqual(refused);
      for (const endpoint of endpoints)
        expect(told(await forged(one, two.fetch, endpoint))).toEqual(
          whole('too many requests from this certificate failed: correct them, and wait N seconds'),
        );
      expect(await token(two)).toBe(429);
      for (let i = 0; i < 4; i++) expect([await token(one), await token(named)]).toEqual([200, 200]);
    });

    it('is limited for an address without a certificate, and does not affect a TPP with one', async () => {
      await start({ failures: three });
      const one = await setting.tpp('tpp-one');
      const registered = await setting.tpp('tpp-self', {
        clientAuth: 'self_signed_tls_client_auth',
        certified: new CertificateAuthority().issue('tpp-self'),
      });
      expect(await token(registered)).toBe(200);
      const bare = one.fetchWith(undefined);
      // Any stranger can make one: it counts for the address as none does.
      const selfMade = one.fetchWith(new CertificateAuthority().issue('tpp-one'));
      expect((await forged(one, bare)).status).toBe(401);
      expect((await forged(one, selfMade)).status).toBe(401);
      expect((await forged(one, bare)).status).toBe(401);
      for (const fetch of [bare, selfMade])
        expect(told(await forged(one, fetch))).toEqual(
          whole(
            'too many requests from this address without a certificate of a TPP failed: correct them, and wait N seconds',
          ),
        );
      expect([await token(one), await token(registered)]).toEqual([200, 200]);
    });

    it('counts by the address that a proxy states', async () => {
      const secret = 'proxy-secret-0123456789abcdef0123456789';
      const proxy = { certificateHeader: 'client-cert', trustedPeers: ['127.0.0.0/8'], secrets: [secret] };
      await start({ failures: three }, { proxy });
      const ask = (forwarded: string): Promise<number> =>
        new Promise((resolve, reject) => {
          const headers = { 'x-forwarded-for': forwarded, 'content-type': 'application/x-www-form-urlencoded' };
          const url = `${setting.places.tppUrl.replace('https:', 'http:')}/as/token`;
          request(url, { method: 'POST', headers }, (answer) => resolve(answer.resume().statusCode ?? 0))
            .on('error', reject)
            .end('client_id=unknown');
        });
      expect(await times(4, () => ask('198.51.100.7'))).toEqual([...refused, 429]);
      expect(await ask('198.51.100.7, 203.0.113.9')).toBe(401);
      expect(await times(4, () => ask('2001:db8::1'))).toEqual([...refused, 429]);
      expect([await ask('2001:db8::ffff:1'), await ask('2001:db8:0:1::1')]).toEqual([429, 401]);
    });

    it('is limited at registration as well', async () => {
      const directory = await DirectoryServer.start(new RunningClock());
      await start({ failures: three }, {}, { directory: directory.config });
      try {
        const tpp = await setting.tpp('tpp-one');
        const register = async (path = '', method = 'POST'): Promise<number> => {
          const body = method === 'POST' ? { headers: { 'content-type': 'application/jose' }, body: 'x.y.z' } : {};
          return (await tpp.fetch(`${tpp.places.tppUrl}/as/register${path}`, { method, ...body } as never)).status;
        };
        expect([await register(), await register('/any', 'GET'), await register('/any', 'DELETE')]).toEqual([
          400, 401, 401,
        ]);
        expect([await register(), await register('/any', 'GET'), await token(tpp)]).toEqual([429, 429, 429]);
        expect(await token(await setting.tpp('tpp-two'))).toBe(200);
      } finally {
        await directory.close();
      }
    });

    it('is limited for the address of browsers, which a request that is opened again costs, and the TPP’s a new one', async () => {
      await start({ failures: three });
      const tpp = await setting.tpp('tpp-one');
      const consentId = await tpp.createConsent(defaultPermissions);
      const open = async (url: URL): Promise<number> => (await setting.browser().open(url)).status;
      const { url } = await tpp.begin(consentId);
      for (let i = 0; i < 5; i++) expect(await open((await tpp.begin(consentId)).url)).toBe(200);
      expect([await open(url), await open(url), await open(url)]).toEqual([200, 200, 200]);
      const unknown = new URL(`${setting.places.issuer}/authorize?client_id=unknown`);
      expect(await open(unknown)).toBe(400);
      const page = await setting.browser().open((await tpp.begin(consentId)).url);
      expect([page.status, Number(page.headers.get('retry-after')) > 0]).toEqual([429, true]);
      expect(page.html).toContain('Too many requests came from your network');
      // A TPP at the same address has another bucket.
      expect((await forged(tpp, tpp.fetchWith(undefined))).status).toBe(401);
    });
  });

  it('does not limit published documents', async () => {
    await start({ failures: three });
    const tpp = await setting.tpp('tpp-one');
    const bare = tpp.fetchWith(undefined);
    expect(await times(4, async () => (await forged(tpp, bare)).status)).toEqual([...refused, 429]);
    for (const path of ['/.well-known/openid-configuration', '/jwks'])
      for (const origin of [tpp.places.tppUrl, new URL(tpp.places.issuer).origin])
        expect((await bare(`${origin}/as${path}`, { method: 'GET' } as never)).status).toBe(200);
  });
});
