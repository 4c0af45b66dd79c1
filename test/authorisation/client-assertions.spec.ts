import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { SignJWT, type JWTPayload } from 'jose';
import { FakeClock } from '../support/fake-clock.js';
import { realNowMs } from '../support/real-time.js';
import { jwtWithB64 } from '../support/unencoded-jwt.js';
import { AuthorisationSetting } from './setting.js';
import type { TestTpp } from './tpp.js';

const endpoints = ['token', 'par', 'revoke'] as const;

describe('a client assertion', () => {
  let setting: AuthorisationSetting;
  // It stands still, so that a boundary is a boundary; the library has the machine's time, which is a little later.
  const clock = new FakeClock(0);
  const setClock = (): void => clock.set(Math.floor(realNowMs() / 1_000) * 1_000);
  beforeEach(setClock);
  const tpps = new Map<string, TestTpp>();
  beforeAll(async () => {
    setClock();
    setting = await AuthorisationSetting.start({ clock });
    tpps.set('FAPI 1.0', await setting.tpp('tpp-1'));
    tpps.set('FAPI 2.0', await setting.tpp('tpp-2', { metadata: { fapi_profile: '2.0', response_types: ['code'] } }));
  });
  afterAll(() => setting.close());

  const seconds = (ahead: number): number => Math.floor(clock.nowMs() / 1_000) + ahead;
  /** `TPP` and `ISSUER` in the audience stand for our two names. */
  async function answer(
    profile: string,
    endpoint: (typeof endpoints)[number],
    claims: JWTPayload,
    b64?: boolean,
  ): Promise<string> {
    const tpp = tpps.get(profile);
    if (tpp === undefined) throw new Error(`no TPP speaks ${profile}`);
    const { tppUrl, issuer } = setting.places;
    const now = seconds(0);
    const payload = JSON.parse(
      JSON.stringify({
        iss: tpp.clientId,
        sub: tpp.clientId,
        aud: 'ISSUER',
        jti: randomUUID(),
        iat: now,
        exp: now + 240,
        ...claims,
      })
        .replaceAll('TPP', tppUrl)
        .replaceAll('ISSUER', issuer),
    ) as JWTPayload;
    const header = { alg: 'PS256', kid: tpp.keyId };
    const assertion = await (b64 === undefined
      ? new SignJWT(payload).setProtectedHeader(header).sign(tpp.privateKey)
      : jwtWithB64(payload, header, tpp.privateKey, b64));
    const { parameters } = tpp.parameters('aac-unknown');
    const body = new URLSearchParams({
      ...(endpoint === 'token' && { grant_type: 'client_credentials', scope: 'accounts' }),
      ...(endpoint === 'par' && { ...parameters, response_type: 'code' }),
      ...(endpoint === 'revoke' && { token: 'unknown' }),
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    });
    const response = await tpp.fetch(`${tppUrl}/as/${endpoint}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
    } as never);
    const text = await response.text();
    const { error, error_description: description } = (text === '' ? {} : JSON.parse(text)) as Record<string, string>;
    // A request that is at fault for another reason has passed: its client was known.
    return error === 'invalid_client' ? `${response.status} ${description}` : 'known';
  }

  const everywhere = (profile: string, claims: () => JWTPayload): Promise<string[]> =>
    Promise.all(endpoints.map((endpoint) => answer(profile, endpoint, claims())));
  const oneAudience =
    '401 client authentication failed: the aud of the client assertion must be one value, which names this server';
  const extended =
    '401 client authentication failed: the client assertion must have neither crit nor b64 in its header';
  const dead = '401 client authentication failed: the client assertion has expired';
  const tooLong = '401 client authentication failed: the client assertion must expire within 5 minutes';

  describe.each(['FAPI 1.0', 'FAPI 2.0'])('in %s', (profile) => {
    it('is accepted for the issuer alone, at each endpoint', async () => {
      expect(await everywhere(profile, () => ({ aud: 'ISSUER' }))).toEqual(Array(endpoints.length).fill('known'));
    });

    it.each<[string, string[]]>([
      ['us and another server', ['ISSUER', 'https://another.example']],
      ['us by two of our names', ['ISSUER', 'TPP/as/token']],
      ['us twice', ['ISSUER', 'ISSUER']],
    ])('is refused for %s, at each endpoint', async (_whom, aud) => {
      expect(await everywhere(profile, () => ({ aud }))).toEqual(Array(endpoints.length).fill(oneAudience));
    });

    it.each<[string, JWTPayload]>([
      ['another server', { aud: 'https://another.example' }],
      ['nobody', { aud: [] }],
    ])('is refused for %s, at each endpoint', async (_whom, claims) => {
      const answers = await everywhere(profile, () => claims);
      expect(answers).toEqual(Array(endpoints.length).fill(expect.stringMatching(/^401 client authentication failed/)));
    });

    it('is accepted when it expires in 5 minutes, and refused when it expires later, at each endpoint', async () => {
      expect(await everywhere(profile, () => ({ exp: seconds(300) }))).toEqual(Array(endpoints.length).fill('known'));
      for (const ahead of [301, 3_600, 10 * 365 * 86_400])
        expect(await everywhere(profile, () => ({ exp: seconds(ahead) }))).toEqual(
          Array(endpoints.length).fill(tooLong),
        );
    });

    it.each(['iat', 'nbf'])('is accepted when its %s is 10 s ahead, and refused when it is later', async (claim) => {
      expect(await everywhere(profile, () => ({ [claim]: seconds(10) }))).toEqual(
        Array(endpoints.length).fill('known'),
      );
      for (const ahead of [61, 3_600])
        expect(await everywhere(profile, () => ({ [claim]: seconds(ahead) }))).toEqual(
          Array(endpoints.length).fill(expect.stringMatching(/^401 client authentication failed/)),
        );
    });

    it.each([true, false])('is refused when its header has b64, also %s, at each endpoint', async (b64) => {
      const answers = await Promise.all(endpoints.map((endpoint) => answer(profile, endpoint, {}, b64)));
      expect(answers).toEqual(Array(endpoints.length).fill(extended));
    });

    it('is dead 10 s after it expires, and not a moment earlier', async () => {
      const times = { iat: seconds(0), exp: seconds(240) };
      clock.set(times.exp * 1_000 + 9_999);
      expect(await everywhere(profile, () => times)).toEqual(Array(endpoints.length).fill('known'));
      clock.set(times.exp * 1_000 + 10_000);
      expect(await everywhere(profile, () => times)).toEqual(Array(endpoints.length).fill(dead));
    });
  });

  it('in FAPI 1.0 may be for the issuer, the token endpoint or the endpoint itself, also as a list of one', async () => {
    const asked = async (endpoint: (typeof endpoints)[number], aud: string | string[]): Promise<unknown> =>
      answer('FAPI 1.0', endpoint, { aud });
    for (const aud of ['TPP/as/token', ['ISSUER'], ['TPP/as/token']])
      for (const endpoint of endpoints) expect([aud, await asked(endpoint, aud)]).toEqual([aud, 'known']);
    expect(await asked('par', 'TPP/as/par')).toBe('known');
    for (const aud of ['ISSUER/token', 'TPP/as/par'])
      expect(await asked('token', aud)).toMatch(/^401 client authentication failed/);
  });

  it('in FAPI 2.0 is for the issuer and no endpoint, and names it as a text', async () => {
    for (const aud of ['TPP/as/token', ['ISSUER']])
      expect([aud, await answer('FAPI 2.0', 'token', { aud })]).toEqual([
        aud,
        '401 client authentication failed: in FAPI 2.0 the aud of the client assertion must be the issuer of this server, as a string',
      ]);
    expect(await answer('FAPI 2.0', 'token', { aud: 'ISSUER/token' })).toMatch(/^401 client authentication failed/);
  });
});
