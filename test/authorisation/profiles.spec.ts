import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { CertificateAuthority, type Certified } from '../support/certificates.js';
import { AuthorisationSetting, defaultPermissions } from './setting.js';
import { claimsFor, type TestTpp, type TppOptions } from './tpp.js';
import { v3_1 } from '../../src/versions/v3.1/v3.1.js';

type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>;
const fapi2 = {
  fapi_profile: '2.0',
  require_signed_request_object: false,
  require_pushed_authorization_requests: true,
};

describe('the security profiles', () => {
  let setting: AuthorisationSetting;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start();
  });
  afterAll(() => setting.close());

  const accounts = async (tpp: TestTpp, token: string): Promise<number> => (await tpp.ask('/accounts', token)).status;

  /** `code` with a pushed request; `signed` by a request object, as FAPI 1.0 demands. */
  async function pushed(tpp: TestTpp, consentId: string, signed: boolean, jarm: boolean): Promise<Tokens> {
    const config = await tpp.config();
    if (jarm) oidc.useJwtResponseMode(config);
    const { parameters, state, nonce, verifier } = tpp.parameters(consentId);
    const asked = {
      ...parameters,
      response_type: 'code',
      ...(jarm && { response_mode: 'jwt' }),
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    const request = signed
      ? { request: await tpp.requestObject(consentId, { ...asked, claims: claimsFor(consentId) }) }
      : asked;
    const url = await oidc.buildAuthorizationUrlWithPAR(config, request);
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    const back = await setting.approve({ url }, 'saver');
    expect(back.searchParams.has('response')).toBe(jarm);
    return oidc.authorizationCodeGrant(config, back, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
    });
  }

  it('FAPI 1.0 Advanced: code with JARM and a pushed, signed request', async () => {
    const tpp = await setting.tpp('tpp-jarm');
    const tokens = await pushed(tpp, await tpp.createConsent(defaultPermissions), true, true);
    expect(await accounts(tpp, tokens.access_token)).toBe(200);
  });

  it('FAPI 2.0: ES256 for all signatures, where a TPP registered it', async () => {
    const metadata = { fapi_profile: '2.0', require_signed_request_object: false };
    const tpp = await setting.tpp('tpp-es256', { algorithm: 'ES256', metadata });
    const tokens = await pushed(tpp, await tpp.createConsent(defaultPermissions), false, false);
    expect(await accounts(tpp, tokens.access_token)).toBe(200);
  });

  it('FAPI 1.0: a TPP that registered ES256 is not served', async () => {
    const tpp = await setting.tpp('tpp-es256-uk', { algorithm: 'ES256' });
    await expect(tpp.ownToken()).rejects.toMatchObject({ error: expect.stringMatching(/^invalid_client/) });
  });

  it('FAPI 2.0, for a TPP that registered it: a pushed request and PKCE, without a signature', async () => {
    const tpp = await setting.tpp('tpp-fapi-2', { metadata: fapi2 });
    const tokens = await pushed(tpp, await tpp.createConsent(defaultPermissions), false, false);
    expect(await accounts(tpp, tokens.access_token)).toBe(200);
  });

  it('FAPI 2.0: a request that was not pushed is refused', async () => {
    const tpp = await setting.tpp('tpp-fapi-2-direct', { metadata: fapi2 });
    const { parameters } = tpp.parameters(await tpp.createConsent(defaultPermissions));
    const url = oidc.buildAuthorizationUrl(await tpp.config(), { ...parameters, response_type: 'code' });
    expect((await setting.browser().open(url)).url.searchParams.get('error')).toBe('invalid_request');
  });

  it.each([
    ['an unknown scope', { scope: 'openid accounts payments' }, 'invalid_scope'],
    ['an unknown scope alone', { scope: 'payments' }, 'invalid_request'],
    ['no scope of accounts', { scope: 'openid' }, 'invalid_scope'],
    ['no scope at all', { scope: undefined }, 'invalid_request'],
  ])(
    'FAPI 1.0 and 2.0: a pushed request with %s is refused before any customer is asked: %o is %s',
    async (_what, changes, error) => {
      const [first, second] = await Promise.all([
        setting.tpp('tpp-scope-1'),
        setting.tpp('tpp-scope-2', { metadata: fapi2 }),
      ]);
      const answers = await Promise.all(
        [first, second].map(async (tpp) => {
          const consentId = await tpp.createConsent(defaultPermissions);
          const { parameters, verifier } = tpp.parameters(consentId);
          const asked = {
            ...parameters,
            response_type: 'code',
            ...(tpp === first && { response_mode: 'jwt' }),
            code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
            code_challenge_method: 'S256',
            ...changes,
          };
          const request =
            tpp === first
              ? { request: await tpp.requestObject(consentId, { ...asked, claims: claimsFor(consentId) }) }
              : Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
          const pushing = oidc.buildAuthorizationUrlWithPAR(await tpp.config(), request as Record<string, string>);
          return pushing.then(
            () => 'pushed',
            ({ error }: { error: string }) => error,
          );
        }),
      );
      expect(answers).toEqual([error, error]);
    },
  );

  it.each<[string, TppOptions]>([
    ['private_key_jwt', { clientAuth: 'private_key_jwt' }],
    ['tls_client_auth', { clientAuth: 'tls_client_auth' }],
    ['self_signed_tls_client_auth', { clientAuth: 'self_signed_tls_client_auth' }],
  ])('a TPP may prove itself with %s, and registers an algorithm only where it signs', async (method, options) => {
    const clientId = `tpp-${method}`;
    // Issued by an unknown authority, where the certificate itself is registered.
    const selfSigned = options.clientAuth === 'self_signed_tls_client_auth';
    const authority = selfSigned ? new CertificateAuthority('unknown authority') : setting.authority;
    const tpp = await setting.tpp(clientId, { ...options, certified: authority.issue(clientId) });
    const { accessToken } = await setting.access(tpp, 'saver');
    expect([await accounts(tpp, accessToken), decodeJwt(accessToken)['cnf']]).toEqual([
      200,
      { 'x5t#S256': tpp.certified.thumbprint },
    ]);
  });

  it.each<[profile: '1.0' | '2.0', method: NonNullable<TppOptions['clientAuth']>]>([
    ['1.0', 'private_key_jwt'],
    ['1.0', 'tls_client_auth'],
    ['1.0', 'self_signed_tls_client_auth'],
    ['2.0', 'private_key_jwt'],
    ['2.0', 'tls_client_auth'],
    ['2.0', 'self_signed_tls_client_auth'],
  ])(
    'FAPI %s with %s: a refresh over a renewed certificate gives a token that is bound to that certificate',
    async (profile, clientAuth) => {
      const clientId = `tpp-renewing-${profile}-${clientAuth}`;
      const tpp = await setting.tpp(clientId, { clientAuth, ...(profile === '2.0' && { metadata: fapi2 }) });
      const renewed = setting.authority.issue(clientId);
      const { access_token: old, refresh_token: refreshToken = '' } = await pushed(
        tpp,
        await tpp.createConsent(defaultPermissions),
        profile === '1.0',
        profile === '1.0',
      );
      if (clientAuth === 'self_signed_tls_client_auth') await register(tpp, renewed);
      const tokens = await tpp.refresh(refreshToken, tpp.fetchWith(renewed));
      expect([tokens.refresh_token, decodeJwt(tokens.access_token)['cnf']]).toEqual([
        refreshToken,
        { 'x5t#S256': renewed.thumbprint },
      ]);
      const asked = (token: string, certified: Certified) =>
        tpp.ask('/accounts', token, { fetch: tpp.fetchWith(certified) }).then(({ status }) => status);
      expect([
        await asked(tokens.access_token, renewed),
        await asked(tokens.access_token, tpp.certified),
        await asked(old, renewed),
        await asked(old, tpp.certified),
      ]).toEqual([200, 401, 401, 200]);
    },
  );

  /** Registers one more certificate of a TPP that proves itself by registered certificates. */
  async function register({ registration }: TestTpp, { certificate }: Certified): Promise<void> {
    const { metadata } = registration;
    const x5c = [certificate.raw.toString('base64')];
    const keys = [...(metadata.jwks?.keys ?? []), { ...certificate.publicKey.export({ format: 'jwk' }), x5c }];
    await setting.server.tpps.save({ ...registration, metadata: { ...metadata, jwks: { keys } } });
  }

  it.each<[string, TppOptions, string]>([
    ['tls_client_auth', { clientAuth: 'tls_client_auth' }, 'tpp-other'],
    ['self_signed_tls_client_auth', { clientAuth: 'self_signed_tls_client_auth' }, 'same'],
  ])('%s with another certificate is refused', async (method, options, name) => {
    const clientId = `tpp-${method}-victim`;
    const tpp = await setting.tpp(clientId, options);
    const other = tpp.fetchWith(setting.authority.issue(name === 'same' ? clientId : name));
    await expect(oidc.clientCredentialsGrant(await tpp.config(other), { scope: 'accounts' })).rejects.toMatchObject({
      error: 'invalid_client',
    });
  });

  it('tls_client_auth knows the subject in whatever order and spelling it was registered', async () => {
    const tpp = await setting.tpp('tpp-dn', {
      clientAuth: 'tls_client_auth',
      metadata: { tls_client_auth_subject_dn: ' commonName = tpp-dn ' },
    });
    expect(await tpp.ownToken()).toEqual(expect.any(String));
  });

  it.each([
    ['RS256 for client assertions', { token_endpoint_auth_signing_alg: 'RS256' }],
    ['RS256 for request objects', { request_object_signing_alg: 'RS256' }],
    ['a secret', { token_endpoint_auth_method: 'client_secret_basic', client_secret: 'secret' }],
    ['nothing at all', { token_endpoint_auth_method: 'none' }],
    ['tokens that are bound to nothing', { tls_client_certificate_bound_access_tokens: false }],
  ])('a registration of %s is not served', async (_what, metadata) => {
    const tpp = await setting.tpp(`tpp-weak-${Object.values(metadata).join('-')}`, { metadata });
    await expect(oidc.clientCredentialsGrant(await tpp.config(), { scope: 'accounts' })).rejects.toMatchObject({
      error: expect.stringMatching(/^invalid_client/),
    });
  });

  it('discovery is completed, with the TPPs’ endpoints at their listener, whichever listener is asked', async () => {
    const tpp = await setting.tpp('tpp-reader');
    const { issuer, tppUrl } = setting.places;
    const documents = await Promise.all(
      [issuer, `${tppUrl}/as`].map(async (place) =>
        (await tpp.fetch(`${place}/.well-known/openid-configuration`, { method: 'GET' } as never)).json(),
      ),
    );
    expect(documents[0]).toEqual(documents[1]);
    expect(documents[0]).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      jwks_uri: `${issuer}/jwks`,
      token_endpoint: `${tppUrl}/as/token`,
      pushed_authorization_request_endpoint: `${tppUrl}/as/par`,
      mtls_endpoint_aliases: { token_endpoint: `${tppUrl}/as/token` },
      tls_client_certificate_bound_access_tokens: true,
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth'],
      token_endpoint_auth_signing_alg_values_supported: ['PS256', 'ES256'],
      id_token_signing_alg_values_supported: expect.arrayContaining(['PS256', 'ES256']),
      request_object_signing_alg_values_supported: ['PS256', 'ES256'],
      scopes_supported: ['openid', 'accounts', 'fundsconfirmations'],
      acr_values_supported: ['urn:openbanking:psd2:sca'],
    });
  });

  it('serves each listener’s own paths only', async () => {
    const tpp = await setting.tpp('tpp-visitor');
    const origin = new URL(setting.places.issuer).origin;
    const status = async (url: string): Promise<number> => (await tpp.fetch(url, { method: 'POST' } as never)).status;
    const answers = await Promise.all([
      status(`${origin}/as/token`),
      status(`${origin}/as/par`),
      status(`${origin}${v3_1.basePath}/accounts`),
      status(`${setting.places.tppUrl}/as/authorize`),
      status(`${setting.places.tppUrl}/as/interaction/x`),
      status(`${setting.places.tppUrl}/as/dashboard`),
    ]);
    expect(answers).toEqual(Array(6).fill(404));
    // The bank's paths are on neither listener, with its credential or without. The API answers 401 for an unknown path.
    for (const [place, unknown] of [
      [origin, 404],
      [setting.places.tppUrl, 401],
    ] as const)
      for (const path of ['/bank/v1/consents/x/revoke', '/bank/v1/tpps', '/health/ready', '/metrics'])
        for (const headers of [{}, { authorization: `Bearer ${setting.stack.config.bankCredentials[0]}` }]) {
          const answer = await tpp.fetch(`${place}${path}`, { method: 'GET', headers } as never);
          expect([path, answer.status]).toEqual([path, unknown]);
        }
  });

  it('asks TPPs for a certificate, and browsers for none', async () => {
    const { issuer, tppUrl } = setting.places;
    expect([await asksForCertificate(tppUrl), await asksForCertificate(issuer)]).toEqual([true, false]);
  });

  /** Whether a CertificateRequest came, which up to TLS 1.2 can be read on the way (RFC 5246, section 7.4). */
  async function asksForCertificate(url: string): Promise<boolean> {
    const { hostname: host, port } = new URL(url);
    const heard: Buffer[] = [];
    const tap = createServer((socket) => {
      const onward = connect(Number(port), host);
      onward.on('data', (chunk: Buffer) => heard.push(chunk));
      socket.pipe(onward).pipe(socket);
    }).listen(0, host);
    await once(tap, 'listening');
    const { port: tapped } = tap.address() as AddressInfo;
    const client = connectTls({ host, port: tapped, ca: setting.places.ca, maxVersion: 'TLSv1.2' });
    await once(client, 'secureConnect');
    client.destroy();
    tap.close();
    const messages = handshakeMessages(Buffer.concat(heard));
    expect(messages).toContain(serverHelloDone);
    return messages.includes(certificateRequest);
  }

  const [changeCipherSpec, certificateRequest, serverHelloDone] = [20, 13, 14];

  /** The types of the messages that are not encrypted. */
  function handshakeMessages(records: Buffer): number[] {
    const plain: Buffer[] = [];
    for (let at = 0; records[at] !== changeCipherSpec; at += 5 + records.readUInt16BE(at + 3))
      plain.push(records.subarray(at + 5, at + 5 + records.readUInt16BE(at + 3)));
    const messages = Buffer.concat(plain);
    const types: number[] = [];
    for (let at = 0; at < messages.length; at += 4 + messages.readUIntBE(at + 1, 3)) types.push(messages[at] ?? 0);
    return types;
  }
});
