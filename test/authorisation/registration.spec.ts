import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID, X509Certificate } from 'node:crypto';
import { decodeJwt, exportJWK, generateKeyPair, importJWK, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { Authority } from '../../sandbox/pki/authority.js';
import { makeSigningKey } from '../../sandbox/bank/issuer.js';
import type { Software } from '../../sandbox/directory/software.js';
import { CertificateAuthority, type Certified } from '../support/certificates.js';
import { eventsOf } from '../support/read-trail.js';
import { until } from '../support/until.js';
import { realNowMs } from '../support/real-time.js';
import { RunningClock } from '../support/running-clock.js';
import { text, type Browser } from './browser.js';
import { DirectoryServer } from './directory-server.js';
import { AuthorisationSetting, defaultPermissions, type Access } from './setting.js';
import { redirectUri, type TestTpp } from './tpp.js';

const minute = 60;
const organisationId = '0015800001TestOrg';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: ReturnType<typeof JSON.parse>;
}
interface Changes {
  readonly claims?: JWTPayload;
  readonly statement?: string;
  readonly key?: CryptoKey;
  readonly alg?: string;
  readonly header?: object;
}

describe('dynamic client registration', () => {
  let directory: DirectoryServer;
  let setting: AuthorisationSetting;
  let eidas: Authority;
  let count = 0;
  let tpp: TestTpp;
  /** The TPP's software, new for each test. The directory knows it and the bank does not. */
  let software: Software;
  beforeAll(async () => {
    const clock = new RunningClock();
    directory = await DirectoryServer.start(clock);
    eidas = await Authority.make(clock.nowMs());
    setting = await AuthorisationSetting.start({
      authorisationServer: { directory: directory.config },
      authorities: [eidas.pair.certificate],
    });
    tpp = await setting.stranger('software', { certified: setting.authority.issue(organisationId) });
  });
  afterAll(async () => {
    await setting.close();
    await directory.close();
  });
  beforeEach(() => {
    const softwareId = `Software${(count++).toString().padStart(4, '0')}`;
    software = {
      softwareId,
      clientName: `The app ${softwareId}`,
      description: 'Shows accounts.',
      clientUri: 'https://tpp.example',
      redirectUris: [redirectUri, 'https://tpp.example/other'],
      organisation: { organisationName: 'Test', organisationId, registrationId: '900002', roles: ['PSP_AI'] },
      jwks: { keys: [tpp.publicJwk] },
    };
  });

  const nowSeconds = (): number => Math.floor(setting.clock.nowMs() / 1_000);
  const statement = (): Promise<string> => directory.directory.statement(software);
  /** A statement with other claims, or one without those that are `undefined`. */
  const spoiltStatement = async (changes: JWTPayload): Promise<string> =>
    directory.sign(JSON.parse(JSON.stringify({ ...decodeJwt(await statement()), ...changes })) as JWTPayload);

  async function request({
    claims = {},
    statement: given,
    key = tpp.privateKey,
    alg = 'PS256',
    header = {},
  }: Changes = {}) {
    const payload = {
      iss: software.softwareId,
      aud: setting.places.issuer,
      iat: nowSeconds(),
      exp: nowSeconds() + 5 * minute,
      jti: randomUUID(),
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'PS256',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      response_types: ['code id_token'],
      software_id: software.softwareId,
      scope: 'openid accounts',
      software_statement: given ?? (await statement()),
      application_type: 'web',
      id_token_signed_response_alg: 'PS256',
      request_object_signing_alg: 'PS256',
      ...claims,
    };
    return new SignJWT(JSON.parse(JSON.stringify(payload)) as JWTPayload)
      .setProtectedHeader({ alg, kid: tpp.keyId, ...header })
      .sign(key);
  }

  async function call(
    method: string,
    path: string,
    { body, token, fetch = tpp.fetch, type = 'application/jose' }: Call = {},
  ): Promise<Answer> {
    const answer = await fetch(`${setting.places.tppUrl}/as/register${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': type }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body,
    } as never);
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, json: text === '' ? undefined : JSON.parse(text) };
  }
  interface Call {
    readonly body?: string;
    readonly token?: string;
    readonly fetch?: TestTpp['fetch'];
    readonly type?: string;
  }
  const register = async (changes?: Changes, call_: Call = {}): Promise<Answer> =>
    call('POST', '', { body: await request(changes), ...call_ });
  /** The TPP under its issued name. */
  async function registered(changes?: Changes): Promise<TestTpp> {
    const { status, json } = await register(changes);
    if (status !== 201) throw new Error(`not registered: ${status} ${JSON.stringify(json)}`);
    return tpp.as(json.client_id as string);
  }
  const succeeds = (attempt: Promise<unknown>): Promise<boolean> =>
    attempt.then(
      () => true,
      () => false,
    );
  const works = async (client: TestTpp, access: Access): Promise<readonly boolean[]> => [
    (await client.ask('/accounts', access.accessToken)).status === 200,
    await succeeds(client.refresh(access.refreshToken)),
    await succeeds(client.ownToken()),
  ];
  const all = [true, true, true];
  const nothing = [false, false, false];

  it('registers the software that the directory states, and the TPP is one from then on', async () => {
    const signed = await statement();
    const { status, headers, json } = await register({ statement: signed });
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      201,
      'application/json; charset=utf-8',
      'no-store',
    ]);
    expect(json).toEqual({
      client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      client_id_issued_at: expect.any(Number),
      client_name: software.clientName,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'PS256',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      response_types: ['code id_token'],
      id_token_signed_response_alg: 'PS256',
      request_object_signing_alg: 'PS256',
      jwks_uri: `${directory.url}/software/${software.softwareId}/jwks.json`,
      scope: 'openid accounts',
      application_type: 'web',
      tls_client_certificate_bound_access_tokens: true,
      software_id: software.softwareId,
      software_statement: signed,
    });
    expect(Math.abs(json.client_id_issued_at - nowSeconds())).toBeLessThan(30);
    const client = tpp.as(json.client_id);
    const access = await setting.access(client, 'saver');
    expect(await works(client, access)).toEqual(all);
  });

  it.each([false, undefined])(
    'accepts no unsigned request of the TPP, though it asks for require_signed_request_object: %s',
    async (wish) => {
      const client = await registered({
        claims: { require_signed_request_object: wish, request_object_signing_alg: undefined },
      });
      const { parameters } = client.parameters(await client.createConsent(defaultPermissions));
      const url = new URL(`${setting.places.issuer}/authorize`);
      const unsigned = { ...parameters, client_id: client.clientId, response_type: 'code id_token' };
      url.search = new URLSearchParams(unsigned).toString();
      const { url: back } = await setting.browser().open(url);
      expect(new URLSearchParams(back.hash.slice(1)).get('error_description')).toBe(
        'Request Object must be used by this client',
      );
    },
  );

  it('names the agent of the statement to customers and to the bank, until a statement has no agent', async () => {
    const client = await registered({ statement: await spoiltStatement({ software_on_behalf_of_org: '<b>Oak & Co' }) });
    const both = `&lt;b&gt;Oak &amp; Co on behalf of ${software.clientName}`;
    const seen = async (browser: Browser, where: string | URL): Promise<string> =>
      text((await browser.open(where)).html);
    const { consentId } = await setting.access(client, 'saver');
    const named = async (): Promise<readonly unknown[]> => {
      const browser = setting.browser();
      const begun = await client.begin(await client.createConsent(defaultPermissions));
      const page = await seen(browser, begun.url);
      const overview = await setting.signIn(browser, await browser.open('/as/dashboard'), 'saver');
      const { Tpps } = (await setting.stack.report('/tpps')).json as { Tpps: { ClientId: string; Agent?: string }[] };
      return [
        page.includes(`${both} asks to see information`),
        text(overview.html).includes(both),
        (await seen(browser, '/as/dashboard?tpp=OAK%20%26')).includes(both),
        (await seen(browser, `/as/dashboard/withdraw/${consentId}`)).includes(`Withdraw the access of ${both}`),
        Tpps.find(({ ClientId }) => ClientId === client.clientId)?.Agent,
      ];
    };
    expect(await named()).toEqual([true, true, true, true, '<b>Oak & Co']);
    const body = await request({ claims: { client_id: client.clientId } });
    const token = await client.ownToken();
    expect((await call('PUT', `/${client.clientId}`, { token, body })).status).toBe(200);
    expect(await named()).toEqual([false, false, false, false, undefined]);
  });

  it('is announced where it is on, under the TPPs’ own name', async () => {
    const metadata = (await tpp.config()).serverMetadata();
    expect(metadata.registration_endpoint).toBe(`${setting.places.tppUrl}/as/register`);
    expect(metadata.mtls_endpoint_aliases?.['registration_endpoint']).toBe(`${setting.places.tppUrl}/as/register`);
  });

  it.each(['application/jose; charset=utf-8', 'application/jwt'])('takes a body of the type %s', async (type) => {
    expect((await register({}, { type })).status).toBe(201);
  });

  it('takes a request that ends in an hour', async () => {
    expect((await register({ claims: { exp: nowSeconds() + 60 * minute } })).status).toBe(201);
  });

  it.each(['application/json', 'application/x-www-form-urlencoded'])('takes no body of the type %s', async (type) => {
    expect(await register({}, { type })).toMatchObject({
      status: 415,
      json: { error_description: expect.stringContaining('Content-Type: application/jose') },
    });
  });

  it('takes no body that is larger than any request', async () => {
    expect((await call('POST', '', { body: 'a'.repeat(65 * 1024) })).status).toBe(413);
  });

  it.each<[string, () => Promise<Changes>]>([
    ['without a statement', async () => ({ claims: { software_statement: undefined } })],
    ['with a text that is not a statement', async () => ({ statement: 'a.b.c' })],
    [
      'with a statement that another key signed',
      async () => ({ statement: await directory.sign(decodeJwt(await statement()), await makeSigningKey('PS256')) }),
    ],
    [
      'with a statement of another issuer',
      async () => ({ statement: await spoiltStatement({ iss: 'Another Directory' }) }),
    ],
    [
      'with a statement that has expired',
      async () => ({ statement: await spoiltStatement({ exp: nowSeconds() - minute }) }),
    ],
    [
      'with a statement that is older than half a year',
      async () => ({ statement: await spoiltStatement({ iat: nowSeconds() - 181 * 86_400 }) }),
    ],
    [
      'with a statement that has b64 in its header',
      async () => ({
        statement: await directory.sign(decodeJwt(await statement()), undefined, 'PS256', { crit: ['b64'], b64: true }),
      }),
    ],
    [
      'with a statement that gives the software the bank’s own name',
      async () => ({ statement: await spoiltStatement({ software_client_name: 'YOUR BANK' }) }),
    ],
    [
      'with a statement that gives the software an invisible name',
      async () => ({ statement: await spoiltStatement({ software_client_name: '\u200b\u200b' }) }),
    ],
    [
      'with a statement whose agent has the bank’s own name',
      async () => ({ statement: await spoiltStatement({ software_on_behalf_of_org: 'Your Bank' }) }),
    ],
    ['with a statement without an age', async () => ({ statement: await spoiltStatement({ iat: undefined }) })],
  ])('refuses a request %s', async (_what, changes) => {
    const { status, json } = await register(await changes());
    expect([status, json]).toEqual([
      400,
      { error: 'invalid_software_statement', error_description: expect.any(String) },
    ]);
  });

  it.each<[string, JWTPayload]>([
    ['lacks the role', { software_roles: ['PISP', 'ASPSP'] }],
    ['is of an organisation that is not active', { org_status: 'Withdrawn' }],
    [
      'is of an organisation without the authority’s leave',
      {
        organisation_competent_authority_claims: {
          registration_id: '900002',
          status: 'Active',
          authorisations: [{ member_state: 'GB', roles: ['PISP'] }],
        },
      },
    ],
  ])('refuses software whose statement %s', async (_what, changes) => {
    const { status, json } = await register({ statement: await spoiltStatement(changes) });
    expect([status, json.error]).toEqual([400, 'unapproved_software_statement']);
  });

  it.each<[string, () => Promise<Changes>, string]>([
    [
      'signed by another key',
      async () => ({ key: (await generateKeyPair('PS256')).privateKey }),
      'invalid_client_metadata',
    ],
    ['with b64 in its header', async () => ({ header: { crit: ['b64'], b64: true } }), 'invalid_client_metadata'],
    ['for another server', async () => ({ claims: { aud: 'https://another.example' } }), 'invalid_client_metadata'],
    ['without an audience', async () => ({ claims: { aud: undefined } }), 'invalid_client_metadata'],
    ['of another issuer', async () => ({ claims: { iss: 'another' } }), 'invalid_client_metadata'],
    ['that has expired', async () => ({ claims: { exp: nowSeconds() - minute } }), 'invalid_client_metadata'],
    ['without an end', async () => ({ claims: { exp: undefined } }), 'invalid_client_metadata'],
    [
      'with an end beyond an hour',
      async () => ({ claims: { exp: nowSeconds() + 61 * minute } }),
      'invalid_client_metadata',
    ],
    ['without a beginning', async () => ({ claims: { iat: undefined } }), 'invalid_client_metadata'],
    ['from the future', async () => ({ claims: { iat: nowSeconds() + 5 * minute } }), 'invalid_client_metadata'],
    ['without jti', async () => ({ claims: { jti: undefined } }), 'invalid_client_metadata'],
    ['for other software', async () => ({ claims: { software_id: 'another' } }), 'invalid_client_metadata'],
    ['for a scope that is not ours', async () => ({ claims: { scope: 'openid payments' } }), 'invalid_client_metadata'],
    ['of an unknown profile', async () => ({ claims: { fapi_profile: '3.0' } }), 'invalid_client_metadata'],
    ['of an unknown kind', async () => ({ claims: { application_type: 'toaster' } }), 'invalid_client_metadata'],
    ['without grants', async () => ({ claims: { grant_types: undefined } }), 'invalid_client_metadata'],
    ['with other grants', async () => ({ claims: { grant_types: ['password'] } }), 'invalid_client_metadata'],
    ['with other answers', async () => ({ claims: { response_types: ['token'] } }), 'invalid_client_metadata'],
    [
      'with a secret',
      async () => ({ claims: { token_endpoint_auth_method: 'client_secret_basic' } }),
      'invalid_client_metadata',
    ],
    [
      'with RS256 for its assertions',
      async () => ({ claims: { token_endpoint_auth_signing_alg: 'RS256' } }),
      'invalid_client_metadata',
    ],
    [
      'without an algorithm for its assertions',
      async () => ({ claims: { token_endpoint_auth_signing_alg: undefined } }),
      'invalid_client_metadata',
    ],
    [
      'with unsigned request objects',
      async () => ({ claims: { request_object_signing_alg: 'none' } }),
      'invalid_client_metadata',
    ],
    [
      'with the subject of another certificate',
      async () => ({
        claims: { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: 'CN=another' },
      }),
      'invalid_client_metadata',
    ],
    [
      'with a redirect URI that the statement lacks',
      async () => ({ claims: { redirect_uris: [redirectUri, 'https://evil.example/'] } }),
      'invalid_redirect_uri',
    ],
    [
      'with part of a redirect URI of the statement',
      async () => ({ claims: { redirect_uris: [redirectUri.slice(0, -1)] } }),
      'invalid_redirect_uri',
    ],
    ['without any redirect URI', async () => ({ claims: { redirect_uris: [] } }), 'invalid_redirect_uri'],
  ])('refuses a request %s', async (_what, changes, error) => {
    const { status, json } = await register(await changes());
    expect([status, json]).toEqual([400, { error, error_description: expect.any(String) }]);
    expect((await register()).status).toBe(201);
  });

  it('shows the right form to a TPP that registers its subject as OpenSSL prints it', async () => {
    const method = { token_endpoint_auth_method: 'tls_client_auth', token_endpoint_auth_signing_alg: undefined };
    const subject = { tls_client_auth_subject_dn: `/CN=${organisationId}` };
    const { status, json } = await register({ claims: { ...method, ...subject } });
    expect([status, json.error, json.error_description]).toEqual([
      400,
      'invalid_client_metadata',
      expect.stringContaining('as RFC 4514 writes it, such as CN='),
    ]);
    const { status: second } = await register({
      claims: { ...method, tls_client_auth_subject_dn: `CN=${organisationId}` },
    });
    expect(second).toBe(201);
  });

  it('refuses RS256 and none on the request itself, if by the right key', async () => {
    const own = await importJWK({ ...(await exportJWK(tpp.privateKey)), alg: 'RS256' }, 'RS256');
    expect((await register({ key: own as CryptoKey, alg: 'RS256' })).status).toBe(400);
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await request()).split('.')[1]}.`;
    expect((await call('POST', '', { body: none })).status).toBe(400);
  });

  it('takes each request once, also when it comes ten times at once', async () => {
    const body = await request();
    const answers = await Promise.all(Array.from({ length: 10 }, () => call('POST', '', { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(400)]);
    expect((await call('POST', '', { body })).json.error_description).toContain('used before');
  });

  it('registers software once, also when it asks ten times at once', async () => {
    const bodies = await Promise.all(Array.from({ length: 10 }, () => request()));
    const answers = await Promise.all(bodies.map((body) => call('POST', '', { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(400)]);
    const { json } = await register();
    expect(json).toMatchObject({ error: 'unapproved_software_statement', error_description: /already/ });
  });

  describe('asks for a certificate of the organisation', () => {
    const withCertificate = async (certified: Certified | undefined): Promise<Answer> =>
      register({}, { fetch: tpp.fetchWith(certified) });
    const ofEidas = async (changes: Partial<Software['organisation']>): Promise<Certified> => {
      const { certificate, key } = await eidas.tpp({ ...software.organisation, ...changes });
      return { certificatePem: certificate, keyPem: key } as Certified;
    };

    it('the organisation’s own, or the software’s own', async () => {
      expect((await withCertificate(setting.authority.issue(software.softwareId))).status).toBe(201);
    });

    it('an eIDAS certificate with the role of account information', async () => {
      expect((await withCertificate(await ofEidas({}))).status).toBe(201);
    });

    it.each<[string, () => Certified | Promise<Certified>]>([
      ['another organisation’s', () => setting.authority.issue('0015800001Another')],
      ['a certificate of an authority that is not accepted', () => new CertificateAuthority().issue(organisationId)],
      ['an eIDAS one of another authorisation', () => ofEidas({ registrationId: '900003' })],
      ['an eIDAS one without the role', () => ofEidas({ roles: ['PSP_PI', 'PSP_IC'] })],
    ])('and not %s', async (_whose, certified) => {
      const { status, json } = await withCertificate(await certified());
      expect([status, json.error]).toEqual([400, 'unapproved_software_statement']);
    });

    it('and not none', async () => {
      expect((await withCertificate(undefined)).status).toBe(401);
    });
  });

  describe('binds a client to the certificates of its organisation', () => {
    const another = '0015800001Another';
    const foreign = () => tpp.fetchWith(setting.authority.issue(another));

    it('so that its signature over a certificate of another organisation is refused at each endpoint', async () => {
      const client = await registered();
      const { refreshToken, accessToken } = await setting.access(client, 'saver');
      const consentId = await client.createConsent(defaultPermissions);
      for (const [endpoint, asked] of [
        ['token', { grant_type: 'client_credentials', scope: 'accounts' }],
        ['token', { grant_type: 'refresh_token', refresh_token: refreshToken }],
        ['par', { request: await client.requestObject(consentId) }],
        ['revoke', { token: refreshToken }],
      ] as const) {
        const { status, json } = await client.post(endpoint, asked, foreign());
        expect([endpoint, status, json]).toEqual([
          endpoint,
          401,
          {
            error: 'invalid_client',
            error_uri: expect.stringMatching(/\/docs\/errors#invalid_client$/),
            error_description:
              'client authentication failed: the certificate of the connection does not belong to the organisation of the software statement',
          },
        ]);
      }
      expect(await works(client, { accessToken, refreshToken } as Access)).toEqual(all);
      const reasons = async () =>
        (await eventsOf(setting.stack.config.trail.directory, 'request')).map(({ reason }) => reason);
      await until(async () => (await reasons()).filter((each) => each === 'client-certificate-wrong').length >= 4);
    });

    it('where it proves itself by the certificate too, whose subject another may have but for its organisation', async () => {
      const { certificate, key } = await eidas.tpp(software.organisation);
      const own = { certificatePem: certificate, keyPem: key } as Certified;
      const method = 'tls_client_auth';
      // The organisation identifier may be left out of the registered subject.
      const subject = new X509Certificate(certificate).subject
        .split('\n')
        .filter((line) => !/^2\.5\.4\.97=/.test(line));
      const claims = {
        token_endpoint_auth_method: method,
        token_endpoint_auth_signing_alg: undefined,
        tls_client_auth_subject_dn: subject.reverse().join(','),
      };
      const { status, json } = await register({ claims }, { fetch: tpp.fetchWith(own) });
      expect(status).toBe(201);
      const byCertificate = await setting.stranger('by-certificate', { certified: own, clientAuth: method });
      const client = byCertificate.as(json.client_id as string);
      const imitated = await eidas.tpp({ ...software.organisation, registrationId: '900003' });
      const imitation = { certificatePem: imitated.certificate, keyPem: imitated.key } as Certified;
      const asked = { grant_type: 'client_credentials', scope: 'accounts' };
      expect([
        (await client.post('token', asked)).status,
        (await client.post('token', asked, client.fetchWith(imitation))).status,
      ]).toEqual([200, 401]);
    });

    it('and takes a renewed one of the same organisation', async () => {
      const client = await registered();
      const { refreshToken } = await setting.access(client, 'saver');
      const renewed = tpp.fetchWith(setting.authority.issue(organisationId));
      const { access_token: token } = await client.refresh(refreshToken, renewed);
      expect((await client.ask('/accounts', token, { fetch: renewed })).status).toBe(200);
    });

    it('also where it got its token before the directory moved the software to another organisation', async () => {
      const client = await registered();
      const { accessToken } = await setting.access(client, 'saver');
      const token = await client.ownToken();
      const known = await setting.server.tpps.find(client.clientId);
      if (known === undefined) throw new Error('the TPP is registered');
      await setting.server.tpps.recordDirectoryAnswer(known, { statement: await spoiltStatement({ org_id: another }) });
      const asked = [
        await client.ask('/accounts', accessToken),
        await client.ask('/account-access-consents/any', token),
        await call('GET', `/${client.clientId}`, { token }),
        await call('DELETE', `/${client.clientId}`, { token }),
      ];
      expect(asked.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
      expect(asked[0]?.headers.get('www-authenticate')).toContain('does not belong to the organisation');
    });
  });

  it('fetches no key set from the bank’s own network, whatever a statement says, and none before it knows whose the request is', async () => {
    for (const url of [
      'http://127.0.0.1:9/jwks',
      'https://127.0.0.1:9/jwks',
      'https://localhost:9/',
      'file:///etc/passwd',
    ]) {
      const { status, json } = await register({ statement: await spoiltStatement({ software_jwks_endpoint: url }) });
      expect([status, json.error]).toEqual([400, 'invalid_software_statement']);
    }
    directory.asked.length = 0;
    await register({}, { fetch: tpp.fetchWith(setting.authority.issue('0015800001Another')) });
    expect(directory.asked.filter((path) => path.includes(software.softwareId))).toEqual([]);
  });

  it('cannot be asked with another method', async () => {
    const { status, headers } = await call('GET', '');
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  describe('is managed by the TPP itself', () => {
    let client: TestTpp;
    let token: string;
    beforeEach(async () => {
      client = await registered();
      token = await client.ownToken();
    });

    it('which reads it', async () => {
      const { status, json } = await call('GET', `/${client.clientId}`, { token });
      expect(status).toBe(200);
      expect(json).toMatchObject({ client_id: client.clientId, software_id: software.softwareId });
    });

    it('which changes it, and its tokens stay', async () => {
      const access = await setting.access(client, 'saver');
      const body = await request({
        claims: { redirect_uris: ['https://tpp.example/other'], client_id: client.clientId },
      });
      const { status, json } = await call('PUT', `/${client.clientId}`, { token, body });
      expect([status, json.redirect_uris, json.client_id]).toEqual([
        200,
        ['https://tpp.example/other'],
        client.clientId,
      ]);
      expect(await works(client, access)).toEqual(all);
    });

    it('which cannot make it another’s', async () => {
      const another = { ...software, softwareId: 'SoftwareOfAnother' };
      const body = await request({
        statement: await directory.directory.statement(another),
        claims: { iss: another.softwareId, software_id: another.softwareId },
      });
      const { status, json } = await call('PUT', `/${client.clientId}`, { token, body });
      expect([status, json.error]).toEqual([400, 'unapproved_software_statement']);
    });

    it('with a statement that is as old as the present one, or younger, and none that is older', async () => {
      const put = async (signed: string): Promise<unknown[]> => {
        const body = await request({ statement: signed });
        const { status, json } = await call('PUT', `/${client.clientId}`, { token, body });
        return [status, json.error];
      };
      const iat = nowSeconds();
      const [older, same, younger] = await Promise.all(
        [iat - 1, iat, iat + 1].map((issuedAt) => spoiltStatement({ iat: issuedAt, jti: randomUUID() })),
      );
      expect(await put(String(same))).toEqual([200, undefined]);
      expect(await put(String(older))).toEqual([400, 'invalid_software_statement']);
      expect(await put(String(same))).toEqual([200, undefined]);
      const answers = await Promise.all([younger, same, same, same].map((signed) => put(String(signed))));
      expect(answers[0]).toEqual([200, undefined]);
      expect(await put(String(same))).toEqual([400, 'invalid_software_statement']);
      const { json } = await call('GET', `/${client.clientId}`, { token });
      expect(json.software_statement).toBe(younger);
    });

    it('which deletes it: its tokens are dead at once, and its software may register again', async () => {
      const access = await setting.access(client, 'saver');
      expect((await call('DELETE', `/${client.clientId}`, { token })).status).toBe(204);
      expect(await works(client, access)).toEqual(nothing);
      expect((await call('GET', `/${client.clientId}`, { token })).status).toBe(401);
      expect((await setting.stack.report('/tpps')).body).not.toContain(client.clientId);
      const again = await registered();
      expect(again.clientId).not.toBe(client.clientId);
      await setting.order('reinstate', client.clientId);
      expect(await works(client, access)).toEqual(nothing);
    });

    it.each(['GET', 'PUT', 'DELETE'])('and not by another TPP: %s', async (method) => {
      const body = method === 'PUT' ? { body: await request() } : {};
      const path = `/${client.clientId}`;
      const access = await setting.access(client, 'saver');
      const other = await setting.tpp(`other-${method}-${count}`);
      const otherToken = await other.ownToken();
      const answers = await Promise.all([
        call(method, path, body),
        call(method, path, { ...body, token: 'x' }),
        call(method, path, { ...body, token: access.accessToken }),
        call(method, path, { ...body, token, fetch: tpp.fetchWith(setting.authority.issue(organisationId)) }),
        call(method, path, { ...body, token, fetch: tpp.fetchWith(undefined) }),
        call(method, path, { ...body, token: otherToken, fetch: other.fetch }),
        call(method, '/unknown', { ...body, token }),
        call(method, `/${other.clientId}`, { ...body, token: otherToken, fetch: other.fetch }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 403, 403, 403]);
      for (const { status, headers, json } of answers)
        expect(status === 401 ? headers.get('www-authenticate') : json.error_description).toMatch(
          /connect with|send a|get another|the token is not/,
        );
      expect((await call('GET', path, { token })).status).toBe(200);
    });

    it('unless the bank has suspended it', async () => {
      await setting.stack.report(`/tpps/${client.clientId}/suspend?issuer=embedded`, {});
      const body = await request();
      const answers = [
        await call('GET', `/${client.clientId}`, { token }),
        await call('PUT', `/${client.clientId}`, { token, body }),
        await call('DELETE', `/${client.clientId}`, { token }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
      const { status, json } = await register();
      expect([status, json.error]).toEqual([400, 'unapproved_software_statement']);
      await setting.stack.report(`/tpps/${client.clientId}/reinstate?issuer=embedded`, {});
      expect((await call('GET', `/${client.clientId}`, { token })).status).toBe(200);
    });

    it('unless the bank suspends it while it sends its request', async () => {
      const body = await request({ claims: { redirect_uris: ['https://tpp.example/other'] } });
      const find = jest.spyOn(setting.server.tpps, 'find');
      async function* slowly(): AsyncGenerator<Buffer> {
        yield Buffer.from(body.slice(0, 5));
        await until(() => find.mock.calls.length > 0);
        await setting.stack.report(`/tpps/${client.clientId}/suspend?issuer=embedded`, {});
        yield Buffer.from(body.slice(5));
      }
      const sent = { method: 'PUT', body: slowly(), duplex: 'half' };
      const headers = { 'content-type': 'application/jose', authorization: `Bearer ${token}` };
      const url = `${setting.places.tppUrl}/as/register/${client.clientId}`;
      expect((await tpp.fetch(url, { ...sent, headers } as never)).status).toBe(401);
      expect((await setting.server.tpps.find(client.clientId))?.metadata.redirect_uris).toEqual([redirectUri]);
      find.mockRestore();
    });

    it('with the methods of the standard', async () => {
      const { status, headers } = await call('PATCH', `/${client.clientId}`, { token });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, PUT, DELETE']);
    });

    it('and not by the bank’s own file or command', async () => {
      const { status, json } = await setting.stack.gateway.bankServer
        .inject({
          method: 'PUT',
          url: `/bank/v1/tpps/${client.clientId}`,
          headers: { authorization: `Bearer ${setting.stack.config.bankCredentials[0]}` },
          payload: { name: 'Another', metadata: { redirect_uris: ['https://evil.example/'] } },
        })
        .then((answer) => ({ status: answer.statusCode, json: JSON.parse(answer.body) }));
      expect([status, json.Message]).toEqual([400, 'clientId is that of a TPP that registered itself']);
    });
  });

  it('lets a TPP in by the subject of its certificate', async () => {
    const named = { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: `CN=${organisationId}` };
    const body = await request({ claims: { ...named, token_endpoint_auth_signing_alg: undefined } });
    const { status, json } = await call('POST', '', { body });
    expect([status, json.tls_client_auth_subject_dn]).toEqual([201, `CN=${organisationId}`]);
  });

  describe('lasts as long as the directory’s word', () => {
    let client: TestTpp;
    let access: Access;
    /** After the next question to the directory. The library's own clock stands still. */
    const later = async (times = 1): Promise<void> => {
      setting.clock.advance(times * (5 * minute * 1_000 + 1_000));
      await setting.server.runPeriodicWork();
      setting.clock.set(realNowMs());
    };
    afterEach(() => setting.clock.set(realNowMs()));
    const consentStatus = async (): Promise<string> =>
      (await setting.stack.report(`/consents/${access.consentId}`)).json.Status as string;

    it('ends with the statement, to the second, and a new statement makes the TPP itself again', async () => {
      const exp = nowSeconds() + 2 * minute;
      client = await registered({ statement: await spoiltStatement({ exp }) });
      access = await setting.access(client, 'saver');
      setting.clock.set(exp * 1_000 - 5_000);
      expect(await works(client, access)).toEqual(all);
      setting.clock.set(exp * 1_000);
      expect(await works(client, access)).toEqual(nothing);
      expect(await consentStatus()).toBe('authorised');
      const renewed = await registered();
      expect(renewed.clientId).toBe(client.clientId);
      expect(await works(client, access)).toEqual(all);
    });

    it('ends when the software is withdrawn, and begins again when it is stated again', async () => {
      client = await registered();
      access = await setting.access(client, 'saver');
      await directory.directory.withdraw(software.softwareId);
      expect(await works(client, access)).toEqual(all);
      await later();
      expect(await works(client, access)).toEqual(nothing);
      expect(await consentStatus()).toBe('authorised');
      await statement();
      await later(2);
      expect(await works(client, access)).toEqual(all);
    });

    it('does not begin again by a statement from before it ended', async () => {
      const signed = await statement();
      client = await registered({ statement: signed });
      software = { ...software, organisation: { ...software.organisation, roles: ['PSP_PI'] } };
      await statement();
      await later();
      setting.clock.advance(10 * minute * 1_000);
      const { status, json } = await register({ statement: signed });
      expect([status, json.error]).toEqual([400, 'invalid_software_statement']);
    });

    it('ends when the role is gone', async () => {
      client = await registered();
      access = await setting.access(client, 'saver');
      software = { ...software, organisation: { ...software.organisation, roles: ['PSP_PI'] } };
      await statement();
      await later();
      expect(await works(client, access)).toEqual(nothing);
      const listed = (await setting.stack.report('/tpps')).json.Tpps as { ClientId: string }[];
      expect(listed.find(({ ClientId }) => ClientId === client.clientId)).toMatchObject({
        Status: 'active',
        SoftwareStatement: { SoftwareId: software.softwareId, WithdrawnDateTime: expect.any(String) },
      });
    });

    it('ends at the next question, whatever the directory answers about other TPPs, which keep their standing', async () => {
      const unusable: readonly (() => Promise<string>)[] = [
        async () => 'no statement',
        async () => spoiltStatement({ iat: nowSeconds() - 400 * 86_400 }),
        async () => spoiltStatement({ software_id: 'Another' }),
        async () => spoiltStatement({ exp: 9e15 }),
        async () => Promise.reject(new Error('the directory fails for this software alone')),
      ];
      const others: TestTpp[] = [];
      for (const [index, answer] of unusable.entries()) {
        software = { ...software, softwareId: `${software.softwareId.slice(0, 12)}bad${index}` };
        others.push(await registered());
        const said = await answer().catch(() => () => answer());
        directory.statements.set(software.softwareId, said);
      }
      software = { ...software, softwareId: `${software.softwareId.slice(0, 12)}good` };
      client = await registered();
      await directory.directory.withdraw(software.softwareId);
      await later();
      expect(await succeeds(client.ownToken())).toBe(false);
      for (const other of others) expect(await succeeds(other.ownToken())).toBe(true);
      const told = setting.stack.log.filter((line) => line.includes('about a TPP cannot be used'));
      expect(told.map((line) => /bad(\d)/.exec(line)?.[1])).toEqual(['0', '1', '2', '3', '4']);
    });

    it('does not end because the directory is unreachable', async () => {
      client = await registered();
      const told = () =>
        setting.stack.log.some(
          (line) => line.includes('the directory did not answer about a TPP') && line.includes(software.softwareId),
        );
      directory.broken = true;
      // A silent directory is asked about one TPP each time.
      await until(async () => {
        await later();
        return told();
      });
      directory.broken = false;
      expect(await succeeds(client.ownToken())).toBe(true);
    });
  });
});

describe('dynamic client registration without a directory', () => {
  it('is off: nothing is there, and nothing is announced', async () => {
    const setting = await AuthorisationSetting.start();
    const tpp = await setting.tpp('tpp-one');
    const answers = await Promise.all(
      ['', '/tpp-one'].map((path) =>
        tpp.fetch(`${setting.places.tppUrl}/as/register${path}`, { method: 'POST' } as never),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect((await tpp.config()).serverMetadata().registration_endpoint).toBeUndefined();
    await setting.close();
  });
});
