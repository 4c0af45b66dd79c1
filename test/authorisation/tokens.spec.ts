import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import * as oidc from 'openid-client';
import { ArtefactStore } from '../../src/authorisation-server/oidc/artefact.store.js';
import { AuthorisationSetting, defaultPermissions, type Access } from './setting.js';
import { CertificateAuthority } from '../support/certificates.js';
import { redirectUri, type TestTpp } from './tpp.js';
import { realNowMs } from '../support/real-time.js';

describe('codes and tokens', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let other: TestTpp;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start();
    tpp = await setting.tpp('tpp-one');
    other = await setting.tpp('tpp-two');
  });
  afterAll(() => setting.close());

  const status = async ({ accessToken }: Pick<Access, 'accessToken'>, from = tpp): Promise<number> =>
    (await from.ask('/accounts', accessToken)).status;

  /** The OAuth error of a request to the token endpoint, or `tokens`. */
  const outcome = (grant: Promise<unknown>): Promise<string> =>
    grant.then(
      () => 'tokens',
      (error: { error?: string; cause?: unknown; message: string }) => error.error ?? error.message,
    );

  async function exchange(code: string, more: Record<string, string> = {}): Promise<Response> {
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await assertion(),
      ...more,
    });
    return post('/token', body);
  }

  function post(path: string, body: URLSearchParams, customFetch = tpp.fetch): Promise<Response> {
    return customFetch(`${setting.places.tppUrl}/as${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
    } as never);
  }

  function assertion(changes: Record<string, unknown> = {}): Promise<string> {
    const now = Math.floor(realNowMs() / 1_000);
    return new SignJWT({
      iss: 'tpp-one',
      sub: 'tpp-one',
      aud: setting.places.issuer,
      jti: randomUUID(),
      iat: now,
      exp: now + 60,
      ...changes,
    })
      .setProtectedHeader({ alg: 'PS256', kid: 'tpp-one-key' })
      .sign(tpp.privateKey);
  }

  /** A code that is ready to be exchanged. */
  async function freshCode(): Promise<string> {
    const begun = await tpp.begin(await tpp.createConsent(defaultPermissions));
    const back = await setting.approve(begun, 'saver');
    return new URLSearchParams(back.hash.slice(1)).get('code') ?? '';
  }

  /** Every exchange has found the code good before the first uses it up, however fast the machine is. */
  function allTogether(exchanges: number): ArtefactStore['consume'] {
    const { consume } = ArtefactStore.prototype;
    let arrived = 0;
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    return async function (this: ArtefactStore, id) {
      if (++arrived === exchanges) begin();
      await begun;
      await consume.call(this, id);
    };
  }

  it('of 20 concurrent exchanges of one code one wins', async () => {
    const code = await freshCode();
    const exchanges = 20;
    const together = allTogether(exchanges);
    const consume = jest.spyOn(ArtefactStore.prototype, 'consume').mockImplementation(together);
    const answers = await Promise.all(Array.from({ length: exchanges }, () => exchange(code)));
    consume.mockRestore();
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array<number>(19).fill(400)]);
  });

  it('a code that comes again is refused, and the tokens that it gave die', async () => {
    const code = await freshCode();
    const tokens = (await (await exchange(code)).json()) as { access_token: string; refresh_token: string };
    expect(await status({ accessToken: tokens.access_token })).toBe(200);
    const again = await exchange(code);
    expect([again.status, await again.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })]);
    const dead = await tpp.ask('/accounts', tokens.access_token);
    expect([dead.status, dead.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining(
        'the authorisation of this token has ended: have the customer authorise the consent again',
      ),
    ]);
    expect(await outcome(tpp.refresh(tokens.refresh_token))).toBe('invalid_grant');
  });

  it('the redirect URI must be named, and be the one of the request, when the code is exchanged', async () => {
    const code = await freshCode();
    const wrong = await exchange(code, { redirect_uri: 'https://tpp.example/other' });
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await assertion(),
    });
    expect([wrong.status, (await post('/token', body)).status]).toEqual([400, 400]);
  });

  it('a request that is refused leads to the meaning of its error code, and to the remedy', async () => {
    const strangers = ['grant_type=client_credentials', 'grant_type=client_credentials&client_id=unknown'].map(
      (asked) =>
        post('/token', new URLSearchParams(asked)).then((answer) => answer.json() as Promise<Record<string, string>>),
    );
    const token = await tpp.ownToken();
    const own = [
      tpp.post('token', { grant_type: 'authorization_code', code: 'unknown', redirect_uri: redirectUri }),
      tpp.post('token', { grant_type: 'refresh_token', refresh_token: 'unknown' }),
      tpp.post('token', { grant_type: 'password' }),
      tpp.post('revoke', { token }),
    ].map((answer) => answer.then(({ json }) => json as Record<string, string>));
    const { baseUrl } = setting.stack.config;
    for (const { error, error_uri, error_description: said } of await Promise.all([...strangers, ...own])) {
      expect(error_uri).toBe(`${baseUrl}/docs/errors#${error}`);
      // RFC 6749, section 5.2: the characters of a description.
      expect(said).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
    }
  });

  it('a client assertion is accepted once, also when it comes ten times at once', async () => {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'accounts',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await assertion(),
    });
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('/token', body)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array<number>(9).fill(401)]);
  });

  it.each([
    ['another server', { aud: 'https://another.example' }, 401],
    ['the token endpoint under the TPPs’ name', { aud: 'TPP/as/token' }, 200],
    ['the token endpoint under the browsers’ name', { aud: 'ISSUER/token' }, 401],
    ['the issuer, in a list', { aud: ['ISSUER'] }, 200],
    ['us, but expired', { exp: 1 }, 401],
  ])('a client assertion for %s is answered %#', async (_whom, changes, expected) => {
    const named = JSON.parse(
      JSON.stringify(changes).replaceAll('TPP', setting.places.tppUrl).replaceAll('ISSUER', setting.places.issuer),
    ) as Record<string, unknown>;
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'accounts',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await assertion(named),
    });
    expect((await post('/token', body)).status).toBe(expected);
  });

  it('a token is good with its certificate only, and not with another of the same TPP, with another TPP’s or without one', async () => {
    const access = await setting.access(tpp, 'saver');
    const another = tpp.fetchWith(setting.authority.issue('tpp-one'));
    const answers = await Promise.all([
      tpp.ask('/accounts', access.accessToken),
      other.ask('/accounts', access.accessToken),
      tpp.ask('/accounts', access.accessToken, { fetch: another }),
      tpp.ask('/accounts', access.accessToken, { fetch: tpp.fetchWith(undefined) }),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 401, 401, 401]);
  });

  it('a refused token is named in a header, and the answer has no body', async () => {
    const { accessToken } = await setting.access(tpp, 'saver');
    const { status: refused, headers, json } = await other.ask('/accounts', accessToken);
    expect([refused, headers.get('www-authenticate'), json]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
      undefined,
    ]);
  });

  it('no token is issued without a certificate, nor to one that no accepted authority vouches for', async () => {
    for (const certified of [undefined, new CertificateAuthority().issue('tpp-one')]) {
      const config = await tpp.config(tpp.fetchWith(certified));
      expect(await outcome(oidc.clientCredentialsGrant(config, { scope: 'accounts' }))).toBe('invalid_grant');
    }
  });

  it('an unbound token, of whichever issuer, is refused where TPPs come with certificates', async () => {
    const customer = await setting.stack.consent({ persona: 'saver' });
    expect((await setting.stack.ask('/accounts', { token: customer.token })).status).toBe(200);
    expect((await tpp.ask('/accounts', customer.token)).status).toBe(401);
  });

  it('a refresh token gives new tokens with the first authentication, repeatedly, and is not rotated', async () => {
    const access = await setting.access(tpp, 'saver');
    const first = await tpp.refresh(access.refreshToken);
    const second = await tpp.refresh(access.refreshToken);
    expect([first.refresh_token, second.refresh_token]).toEqual([access.refreshToken, access.refreshToken]);
    const claims = [access.accessToken, second.access_token].map((token) => {
      const { auth_time, acr, authorisation_id, openbanking_intent_id } = decodeJwt(token);
      return { auth_time, acr, authorisation_id, openbanking_intent_id };
    });
    expect(claims[1]).toEqual(claims[0]);
    expect(await status({ accessToken: second.access_token })).toBe(200);
  });

  it('a refresh never opens the authentication window again', async () => {
    const access = await setting.access(tpp, 'saver');
    const accountId = (await tpp.ask('/accounts', access.accessToken)).json.Data.Account[0].AccountId as string;
    const party = async (token: string): Promise<number> =>
      (await tpp.ask(`/accounts/${accountId}/party`, token)).status;
    expect(await party(access.accessToken)).toBe(200);
    setting.clock.advance(301_000);
    try {
      const { access_token: fresh } = await tpp.refresh(access.refreshToken);
      expect([await party(fresh), await status({ accessToken: fresh })]).toEqual([403, 200]);
    } finally {
      setting.clock.advance(-301_000);
    }
  });

  it('a refresh token is of use to its TPP only, which must prove itself', async () => {
    const { refreshToken } = await setting.access(tpp, 'saver');
    const asked = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const unproven = await post('/token', new URLSearchParams({ ...asked, client_id: 'tpp-one' }));
    const { status: forged } = await tpp.post('token', { ...asked, ...(await tpp.assertion(other.privateKey)) });
    expect([unproven.status, forged]).toEqual([401, 401]);
    expect(await outcome(other.refresh(refreshToken))).toBe('invalid_grant');
    // As one that found the token would: with a certificate of no accepted authority.
    expect(await outcome(tpp.refresh(refreshToken, tpp.fetchWith(new CertificateAuthority().issue('tpp-one'))))).toBe(
      'invalid_grant',
    );
    expect(await outcome(tpp.refresh(refreshToken))).toBe('tokens');
  });

  /** Gives access that ends in five minutes. */
  async function endingAccess() {
    const expiresAt = new Date(setting.clock.nowMs() + 300_000).toISOString();
    const begun = await tpp.begin(await tpp.createConsent(defaultPermissions, { ExpirationDateTime: expiresAt }));
    const back = await setting.approve(begun, 'saver');
    return { expiresAt, back, tokens: await tpp.finish(begun, back) };
  }

  it('tokens end with their consent, and the refusals say so', async () => {
    const { expiresAt, tokens } = await endingAccess();
    const { access_token: token, refresh_token: refreshToken = '' } = await tpp.refresh(tokens.refresh_token ?? '');
    setting.clock.advance(301_000);
    try {
      const { status: refused, headers } = await tpp.ask('/accounts', token);
      expect([refused, headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringContaining(`error_description="the consent expired at ${expiresAt}: create a new consent"`),
      ]);
      expect(await refusedRefresh(refreshToken)).toBe(
        `grant request is invalid: the consent expired at ${expiresAt}: create a new consent`,
      );
    } finally {
      setting.clock.advance(-301_000);
    }
  });

  const refreshOver =
    'grant request is invalid: the refresh token is unknown, its consent has expired or was withdrawn, or a later ' +
    'authorisation of the consent replaced that of this token. Use the tokens of the later authorisation, or read ' +
    'the status of the consent, or create a new consent';

  async function refusedRefresh(refreshToken: string): Promise<unknown> {
    const { status: refused, json } = await tpp.post('token', {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    });
    const { baseUrl } = setting.stack.config;
    expect([refused, json.error, json['error_uri']]).toEqual([
      400,
      'invalid_grant',
      `${baseUrl}/docs/errors#invalid_grant`,
    ]);
    return json.error_description;
  }

  it('a refresh is refused in the words of the API, or with every possible reason, and leads to the page of the errors', async () => {
    const doomed = await setting.access(tpp, 'saver');
    expect((await setting.stack.report(`/consents/${doomed.consentId}/revoke`, {})).status).toBe(200);
    expect(await refusedRefresh(doomed.refreshToken)).toBe(refreshOver);
    const leaving = await setting.tpp('tpp-leaving');
    const access = await setting.access(leaving, 'saver');
    // The rows of its tokens stay: all consents of the TPP were revoked at once.
    expect((await setting.stack.report('/tpps/tpp-leaving/revoke-consents?issuer=embedded', {})).status).toBe(200);
    const { json } = await leaving.post('token', { grant_type: 'refresh_token', refresh_token: access.refreshToken });
    expect(json.error_description).toBe(
      'grant request is invalid: the consent is not authorised, or was withdrawn: read its status, or create a new consent',
    );
  });

  const refreshTokenEnd = 'http://openbanking.org.uk/refresh_token_expires_at';

  it('the ID tokens of the token endpoint name the end of a refresh token that ends', async () => {
    const { expiresAt, back, tokens } = await endingAccess();
    const refreshed = await tpp.refresh(tokens.refresh_token ?? '');
    const hybrid = new URLSearchParams(back.hash.slice(1)).get('id_token') ?? '';
    const [of, afterRefresh, ofHybrid] = [tokens.id_token ?? '', refreshed.id_token ?? '', hybrid].map(
      (token) => decodeJwt(token)[refreshTokenEnd],
    );
    const end = Math.floor(Date.parse(expiresAt) / 1_000);
    expect([of, afterRefresh, ofHybrid]).toEqual([end, end, undefined]);
    const { claims_supported: claims } = (await tpp.config()).serverMetadata();
    expect(claims).toContain(refreshTokenEnd);
  });

  it('they name none for the refresh token of a consent without an end, nor where there is no refresh token', async () => {
    const grants = { metadata: { grant_types: ['authorization_code', 'client_credentials', 'implicit'] } };
    const without = await setting.tpp('tpp-without-refresh', grants);
    const end = { ExpirationDateTime: new Date(setting.clock.nowMs() + 3_600_000).toISOString() };
    for (const [client, data] of [
      [tpp, {}],
      [without, end],
    ] as const) {
      const begun = await client.begin(await client.createConsent(defaultPermissions, data));
      const { id_token: idToken = '' } = await client.finish(begun, await setting.approve(begun, 'saver'));
      expect(decodeJwt(idToken)).not.toHaveProperty([refreshTokenEnd]);
    }
  });

  it.each<[string, (access: Access) => Promise<unknown>]>([
    ['revocation by the bank', ({ consentId }) => setting.stack.report(`/consents/${consentId}/revoke`, {})],
    [
      'deletion by the TPP',
      async ({ consentId }) =>
        tpp.ask(`/account-access-consents/${consentId}`, await tpp.ownToken(), { method: 'DELETE' }),
    ],
    [
      'revocation of the refresh token',
      async ({ refreshToken }) => oidc.tokenRevocation(await tpp.config(), refreshToken),
    ],
  ])('a %s kills access and refresh token at once', async (_what, end) => {
    const access = await setting.access(tpp, 'saver');
    expect(await status(access)).toBe(200);
    await end(access);
    expect([await status(access), await outcome(tpp.refresh(access.refreshToken))]).toEqual([401, 'invalid_grant']);
  });

  it('a suspended TPP’s tokens, refreshes and requests fail at once, and its consents are there when it is reinstated', async () => {
    const doomed = await setting.tpp('tpp-doomed');
    const access = await setting.access(doomed, 'saver');
    const own = await doomed.ownToken();
    const consent = async (): Promise<number> =>
      (await doomed.ask(`/account-access-consents/${access.consentId}`, own)).status;
    expect([await status(access, doomed), await consent()]).toEqual([200, 200]);
    await setting.order('suspend', 'tpp-doomed');
    expect([await status(access, doomed), await consent()]).toEqual([401, 401]);
    expect(await outcome(doomed.refresh(access.refreshToken))).toBe('invalid_client');
    await setting.order('reinstate', 'tpp-doomed');
    expect([await status(access, doomed), await consent()]).toEqual([200, 200]);
    expect(await outcome(doomed.refresh(access.refreshToken))).toBe('tokens');
  });

  it('a client-credentials token manages consents and reads no account', async () => {
    expect((await tpp.ask('/accounts', await tpp.ownToken())).status).toBe(401);
  });

  it('a TPP that registered without the scope of the API gets no token of it, though discovery offers it', async () => {
    const without = await setting.tpp('tpp-without-scope', { metadata: { scope: 'openid' } });
    expect((await without.config()).serverMetadata().scopes_supported).toContain('accounts');
    const consents = async (from: TestTpp): Promise<number> => {
      const payload = { Data: { Permissions: defaultPermissions }, Risk: {} };
      const token = await from.ownToken();
      return (await from.ask('/account-access-consents', token, { method: 'POST', payload })).status;
    };
    expect(await outcome(without.ownToken())).toBe('invalid_scope');
    expect(await consents(tpp)).toBe(201);
  });

  it('the server’s own tokens are for exactly the scopes that discovery lists', async () => {
    const all = ['openid', 'accounts', 'fundsconfirmations'];
    const registered = await setting.tpp('tpp-of-every-scope', { metadata: { scope: all.join(' ') } });
    expect((await registered.config()).serverMetadata().scopes_supported).toEqual(all);
    for (const [asked, given] of [
      ['accounts', 'accounts'],
      ['openid accounts', 'accounts'],
      ['fundsconfirmations', 'fundsconfirmations'],
      [all.join(' '), 'accounts fundsconfirmations'],
    ] as const)
      expect(decodeJwt(await registered.ownToken(asked))['scope']).toBe(given);
  });

  it.each([
    ['an unknown scope', { scope: 'accounts payments' }],
    ['an unknown scope alone', { scope: 'payments' }],
    ['no scope of accounts', { scope: 'openid' }],
    ['no scope at all', {}],
  ])('a client-credentials grant with %s is invalid_scope', async (_what, parameters: Record<string, string>) => {
    expect(await outcome(oidc.clientCredentialsGrant(await tpp.config(), parameters))).toBe('invalid_scope');
  });

  it.each([
    ['an unknown scope', 'accounts payments', 'invalid_scope'],
    ['no scope of accounts', 'openid', 'invalid_scope'],
    ['the scope of accounts alone', 'accounts', 'tokens'],
  ])('a refresh with %s is answered %#', async (_what, scope, expected) => {
    const { refreshToken } = await setting.access(tpp, 'saver');
    expect(await outcome(oidc.refreshTokenGrant(await tpp.config(), refreshToken, { scope }))).toBe(expected);
  });
});
