import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { BootError } from '../../src/config/boot-error.js';
import { loadConfig } from '../../src/config/load-config.js';
import { CertificateAuthority, type Certified } from '../support/certificates.js';
import { realNowMs } from '../support/real-time.js';
import { base } from '../support/stack.js';
import { AuthorisationSetting } from './setting.js';
import type { TestTpp, TppOptions } from './tpp.js';
import { trailKeys } from '../support/trail-keys.js';

const secret = 'proxy-secret-0123456789abcdef0123456789';
const proxy = { certificateHeader: 'client-cert', trustedPeers: ['127.0.0.0/8'], secrets: [secret] };
type Headers = Readonly<Record<string, string | string[]>>;

const rfc9440 = ({ certificate }: Certified): string => `:${certificate.raw.toString('base64')}:`;
/** The headers that the proxy adds for a TPP that presented this certificate to it. */
const presenting = (certified: Certified): Headers => ({ 'client-cert': rfc9440(certified), 'x-proxy-secret': secret });

/** A request of the proxy's, on its way from the TPP to the gateway: without TLS, and a header may come twice. */
function viaProxy(tpp: TestTpp, headers: Headers): oidc.CustomFetch {
  return (url, options) => {
    if (!url.startsWith(tpp.places.tppUrl)) return tpp.fetch(url, options);
    const { method, body } = options;
    return new Promise((resolve, reject) => {
      const given = Object.fromEntries(new globalThis.Headers(options.headers));
      request(url.replace('https:', 'http:'), { method, headers: { ...given, ...headers } }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve(
            new Response(Buffer.concat(chunks), {
              status: answer.statusCode ?? 0,
              headers: { 'content-type': answer.headers['content-type'] ?? '' },
            }),
          ),
        );
      })
        .on('error', reject)
        .end(body instanceof URLSearchParams ? body.toString() : body);
    });
  };
}

async function ownToken(tpp: TestTpp, headers: Headers): Promise<string | undefined> {
  const config = await tpp.config(viaProxy(tpp, headers));
  return oidc.clientCredentialsGrant(config, { scope: 'accounts' }).then(
    ({ access_token: token }) => token,
    () => undefined,
  );
}

describe('the TPPs’ listener behind a proxy that ends mutual TLS', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start({ config: { proxy } });
    tpp = await setting.tpp('tpp-one');
  });
  afterAll(() => setting.close());

  const consents = async (token: string, headers: Headers): Promise<number> => {
    const payload = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
    const answer = await viaProxy(tpp, headers)(`${tpp.places.tppUrl}${base}/account-access-consents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    } as never);
    return answer.status;
  };

  it('binds tokens to the certificate that the proxy passes on, and asks for it with each request', async () => {
    const token = (await ownToken(tpp, presenting(tpp.certified))) ?? '';
    expect(decodeJwt(token)['cnf']).toEqual({ 'x5t#S256': tpp.certified.thumbprint });
    expect(await consents(token, presenting(tpp.certified))).toBe(201);
    expect(await consents(token, presenting(setting.authority.issue('tpp-one')))).toBe(401);
    expect(await consents(token, {})).toBe(401);
  });

  it('takes an escaped PEM as well', async () => {
    const headers = { ...presenting(tpp.certified), 'client-cert': encodeURIComponent(tpp.certified.certificatePem) };
    expect(await ownToken(tpp, headers)).toEqual(expect.any(String));
  });

  it.each<[string, (good: Headers, other: Certified) => Headers]>([
    ['no certificate', (good) => ({ 'x-proxy-secret': good['x-proxy-secret'] ?? '' })],
    ['no proof', (good) => ({ 'client-cert': good['client-cert'] ?? '' })],
    ['a wrong proof', (good) => ({ ...good, 'x-proxy-secret': `${secret}x` })],
    ['a proof that comes twice', (good) => ({ ...good, 'x-proxy-secret': [secret, secret] })],
    ['a text that is not a certificate', (good) => ({ ...good, 'client-cert': ':AAAA:' })],
    [
      'a certificate of another authority',
      (good) => ({ ...good, 'client-cert': rfc9440(new CertificateAuthority().issue('tpp-one')) }),
    ],
    [
      'a certificate that another authority issued under the name of ours',
      (good) => ({ ...good, 'client-cert': rfc9440(new CertificateAuthority('test authority').issue('tpp-one')) }),
    ],
  ])('gives no token to a request with %s', async (_what, spoil) => {
    const good = presenting(tpp.certified);
    expect(await ownToken(tpp, spoil(good, tpp.certified))).toBeUndefined();
    expect(await ownToken(tpp, good)).toEqual(expect.any(String));
  });

  it('ignores a certificate header that comes twice, in either order', async () => {
    const other = setting.authority.issue('tpp-two');
    for (const pair of [
      [other, tpp.certified],
      [tpp.certified, other],
      [tpp.certified, tpp.certified],
    ])
      expect(await ownToken(tpp, { ...presenting(tpp.certified), 'client-cert': pair.map(rfc9440) })).toBeUndefined();
  });

  it('knows a TPP by the subject of the certificate, or by the certificate that it registered itself', async () => {
    const named = await setting.tpp('tpp-named', { clientAuth: 'tls_client_auth' });
    expect(await ownToken(named, presenting(named.certified))).toEqual(expect.any(String));
    expect(await ownToken(named, presenting(setting.authority.issue('another')))).toBeUndefined();
    const certified = new CertificateAuthority().issue('tpp-own');
    const options: TppOptions & { certified: Certified } = { clientAuth: 'self_signed_tls_client_auth', certified };
    const own = await setting.tpp('tpp-own', options);
    expect(await ownToken(own, presenting(certified))).toEqual(expect.any(String));
    expect(await ownToken(own, presenting(setting.authority.issue('tpp-own')))).toBeUndefined();
  });

  it('refuses a certificate that has expired', async () => {
    setting.clock.set(Date.parse('2050-01-01T00:00:00Z'));
    const answer = await ownToken(tpp, presenting(tpp.certified));
    setting.clock.set(realNowMs());
    expect(answer).toBeUndefined();
    expect(await ownToken(tpp, presenting(tpp.certified))).toEqual(expect.any(String));
  });

  it('publishes every address with https, though the proxy calls without', async () => {
    const answer = await viaProxy(tpp, {})(`${tpp.places.tppUrl}/as/.well-known/openid-configuration`, {
      method: 'GET',
    } as never);
    const { claims_supported: _names, ...metadata } = (await answer.json()) as Record<string, unknown>;
    const addresses = JSON.stringify(metadata).match(/[a-z]+:\/\/[^"]+/g) ?? [];
    expect(addresses.filter((address) => !address.startsWith('https://'))).toEqual([]);
    expect(addresses).toContain(`${tpp.places.tppUrl}/as/token`);
  });

  it('never reads the header on the browsers’ listener', async () => {
    const { origin } = new URL(tpp.places.issuer);
    const answer = await tpp.fetch(`${origin}/as/token`, {
      method: 'POST',
      headers: presenting(tpp.certified) as Record<string, string>,
    } as never);
    expect(answer.status).toBe(404);
  });
});

describe('the header modes', () => {
  it('are off where TLS ends at the gateway: certificate headers are ignored', async () => {
    const setting = await AuthorisationSetting.start();
    const tpp = await setting.tpp('tpp-one');
    const bare = tpp.fetchWith(undefined);
    const claiming: oidc.CustomFetch = (url, options) =>
      bare(url, { ...options, headers: { ...options.headers, ...(presenting(tpp.certified) as object) } });
    const claimed = oidc.clientCredentialsGrant(await tpp.config(claiming), { scope: 'accounts' });
    await expect(claimed).rejects.toThrow();
    expect(await tpp.ownToken()).toEqual(expect.any(String));
    await setting.close();
  });

  it('accept headers from configured peers only, even with the right proof', async () => {
    const setting = await AuthorisationSetting.start({
      config: { proxy: { ...proxy, trustedPeers: ['192.0.2.0/24'] } },
    });
    const tpp = await setting.tpp('tpp-one');
    expect(await ownToken(tpp, presenting(tpp.certified))).toBeUndefined();
    await setting.close();
  });

  const settings = {
    CORE_URL: 'https://core.example',
    BANK_CREDENTIAL: 'bank-credential-0123456789abcdefghij',
    ID_KEY: 'id-key-0123456789abcdefghijklmnopqrs',
    ...trailKeys,
    AUTHORISATION_SERVER: 'embedded',
    KEY_ENCRYPTION_KEY: 'a1b2c3d4e5f60718293a4b5c6d7e8f90f1e2d3c4b5a697887766554433221100',
    MTLS_CLIENT_CA_FILE: 'ca.pem',
    CLIENT_CERTIFICATE_HEADER: 'Client-Cert',
    TRUSTED_PROXIES: '10.0.0.0/8',
    PROXY_SECRET: secret,
    CUSTOMER_AUTHENTICATION_URL: 'https://customers.example',
    CUSTOMER_AUTHENTICATION_CREDENTIAL: 'sign-on-0123456789abcdefghijklmnopqr',
  };

  it('need a header, peers, a proof and the authorities of the TPPs’ certificates', () => {
    const { authorisationServer } = loadConfig(settings);
    expect(authorisationServer?.tpp).toMatchObject({ clientCaFile: 'ca.pem', url: 'https://localhost:3004' });
    expect(authorisationServer?.tpp.tls).toBeUndefined();
  });

  it.each(['CLIENT_CERTIFICATE_HEADER', 'TRUSTED_PROXIES', 'PROXY_SECRET', 'MTLS_CLIENT_CA_FILE'])(
    'stop the start where %s is missing',
    (name) => {
      expect(() => loadConfig({ ...settings, [name]: '' })).toThrow(BootError);
    },
  );

  it('stay off where the gateway has a certificate for the TPPs’ port', () => {
    const { authorisationServer } = loadConfig({ ...settings, MTLS_CERT_FILE: 'c.pem', MTLS_KEY_FILE: 'k.pem' });
    expect(authorisationServer?.tpp.tls).toEqual({ certFile: 'c.pem', keyFile: 'k.pem', clientCaFile: 'ca.pem' });
    expect(() => loadConfig({ ...settings, MTLS_CERT_FILE: 'c.pem' })).toThrow('MTLS_KEY_FILE');
  });
});
