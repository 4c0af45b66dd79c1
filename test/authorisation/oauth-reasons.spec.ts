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
  const outcomeOf = (event: RequestEvent): unknown => {
    const { status, refusedBy, reason } = event;
    // A check of the authorization server depends on the endpoint and the grant, so an event names the refusing one alone.
    expect(checksOf(event)).toEqual([]);
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
      expect(outcomeOf(event)).toEqual([401, 'client authentication', 'invalid_client']);
      expect(event).not.toHaveProperty('tpp');
      const used = await tpp.assertion();
      await tpp.post(endpoint, { token: 'x', ...clientCredentials, ...used });
      expect(outcomeOf(await eventOf(post(endpoint, { token: 'x', ...clientCredentials, ...used })))).toEqual([
        401,
        'client authentication',
        'invalid_client',
      ]);
    },
  );

  it('says that a client is unknown, uses another method, or came with a certificate that counts for nothing', async () => {
    const stranger = await setting.stranger('tpp-unknown');
    expect(outcomeOf(await eventOf(post('token', clientCredentials, () => stranger)))).toEqual([
      401,
      'client authentication',
      'client-unknown',
    ]);
    const byCertificate = await setting.tpp('tpp-certified', { clientAuth: 'tls_client_auth' });
    const claimed = { ...clientCredentials, client_id: 'tpp-one' };
    expect(outcomeOf(await eventOf(post('token', claimed, () => byCertificate)))).toEqual([
      401,
      'client authentication',
      'invalid_client',
    ]);
    const own = post('token', clientCredentials, () => byCertificate);
    for (const certified of [
      undefined,
      new CertificateAuthority().issue('tpp-certified'),
      setting.authority.issue('tpp-other'),
    ])
      expect(outcomeOf(await eventOf(own, byCertificate.fetchWith(certified)))).toEqual([
        401,
        'client authentication',
        'invalid_client',
      ]);
  });

  it('names the authority and the number of a certificate that is not accepted, and not its subject', async () => {
    const foreign = new CertificateAuthority('another authority').issue('Ann Example');
    const event = await eventOf(post('token', clientCredentials), tpp.fetchWith(foreign));
    expect(event).toMatchObject({
      endpoint: '/as/token',
      facts: {
        tls: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
        certificateIssuer: 'CN=another authority',
        certificateSerial: foreign.certificate.serialNumber,
      },
    });
    expect(JSON.stringify(event)).not.toContain('Ann Example');
  });

  it('says at the token endpoint that the code or the refresh token gives no token', async () => {
    const codes: string[] = [];
    while (codes.length < 2) codes.push(await freshCode());
    const [used = '', code = ''] = codes;
    await tpp.post('token', { grant_type: 'authorization_code', code: used, redirect_uri: redirectUri });
    for (const [send, fetch] of [
      [exchange('a-code-that-never-was')],
      [exchange(used)],
      [exchange(code, { redirect_uri: 'https://tpp.example/other' })],
      [exchange(code, {}, () => other), other.fetch],
      [exchange(code, { code_verifier: 'v'.repeat(43) })],
      [refresh('a-token-that-never-was')],
      [refresh(refreshToken, () => other), other.fetch],
    ] as const) {
      const event = await eventOf(send, fetch);
      expect(outcomeOf(event)).toEqual([400, 'grant', 'invalid_grant']);
      expect(event.facts).toMatchObject({ clientAuthentication: 'private_key_jwt' });
    }
  });

  it.each<[string, Record<string, string>, unknown[]]>([
    ['grant type', { grant_type: 'password' }, [400, 'parameters', 'unsupported_grant_type']],
    ['scope', { grant_type: 'client_credentials', scope: 'payments' }, [400, 'scope', 'invalid_scope']],
    ['missing code', { grant_type: 'authorization_code' }, [400, 'parameters', 'invalid_request']],
    ['resource', { ...clientCredentials, resource: 'https://a.example' }, [400, 'parameters', 'invalid_target']],
  ])('says at the token endpoint which parameter was at fault: the %s', async (_, parameters, expected) => {
    const event = await eventOf(post('token', parameters));
    expect(outcomeOf(event)).toEqual(expected);
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
      [400, 'redirect uri', 'invalid_redirect_uri'],
    ],
    ['an old request object', { exp: 1_000, nbf: 900 }, [303, 'request object', 'invalid_request_object']],
    ['no intent', { claims: { id_token: {} } }, [303, 'consent', 'intent-missing']],
    ['an unknown consent', { claims: claimsFor('aac-none') }, [303, 'consent', 'intent-unknown']],
    ['another scope', { scope: 'openid accounts payments' }, [303, 'scope', 'invalid_scope']],
    ['no sign-in', { prompt: 'none' }, [303, 'customer', 'login_required']],
    ['a long state', { state: 'a'.repeat(1_025) }, [303, 'parameters', 'parameters-too-large']],
    ['another response type', { response_type: 'code' }, [303, 'parameters', 'invalid_request']],
  ])('says of an authorization request why it was sent back: %s', async (_, changes, expected) => {
    const url = await tpp.beginWith(await tpp.requestObject(consentId, changes));
    for (const name of ['scope', 'response_type', 'redirect_uri'] as const)
      if (name in changes) url.searchParams.set(name, String(changes[name]));
    const event = await opened(url);
    expect(outcomeOf(event)).toEqual(expected);
    expect(event).toMatchObject({ listener: 'customers', endpoint: '/as/authorize', tpp: 'tpp-one' });
    expect(JSON.stringify(event)).not.toMatch(/evil|aaaa|aac-none|payments/);
  });

  it('says of an authorization request that it was not signed, not pushed, or is spent', async () => {
    const { parameters } = tpp.parameters(consentId);
    const unsigned = new URL(`${setting.places.issuer}/authorize`);
    const plain = { ...parameters, response_type: 'code id_token' };
    unsigned.search = new URLSearchParams({ ...plain, client_id: 'tpp-one' }).toString();
    expect(outcomeOf(await opened(unsigned))).toEqual([303, 'parameters', 'invalid_request']);
    const unpushed = new URL(unsigned);
    unpushed.search = new URLSearchParams({ ...plain, response_type: 'code', client_id: 'tpp-three' }).toString();
    expect(outcomeOf(await opened(unpushed))).toEqual([303, 'parameters', 'invalid_request']);
    const spent = new URL(`${setting.places.issuer}/authorize`);
    const request_uri = 'urn:ietf:params:oauth:request_uri:never-pushed';
    spent.search = new URLSearchParams({ client_id: 'tpp-three', request_uri }).toString();
    expect((await opened(spent)).reason).toBe('invalid_request_uri');
    const noChallenge = { ...fapi2.parameters(consentId).parameters, response_type: 'code' };
    expect(outcomeOf(await eventOf((fetch) => fapi2.push(noChallenge, fetch), fapi2.fetch))).toEqual([
      400,
      'parameters',
      'invalid_request',
    ]);
  });

  it('says of a customer’s refusal that the TPP was informed', async () => {
    const begun = await tpp.begin(await tpp.createConsent(defaultPermissions));
    const browser = setting.browser();
    const page = await setting.signIn(browser, await browser.open(begun.url), 'saver');
    await browser.submit(page, { decision: 'deny' });
    await until(async () =>
      (await eventsOf(setting.stack.config.trail.directory, 'request')).some(
        ({ endpoint, reason }) => endpoint === '/as/authorize/*' && reason === 'access_denied',
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
      seen.push(outcomeOf(await eventOf(send, fetch)));
    expect(seen).toEqual([
      [400, 'registration', 'invalid_client_metadata'],
      [415, 'body', 'media-type'],
      [401, 'token', 'certificate-missing'],
      [401, 'token', 'token-missing'],
      [401, 'token', 'token-invalid'],
      [403, 'registration', 'registration-of-another'],
      [401, 'token', 'certificate-of-another'],
    ]);
  });

  it('is explained as a person would: the request with its grant, the check, the reason and the remedy', async () => {
    const words = async (send: (fetch: Fetch) => Promise<unknown>): Promise<string> =>
      explanationText(explain((await eventOf(send)) as never));
    expect(await words(exchange('a-code-that-never-was'))).toMatch(
      new RegExp(
        [
          '^At .* the TPP tpp-one of the issuer embedded asked POST /as/token, with the grant authorization_code, proven by private_key_jwt\\.',
          'The gateway answered 400 after .* ms: the check “grant” refused it\\.',
          'Reason invalid_grant: The code or the refresh token gives no token\\.',
          'Remedy: The TPP exchanges each code once, within a minute, .*',
          'Written by .*\\.$',
        ].join('\n'),
      ),
    );
    const url = await tpp.beginWith(await tpp.requestObject(consentId, { claims: { id_token: {} } }));
    expect(explanationText(explain((await opened(url)) as never))).toContain(
      ', and sent the browser back to the TPP with the error: the check “consent” refused it.\nReason intent-missing: ',
    );
  });

  it('shows no check of the API where a path of the authorization server is not served', async () => {
    const event = await eventOf((fetch) => fetch(`${setting.places.tppUrl}/as/nowhere`, { method: 'GET' } as never));
    expect([event.status, event.refusedBy, event.reason]).toEqual([404, 'path', 'path-unknown']);
    expect(checksOf(event)).toEqual([]);
  });

  it('is counted in the metrics by its reason', async () => {
    await eventOf(exchange('a-code-that-never-was'));
    const { body } = await setting.stack.gateway.bankServer.inject({ method: 'GET', url: '/metrics' });
    expect(body).toMatch(
      /^gateway_requests_total\{endpoint="\/as\/token",version="none",status="400",reason="invalid_grant"\} [1-9]/m,
    );
  });
});
