import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { explain } from '../../src/trail/explain.js';
import { explanationText } from '../../src/trail/explanation-text.js';
import type { RequestEvent } from '../../src/trail/event.js';
import { CertificateAuthority } from '../support/certificates.js';
import { eventsOf } from '../support/read-trail.js';
import { RunningClock } from '../support/running-clock.js';
import { until } from '../support/until.js';
import { DirectoryServer } from './directory-server.js';
import { AuthorisationSetting, defaultPermissions } from './setting.js';
import { claimsFor, redirectUri, type TestTpp } from './tpp.js';

type Fetch = TestTpp['fetch'];
const clientCredentials = { grant_type: 'client_credentials', scope: 'accounts' };

describe('the trail of a request that the authorization server refused', () => {
  let directory: DirectoryServer;
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let other: TestTpp;
  let fapi2: TestTpp;
  let refreshToken: string;
  let consentId: string;
  beforeAll(async () => {
    directory = await DirectoryServer.start(new RunningClock());
    setting = await AuthorisationSetting.start({ authorisationServer: { directory: directory.config } });
    tpp = await setting.tpp('tpp-one');
    other = await setting.tpp('tpp-two');
    const ofFapi2 = { fapi_profile: '2.0', response_types: ['code'], require_signed_request_object: false };
    fapi2 = await setting.tpp('tpp-three', { metadata: ofFapi2 });
    ({ refreshToken } = await setting.access(tpp, 'saver'));
    consentId = await tpp.createConsent(defaultPermissions);
  });
  afterAll(async () => {
    await setting.close();
    await directory.close();
  });

  /** The event of the one request that `send` makes with this fetch. */
  async function eventOf(send: (fetch: Fetch) => Promise<unknown>, fetch = tpp.fetch): Promise<RequestEvent> {
    const id = randomUUID();
    await send((url, options) =>
      fetch(url, { ...options, headers: { ...options?.headers, 'x-fapi-interaction-id': id } }),
    );
    return found(id);
  }
  async function found(id: string): Promise<RequestEvent> {
    let event: RequestEvent | undefined;
    await until(async () => {
      const requests = await eventsOf(setting.stack.config.trail.directory, 'request');
      return (event = requests.find((each) => each.id === id)) !== undefined;
    });
    return event as RequestEvent;
  }
  const checksOf = (event: RequestEvent) => explain(event as never).checks;
  const judged = (event: RequestEvent): unknown => {
    const { status, refusedBy, reason } = event;
    const refused = checksOf(event).filter(({ outcome }) => outcome === 'refused');
    // Each refusal is at a check of its endpoint.
    expect([reason, refused.map(({ name }) => name)]).toEqual([reason, [refusedBy]]);
    return [status, refusedBy, reason];
  };
  const post =
    (endpoint: 'token' | 'par' | 'revoke', parameters: Record<string, string>, by = () => tpp) =>
    (fetch: Fetch) =>
      by().post(endpoint, parameters, fetch);
  const freshCode = async (): Promise<string> => {
    const begun = await tpp.begin(await tpp.createConsent(defaultPermissions));
    const back = await setting.approve(begun, 'saver');
    return new URLSearchParams(back.hash.slice(1)).get('code') ?? '';
  };
  const exchange = (code: string, more: Record<string, string> = {}, by = () => tpp) =>
    post('token', { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...more }, by);
  const refresh = (token: string, by = () => tpp) =>
    post('token', { grant_type: 'refresh_token', refresh_token: token }, by);

  it.each<[endpoint: 'token' | 'par' | 'revoke']>([['token'], ['par'], ['revoke']])(
    'says at %s why the client was not believed, and does not name the TPP that it claimed to be',
    async (endpoint) => {
      const { privateKey } = await setting.stranger('forger');
      const forged = await tpp.assertion(privateKey);
      const event = await eventOf(post(endpoint, { token: 'x', ...clientCredentials, ...forged }));
      expect(judged(event)).toEqual([401, 'client authentication', 'client-assertion-invalid']);
      expect(event).not.toHaveProperty('tpp');
      const used = await tpp.assertion();
      await tpp.post(endpoint, { token: 'x', ...clientCredentials, ...used });
      expect(judged(await eventOf(post(endpoint, { token: 'x', ...clientCredentials, ...used })))).toEqual([
        401,
        'client authentication',
        'client-assertion-used',
      ]);
    },
  );

  it('says that a client is unknown, uses another method, or came with a certificate that counts for nothing', async () => {
    const stranger = await setting.stranger('tpp-unknown');
    expect(judged(await eventOf(post('token', clientCredentials, () => stranger)))).toEqual([
      401,
      'client authentication',
      'client-unknown',
    ]);
    const byCertificate = await setting.tpp('tpp-certified', { clientAuth: 'tls_client_auth' });
    const claimed = { ...clientCredentials, client_id: 'tpp-one' };
    expect(judged(await eventOf(post('token', claimed, () => byCertificate)))).toEqual([
      401,
      'client authentication',
      'client-method-wrong',
    ]);
    const own = post('token', clientCredentials, () => byCertificate);
    const foreign = new CertificateAuthority().issue('tpp-certified');
    for (const [certified, reason] of [
      [undefined, 'client-certificate-unusable'],
      [foreign, 'client-certificate-unusable'],
      [setting.authority.issue('tpp-other'), 'client-certificate-wrong'],
    ] as const)
      expect(judged(await eventOf(own, byCertificate.fetchWith(certified)))).toEqual([
        401,
        'client authentication',
        reason,
      ]);
  });

  it('names the authority and the number of a certificate that is not accepted, and not its subject', async () => {
    const foreign = new CertificateAuthority('another authority').issue('Ann Example');
    const event = await eventOf(post('token', clientCredentials), tpp.fetchWith(foreign));
    expect(event).toMatchObject({
      endpoint: '/as/token',
      saw: {
        tls: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
        certificateIssuer: 'CN=another authority',
        certificateSerial: foreign.certificate.serialNumber,
      },
    });
    expect(JSON.stringify(event)).not.toContain('Ann Example');
  });

  it('says at the token endpoint what was wrong with the grant', async () => {
    const codes: string[] = [];
    while (codes.length < 2) codes.push(await freshCode());
    const [used = '', code = ''] = codes;
    await tpp.post('token', { grant_type: 'authorization_code', code: used, redirect_uri: redirectUri });
    const outsider = tpp.fetchWith(new CertificateAuthority().issue('tpp-one'));
    const ended = await setting.access(tpp, 'saver');
    await tpp.ask(`/account-access-consents/${ended.consentId}`, await tpp.ownToken(), { method: 'DELETE' });
    const seen: unknown[] = [];
    for (const [send, fetch] of [
      [exchange('a-code-that-never-was')],
      [exchange(used)],
      [exchange(code, { redirect_uri: 'https://tpp.example/other' })],
      [exchange(code, {}, () => other), other.fetch],
      [exchange(code, { code_verifier: 'v'.repeat(43) })],
      [exchange(code), outsider],
      [refresh('a-token-that-never-was')],
      [refresh(refreshToken, () => other), other.fetch],
      [refresh(ended.refreshToken)],
    ] as const)
      seen.push(judged(await eventOf(send, fetch)));
    expect(seen).toEqual([
      [400, 'grant', 'code-unknown'],
      [400, 'grant', 'code-used'],
      [400, 'redirect uri', 'redirect-uri-changed'],
      [400, 'grant', 'grant-of-another-client'],
      [400, 'pkce', 'pkce-failed'],
      [400, 'client authentication', 'client-certificate-unusable'],
      [400, 'grant', 'refresh-token-unknown'],
      [400, 'grant', 'grant-of-another-client'],
      [400, 'grant', 'refresh-token-unknown'],
    ]);
  });

  it.each<[string, Record<string, string>, unknown[]]>([
    ['grant type', { grant_type: 'password' }, [400, 'parameters', 'grant-type-refused']],
    ['scope', { grant_type: 'client_credentials', scope: 'payments' }, [400, 'scope', 'scope-refused']],
    ['missing code', { grant_type: 'authorization_code' }, [400, 'parameters', 'parameters-invalid']],
    ['resource', { ...clientCredentials, resource: 'https://a.example' }, [400, 'parameters', 'resource-unknown']],
  ])('says at the token endpoint which parameter was at fault: the %s', async (_, parameters, expected) => {
    const event = await eventOf(post('token', parameters));
    expect(judged(event)).toEqual(expected);
    expect(event).toMatchObject({ issuer: 'embedded', tpp: 'tpp-one', endpoint: '/as/token' });
  });

  const opened = async (url: URL): Promise<RequestEvent> => {
    const id = randomUUID();
    await tpp.fetch(url.href, { redirect: 'manual', headers: { 'x-fapi-interaction-id': id } } as never);
    return found(id);
  };

  it.each<[string, Record<string, unknown>, unknown[]]>([
    [
      'an unregistered redirect_uri',
      { redirect_uri: 'https://evil.example/' },
      [400, 'redirect uri', 'redirect-uri-not-registered'],
    ],
    ['an old request object', { exp: 1_000, nbf: 900 }, [303, 'request object', 'request-object-invalid']],
    ['no intent', { claims: { id_token: {} } }, [303, 'consent', 'intent-missing']],
    ['an unknown consent', { claims: claimsFor('aac-none') }, [303, 'consent', 'intent-unknown']],
    ['another scope', { scope: 'openid accounts payments' }, [303, 'scope', 'scope-refused']],
    ['no sign-in', { prompt: 'none' }, [303, 'customer', 'customer-needed']],
    ['a long state', { state: 'a'.repeat(1_025) }, [303, 'parameters', 'parameters-too-large']],
    ['another response type', { response_type: 'code' }, [303, 'parameters', 'response-type-refused']],
  ])('says of an authorization request why it was sent back: %s', async (_, changes, expected) => {
    const url = await tpp.beginWith(await tpp.requestObject(consentId, changes));
    for (const name of ['scope', 'response_type', 'redirect_uri'] as const)
      if (name in changes) url.searchParams.set(name, String(changes[name]));
    const event = await opened(url);
    expect(judged(event)).toEqual(expected);
    expect(event).toMatchObject({ listener: 'customers', endpoint: '/as/authorize', tpp: 'tpp-one' });
    expect(JSON.stringify(event)).not.toMatch(/evil|aaaa|aac-none|payments/);
  });

  it('says of an authorization request that it was not signed, not pushed, or is spent', async () => {
    const { parameters } = tpp.parameters(consentId);
    const unsigned = new URL(`${setting.places.issuer}/authorize`);
    const plain = { ...parameters, response_type: 'code id_token' };
    unsigned.search = new URLSearchParams({ ...plain, client_id: 'tpp-one' }).toString();
    expect(judged(await opened(unsigned))).toEqual([303, 'request object', 'request-object-missing']);
    const unpushed = new URL(unsigned);
    unpushed.search = new URLSearchParams({ ...plain, response_type: 'code', client_id: 'tpp-three' }).toString();
    expect(judged(await opened(unpushed))).toEqual([303, 'request object', 'push-missing']);
    const spent = new URL(`${setting.places.issuer}/authorize`);
    const request_uri = 'urn:ietf:params:oauth:request_uri:never-pushed';
    spent.search = new URLSearchParams({ client_id: 'tpp-three', request_uri }).toString();
    expect((await opened(spent)).reason).toBe('request-uri-invalid');
    const noChallenge = { ...fapi2.parameters(consentId).parameters, response_type: 'code' };
    expect(judged(await eventOf((fetch) => fapi2.push(noChallenge, fetch), fapi2.fetch))).toEqual([
      400,
      'pkce',
      'pkce-failed',
    ]);
  });

  it('says of a customer’s refusal that the TPP was told so', async () => {
    const begun = await tpp.begin(await tpp.createConsent(defaultPermissions));
    const browser = setting.browser();
    const page = await setting.signIn(browser, await browser.open(begun.url), 'saver');
    await browser.submit(page, { decision: 'deny' });
    await until(async () =>
      (await eventsOf(setting.stack.config.trail.directory, 'request')).some(
        ({ endpoint, reason }) => endpoint === '/as/authorize/*' && reason === 'approval-missing',
      ),
    );
  });

  it('says why a registration was refused', async () => {
    const register =
      (path: string, method: string, more: Record<string, unknown> = {}) =>
      (fetch: Fetch) =>
        fetch(`${setting.places.tppUrl}/as/register${path}`, { method, ...more } as never);
    const jwt = { headers: { 'content-type': 'application/jose' }, body: 'no.jwt.here' };
    const bearer = async (client: TestTpp) => ({ headers: { authorization: `Bearer ${await client.ownToken()}` } });
    const seen: unknown[] = [];
    for (const [send, fetch] of [
      [register('', 'POST', jwt)],
      [register('', 'POST', { headers: { 'content-type': 'text/plain' }, body: 'x' })],
      [register('', 'POST', jwt), tpp.fetchWith(undefined)],
      [register('/tpp-one', 'GET')],
      [register('/tpp-one', 'GET', { headers: { authorization: 'Bearer a.b.c' } })],
      [register('/tpp-two', 'GET', await bearer(tpp))],
      [register('/tpp-one', 'GET', await bearer(tpp)), other.fetch],
    ] as const)
      seen.push(judged(await eventOf(send, fetch)));
    expect(seen).toEqual([
      [400, 'registration', 'registration-invalid'],
      [415, 'body', 'media-type'],
      [401, 'token', 'certificate-missing'],
      [401, 'token', 'token-missing'],
      [401, 'token', 'token-invalid'],
      [403, 'registration', 'registration-of-another'],
      [401, 'token', 'certificate-of-another'],
    ]);
  });

  it('is explained as a person would: the request, the check, the reason and the mend', async () => {
    const told = async (send: (fetch: Fetch) => Promise<unknown>): Promise<string> =>
      explanationText(explain((await eventOf(send)) as never));
    expect(await told(exchange('a-code-that-never-was'))).toMatch(
      new RegExp(
        [
          '^At .* the TPP tpp-one of the issuer embedded asked POST /as/token\\.',
          'The gateway answered 400 after .* ms: the check “grant” refused it\\.',
          '  \\+ host: passed \\(one Host header, which names this listener\\)',
          '  \\+ path: passed \\(a path of the authorization server\\)',
          '  \\+ rate limit: passed \\(the failed requests from the certificate or the address\\)',
          '  \\+ parameters: passed \\(the form of the request\\)',
          '  \\+ client authentication: passed \\(the proof of the client: private_key_jwt\\)',
          '  \\+ rate limit: passed \\(the requests of the client\\)',
          '  \\+ parameters: passed \\(the grant type and its parameters: authorization_code\\)',
          '  x grant: refused \\(the code\\)',
          '  - pkce: not reached',
          '  - client authentication: not reached',
          '  - redirect uri: not reached',
          '  - grant: not reached',
          '  - parameters: not reached',
          '  - grant: not reached',
          'Reason code-unknown: The authorization code was never issued, or its authorisation has ended since\\.',
          'Remedy: The TPP sends the customer to a new authorization request\\.',
          'Written by .*\\.$',
        ].join('\n'),
      ),
    );
    const url = await tpp.beginWith(await tpp.requestObject(consentId, { claims: { id_token: {} } }));
    expect(explanationText(explain((await opened(url)) as never))).toContain(
      ', which led the browser to the TPP with the error: the check “consent” refused it.\n  + host: passed',
    );
  });

  /** The checks that passed last and were not reached first, with the one between them. */
  const stopOf = (event: RequestEvent): unknown => {
    const rows = checksOf(event);
    const at = rows.findIndex(({ outcome }) => outcome === 'refused');
    expect(rows.map(({ outcome }) => outcome)).toEqual(
      rows.map((_, index) => (index < at ? 'passed' : index === at ? 'refused' : 'not reached')),
    );
    return [rows[at - 1]?.saw, rows[at]?.saw ?? rows[at]?.name, rows[at + 1]?.name];
  };

  it('names the checks that a request with several faults at the token endpoint passed, and the first that it did not', async () => {
    const codes: string[] = [];
    while (codes.length < 3) codes.push(await freshCode());
    const [used = '', code = '', another = ''] = codes;
    await tpp.post('token', { grant_type: 'authorization_code', code: used, redirect_uri: redirectUri });
    const outsider = tpp.fetchWith(new CertificateAuthority().issue('tpp-one'));
    const [redirect_uri, code_verifier, resource] = ['https://tpp.example/other', 'v'.repeat(43), 'https://a.example'];
    const refreshed = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const grantType = 'the grant type and its parameters: ';
    const seen: unknown[] = [];
    for (const [send, fetch] of [
      [post('token', { grant_type: 'password', scope: 'payments' })],
      [exchange('a-code-that-never-was', { code_verifier })],
      [exchange(code, { code_verifier, redirect_uri }), outsider],
      [exchange(code, { redirect_uri }), outsider],
      [exchange(used, { redirect_uri, resource })],
      [exchange(used, { resource })],
      [exchange(another, { resource })],
      [post('token', { ...refreshed, refresh_token: 'never-was', scope: 'payments' }), outsider],
      [post('token', { ...refreshed, scope: 'payments' }), outsider],
      [post('token', { ...refreshed, scope: 'payments', resource })],
      [post('token', { ...clientCredentials, scope: 'payments', resource }), outsider],
      [post('token', { ...clientCredentials, resource }), outsider],
    ] as const)
      seen.push(stopOf(await eventOf(send, fetch)));
    expect(seen).toEqual([
      ['the requests of the client', 'the grant type and its parameters', undefined],
      [`${grantType}authorization_code`, 'the code', 'pkce'],
      ['the code', 'the verifier of the code', 'client authentication'],
      ['the verifier of the code', 'a certificate for the token', 'redirect uri'],
      ['a certificate for the token', 'the address of the authorization request', 'grant'],
      ['the address of the authorization request', 'the first use of the code', 'parameters'],
      ['the first use of the code', 'the resource of the token', 'grant'],
      [`${grantType}refresh_token`, 'the token', 'client authentication'],
      ['the token', 'a certificate for the token', 'grant'],
      ['the grant of the customer', 'the scope', 'parameters'],
      [`${grantType}client_credentials`, 'the scope', 'parameters'],
      ['the scope', 'the resource of the token', 'client authentication'],
    ]);
  });

  it('names them of an authorization request, pushed or opened', async () => {
    const noIntent = { claims: { id_token: {} } };
    const weak = { acr: { essential: true, value: 'urn:weak' } };
    const weakly = (id: string) => ({
      claims: { id_token: { openbanking_intent_id: { value: id, essential: true }, ...weak } },
    });
    const [payments, long, code] = [
      { scope: 'openid payments' },
      { state: 'a'.repeat(1_025) },
      { response_type: 'code' },
    ];
    const seen: unknown[] = [];
    for (const changes of [
      { exp: 1_000, nbf: 900, ...code },
      { ...code, ...long },
      { ...payments, ...noIntent },
      noIntent,
      weakly('aac-none'),
      { claims: claimsFor('aac-none'), prompt: 'none' },
      { prompt: 'none' },
    ] as Record<string, unknown>[]) {
      const url = await tpp.beginWith(await tpp.requestObject(consentId, changes));
      for (const name of ['scope', 'response_type'] as const)
        if (name in changes) url.searchParams.set(name, String(changes[name]));
      seen.push(stopOf(await opened(url)));
    }
    expect(seen).toEqual([
      ['the published keys of the client', 'its signature and its claims', 'parameters'],
      ['the size of the request object', 'the response type and mode', 'parameters'],
      ['the size of the request', 'the scope', 'consent'],
      ['the scope', 'consent', undefined],
      ['the ConsentId in the claims', 'the class of authentication', 'consent'],
      ['the class of authentication', 'the consent', 'parameters'],
      ['the first use of the request_uri', 'a sign-in for this consent', 'rate limit'],
    ]);
    const pushed = { ...fapi2.parameters(consentId).parameters, response_type: 'code', claims: '{}' };
    expect(stopOf(await eventOf((fetch) => fapi2.push(pushed, fetch), fapi2.fetch))).toEqual([
      'a registered address',
      'the challenge',
      'consent',
    ]);
  });

  it('shows no check of the API where a path of the authorization server is not served', async () => {
    const event = await eventOf((fetch) => fetch(`${setting.places.tppUrl}/as/nowhere`, { method: 'GET' } as never));
    expect([event.status, event.refusedBy, event.reason]).toEqual([404, 'path', 'path-unknown']);
    expect(checksOf(event)).toEqual([]);
  });

  it('shows every check as passed where the request was answered, and no check where a system was away', async () => {
    const event = await eventOf(post('token', clientCredentials));
    expect(event.status).toBe(200);
    const rows = checksOf(event);
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['passed']));
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['host', 'client authentication', 'scope']));
    expect(checksOf({ ...event, status: 503, reason: 'system-away' })).toEqual([]);
    expect(event.saw).toEqual({ clientAuthentication: 'private_key_jwt', grantType: 'client_credentials' });
  });

  it('shows the checks before the first place at which a reason of several places can refuse', async () => {
    const event = await eventOf(post('token', { ...clientCredentials, grant_type: '' }));
    expect(event.reason).toBe('parameters-invalid');
    expect(checksOf(event).at(-1)).toMatchObject({ name: 'parameters', outcome: 'refused' });
    expect(checksOf(event).map(({ name }) => name)).toContain('client authentication');
  });

  it('is counted in the metrics by its reason', async () => {
    await eventOf(exchange('a-code-that-never-was'));
    const { body } = await setting.stack.gateway.bankServer.inject({ method: 'GET', url: '/metrics' });
    expect(body).toMatch(
      /^gateway_requests_total\{endpoint="\/as\/token",version="none",status="400",reason="code-unknown"\} [1-9]/m,
    );
  });
});
