import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { decodeJwt, exportJWK, importJWK, type CryptoKey } from 'jose';
import * as oidc from 'openid-client';
import { AuthorisationSetting, defaultPermissions } from './setting.js';
import { claimsFor, redirectUri, type TestTpp } from './tpp.js';
import { anyUuid } from '../support/error-shape.js';
import { sendRaw } from '../support/raw-http.js';
import { realNowMs } from '../support/real-time.js';
import { jwtWithB64 } from '../support/unencoded-jwt.js';
import { base } from '../support/stack.js';

type Changes = Readonly<Record<string, unknown>>;

const now = (): number => Math.floor(realNowMs() / 1_000);

const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };

describe('an authorization request', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let other: TestTpp;
  let fapi2: TestTpp;
  let consentId: string;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start();
    tpp = await setting.tpp('tpp-one');
    other = await setting.tpp('tpp-two');
    fapi2 = await setting.tpp('tpp-three', {
      metadata: { fapi_profile: '2.0', response_types: ['code'], require_signed_request_object: false },
    });
    consentId = await tpp.createConsent(defaultPermissions);
  });
  afterAll(() => setting.close());

  /** The OAuth error in the fragment for the TPP, or the customer's page where there is no way back. */
  async function refusal(url: URL): Promise<string> {
    const page = await setting.browser().open(url);
    if (page.url.href.startsWith(redirectUri)) {
      const answer = page.url.hash === '' ? page.url.searchParams : new URLSearchParams(page.url.hash.slice(1));
      return `${answer.get('error')}: ${answer.get('error_description')}`;
    }
    return `a page (${page.status})`;
  }

  it.each<[when: string, changes: Changes]>([
    ['is right', {}],
    [
      'asks for a token while the customer is offline, without prompt=consent',
      { scope: 'openid accounts offline_access' },
    ],
    ['names an empty list of resources', { resource: [] }],
  ])('shows the sign-in page when its request object %s', async (_when, changes) => {
    const page = await setting.browser().open(await tpp.beginWith(await tpp.requestObject(consentId, changes)));
    expect([page.status, page.url.pathname]).toEqual([200, expect.stringMatching(/^\/as\/interaction\//)]);
  });

  it.each<[what: string, changes: Changes | (() => Changes), answer: string]>([
    ['has expired', () => ({ exp: now() - 600, nbf: now() - 900 }), 'invalid_request_object'],
    ['has no nbf', { nbf: undefined }, 'invalid_request_object'],
    ['has no exp', { exp: undefined }, 'invalid_request_object'],
    ['is good for longer than an hour', () => ({ exp: now() + 4_000 }), 'invalid_request_object'],
    ['is from a clock that is 90 s ahead', () => ({ iat: now() + 90 }), 'invalid_request_object'],
    ['is good from 90 s ahead', () => ({ nbf: now() + 90 }), 'invalid_request_object'],
    ['is meant for another server', { aud: 'https://another.example' }, 'invalid_request_object'],
    ['names no consent', { claims: { id_token: { acr: null } } }, 'invalid_request'],
    ['has no claims', { claims: undefined }, 'invalid_request'],
    ['names a consent that does not exist', { claims: claimsFor('aac-none') }, 'invalid_request'],
    [
      'demands less than strong authentication',
      {
        claims: {
          id_token: {
            openbanking_intent_id: { value: 'x' },
            acr: { essential: true, value: 'urn:openbanking:psd2:ca' },
          },
        },
      },
      'unmet_authentication_requirements',
    ],
    ['has an unknown scope', { scope: 'openid accounts payments' }, 'invalid_scope'],
    ['has an unknown scope alone', { scope: 'payments' }, 'invalid_request'],
    [
      'asks for a token while the customer is offline, by a scope and a prompt',
      { scope: 'openid accounts offline_access', prompt: 'consent' },
      'invalid_scope',
    ],
    ['has no scope of accounts', { scope: 'openid' }, 'invalid_scope'],
    ['has a scope that differs in case alone', { scope: 'openid Accounts' }, 'invalid_scope'],
    ['has no scope at all', { scope: undefined }, 'invalid_request'],
    ['asks for no page to be shown', { prompt: 'none' }, 'login_required'],
    ['wants the code without an id token and without JARM', { response_type: 'code' }, 'invalid_request'],
  ])('is refused when its request object %s', async (_what, given, answer) => {
    const changes = typeof given === 'function' ? given() : given;
    const object = await tpp.requestObject(consentId, changes);
    const url = await tpp.beginWith(object);
    if ('scope' in changes) url.searchParams.delete('scope');
    if (changes['response_type'] !== undefined) url.searchParams.delete('response_type');
    expect((await refusal(url)).split(':', 1)).toEqual([answer]);
  });

  it('is refused when its request object is of another TPP’s intent, in the words for one that does not exist', async () => {
    const foreign = await other.createConsent(defaultPermissions);
    const answers = await Promise.all(
      [foreign, 'aac-unknown'].map(async (id) => refusal(await tpp.beginWith(await tpp.requestObject(id)))),
    );
    expect(answers).toEqual(Array(2).fill('invalid_request: openbanking_intent_id names no consent of this client'));
  });

  it.each(['none', 'RS256'])(
    'is refused when its request object is signed with %s, if by the right key',
    async (alg) => {
      // The registered key states no algorithm, so only the algorithm can be the reason of the refusal.
      const rsa = await setting.stranger(`tpp-${alg}`);
      const { registration, publicJwk, privateKey } = rsa;
      const jwks = { keys: [{ ...publicJwk, alg: undefined }] };
      await setting.server.tpps.save({ ...registration, metadata: { ...registration.metadata, jwks } });
      const intent = await rsa.createConsent(defaultPermissions);
      const own = { ...(await exportJWK(privateKey)), alg };
      const key = alg === 'none' ? undefined : ((await importJWK(own, alg)) as CryptoKey);
      const object = await rsa.requestObject(intent, {}, { alg, ...(key && { key }) });
      expect(await refusal(await rsa.beginWith(object))).toMatch(/^invalid_request_object: /);
      expect(await refusal(await rsa.beginWith(await rsa.requestObject(intent)))).toBe('a page (200)');
    },
  );

  it('is accepted when its request object is of a clock that is 10 s ahead', async () => {
    const object = await tpp.requestObject(consentId, { iat: now() + 10, nbf: now() + 10 });
    expect(await refusal(await tpp.beginWith(object))).toBe('a page (200)');
  });

  it('is refused when it is pushed, where it names no consent or no response type', async () => {
    const { claims: _, ...unnamed } = fapi2.parameters(consentId).parameters;
    const answers = [await fapi2.push({ ...unnamed, ...pkce, response_type: 'code' }), await fapi2.push(unnamed)];
    expect(answers.map(({ status, json }) => `${status} ${json.error_description}`)).toEqual([
      '400 claims.id_token.openbanking_intent_id.value must be the id of a consent',
      '400 requested response_mode is not allowed for this client or request',
    ]);
  });

  it.each([true, false])('is refused when its request object has b64 in its header, also %s', async (b64) => {
    const claims = decodeJwt(await tpp.requestObject(consentId));
    const object = await jwtWithB64(claims, { alg: 'PS256', kid: tpp.keyId }, tpp.privateKey, b64);
    const fault = 'the request object must have neither crit nor b64 in its header';
    expect(await refusal(await tpp.beginWith(object))).toBe(`invalid_request_object: ${fault}`);
    const pushed = await tpp.push({ request: object });
    expect([pushed.status, pushed.json]).toMatchObject([
      400,
      { error: 'invalid_request_object', error_description: fault },
    ]);
  });

  it.each(['state', 'nonce'])('may have a %s of a kilobyte and no more, by value and pushed', async (name) => {
    const [fits, over] = ['a'.repeat(1_024), 'a'.repeat(1_025)];
    expect(await refusal(await tpp.beginWith(await tpp.requestObject(consentId, { [name]: fits })))).toBe(
      'a page (200)',
    );
    const object = await tpp.requestObject(consentId, { [name]: over, ...pkce });
    const fault = `${name} must have at most 1024 bytes`;
    expect(await refusal(await tpp.beginWith(object))).toBe(`invalid_request: ${fault}`);
    const { parameters } = fapi2.parameters(await fapi2.createConsent(defaultPermissions));
    const plain = { ...parameters, ...pkce, response_type: 'code', response_mode: 'jwt' };
    const answers = [
      await tpp.push({ request: object }),
      await fapi2.push({ ...plain, [name]: over }),
      await fapi2.push({ ...plain, [name]: 'a'.repeat(48 * 1_024) }),
    ];
    for (const { status, json } of answers)
      expect([status, json]).toMatchObject([400, { error: 'invalid_request', error_description: fault }]);
  });

  it('may have 16 KB and no more, as an object or as parameters', async () => {
    const tooLarge = 'a'.repeat(16 * 1_024);
    const object = await tpp.requestObject(consentId, { ui_locales: tooLarge });
    const { parameters } = fapi2.parameters(await fapi2.createConsent(defaultPermissions));
    const plain = { ...parameters, ...pkce, response_type: 'code', response_mode: 'jwt', ui_locales: tooLarge };
    const answers = [await tpp.push({ request: object }), await fapi2.push(plain)];
    expect(answers.map(({ status, json }) => [status, json])).toMatchObject([
      [400, { error: 'invalid_request_object', error_description: 'the request object must have at most 16384 bytes' }],
      [
        400,
        { error: 'invalid_request', error_description: 'the parameters of the request must have at most 16384 bytes' },
      ],
    ]);
  });

  it('is refused when its request object is signed with another TPP’s key', async () => {
    const object = await tpp.requestObject(consentId, {}, { alg: 'PS256', key: other.privateKey });
    expect(await refusal(await tpp.beginWith(object))).toMatch(/^invalid_request_object: /);
  });

  it('is refused without a request object', async () => {
    const config = await tpp.config();
    oidc.useCodeIdTokenResponseType(config);
    const { parameters } = tpp.parameters(consentId);
    expect(await refusal(oidc.buildAuthorizationUrl(config, parameters))).toMatch(
      /^invalid_request: Request Object must/,
    );
  });

  it.each([
    ['another address', 'https://evil.example/callback'],
    ['a longer one', `${redirectUri}/more`],
    ['one with a query', `${redirectUri}?next=https://evil.example`],
    ['one with another case', 'https://tpp.example/Callback'],
    ['none, though one alone is registered', undefined],
  ])('is answered with a page, without a redirect, when its redirect URI is %s', async (_what, uri) => {
    const object = await tpp.requestObject(consentId, { redirect_uri: uri });
    const page = await setting.browser().open(await tpp.beginWith(object));
    expect([page.url.origin, page.status]).toEqual([new URL(setting.places.issuer).origin, 400]);
  });

  it('is refused for a consent that was refused or has expired', async () => {
    const rejected = await tpp.createConsent(defaultPermissions);
    await setting.stack.report(`/consents/${rejected}/reject`, {});
    const soon = new Date(setting.clock.nowMs() + 30_000).toISOString();
    const expired = await tpp.createConsent(defaultPermissions, { ExpirationDateTime: soon });
    setting.clock.advance(31_000);
    const answers = await Promise.all(
      [rejected, expired].map(async (id) => refusal(await tpp.beginWith(await tpp.requestObject(id)))),
    );
    expect(answers).toEqual(['invalid_request: the consent is rejected', 'invalid_request: the consent has expired']);
  });

  it('sends the browser nowhere but to a redirect URI of one host, whatever the stored registration has', async () => {
    const stored = await setting.tpp('tpp-stored', {
      metadata: { redirect_uris: ['https://tpp.example;script-src/callback', redirectUri] },
    });
    const intent = await stored.createConsent(defaultPermissions);
    const asked = async (uri: string): Promise<string> =>
      refusal(await stored.beginWith(await stored.requestObject(intent, { redirect_uri: uri })));
    expect(await asked(redirectUri)).toBe('a page (200)');
    expect(await asked('https://tpp.example;script-src/callback')).toBe('a page (400)');
    const only = await setting.tpp('tpp-nowhere', { metadata: { redirect_uris: ['https://*.example/callback'] } });
    await expect(only.ownToken()).rejects.toMatchObject({ error: 'invalid_client' });
  });

  it('is refused for a consent that was not authorised in time, in the words for one that does not exist', async () => {
    const expired = await tpp.createConsent(defaultPermissions);
    setting.clock.advance(86_400_000);
    const answer = await refusal(await tpp.beginWith(await tpp.requestObject(expired)));
    setting.clock.advance(-86_400_000);
    expect(answer).toBe('invalid_request: openbanking_intent_id names no consent of this client');
    expect(await refusal(await tpp.beginWith(await tpp.requestObject(expired)))).toBe('a page (200)');
  });

  it('is refused from a TPP that is suspended, and accepted again when it is reinstated', async () => {
    const url = await tpp.beginWith(await tpp.requestObject(consentId));
    await setting.order('suspend', 'tpp-one');
    expect(await refusal(url)).toBe('a page (400)');
    await setting.order('reinstate', 'tpp-one');
    expect((await setting.browser().open(url)).status).toBe(200);
  });

  it.each([
    ['the browsers’ listener', '/as/.well-known/openid-configuration', 'issuer'],
    ['the TPPs’ listener', '/as/token', 'tppUrl'],
  ] as const)('%s answers 421 to the Host of another server', async (_name, path, place) => {
    const { origin } = new URL(setting.places[place]);
    const answer = await setting.rawRequest(`${origin}${path}`, 'evil.example');
    expect(answer).toBe(421);
  });

  it.each([
    ['bytes that are not HTTP', 400, 'GARBAGE\r\n\r\n'],
    ['an AccountId of 16 kB', 401, `GET ${base}/accounts/${'a'.repeat(16_384)} HTTP/1.1\r\n`],
    ['an expectation that is not known', 401, `GET ${base}/accounts HTTP/1.1\r\nExpect: teapot\r\n`],
    ['more headers than any request needs', 431, `GET / HTTP/1.1\r\nX-Long: ${'a'.repeat(40_000)}\r\n`],
  ])('the TPPs’ listener answers %s as the API’s own does', async (_what, expected, text) => {
    const { host, port } = new URL(setting.places.tppUrl);
    const { certificatePem: cert, keyPem: key } = tpp.certified;
    const { status, headers } = await sendRaw(Number(port), `${text}Host: ${host}\r\nConnection: close\r\n\r\n`, (to) =>
      connect({ host: '127.0.0.1', port: to, ca: setting.places.ca, cert, key }),
    );
    expect(status).toBe(expected);
    expect(headers['x-fapi-interaction-id']).toMatch(anyUuid);
  });

  it('a client’s jwks_uri at a private address is not asked', async () => {
    let asked = 0;
    const inside = createServer((socket) => {
      asked++;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(inside, 'listening');
    const { port } = inside.address() as AddressInfo;
    const fetching = await setting.tpp('tpp-fetching', {
      metadata: { jwks: undefined, jwks_uri: `https://127.0.0.1:${port}/jwks` },
    });
    const answer = await refusal(await fetching.beginWith(await fetching.requestObject(consentId)));
    inside.close();
    expect([answer.split(':', 1)[0], asked]).toEqual(['invalid_request_object', 0]);
  });

  it('is accepted as a posted form, too', async () => {
    const url = await tpp.beginWith(await tpp.requestObject(consentId));
    const posted = await setting.browser().post(new URL(url.pathname, url), url.searchParams);
    expect([posted, (await setting.browser().open(url)).status]).toEqual([303, 200]);
  });

  it('a request_uri that was not pushed is refused', async () => {
    const url = await tpp.beginWith(await tpp.requestObject(consentId));
    url.searchParams.delete('request');
    url.searchParams.set('request_uri', 'https://tpp.example/request.jwt');
    expect(await refusal(url)).toMatch(/^request_uri_not_supported: /);
  });
});
