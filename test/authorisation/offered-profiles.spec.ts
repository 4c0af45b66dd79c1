import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { Agent, fetch } from 'undici';
import { AuthorisationSetting, defaultPermissions, offeredKeys } from './setting.js';
import { claimsFor, redirectUri, type TestTpp } from './tpp.js';

const fapi2 = { fapi_profile: '2.0', require_signed_request_object: false, response_types: ['code'] };

describe('the security profiles', () => {
  let setting: AuthorisationSetting;
  let ofUk: TestTpp;
  let ofFapi2: TestTpp;
  let agent: Agent;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start();
    ofUk = await setting.tpp('tpp-uk');
    ofFapi2 = await setting.tpp('tpp-fapi-2', { metadata: fapi2 });
    agent = new Agent({ connect: { ca: setting.places.ca } });
  });
  afterAll(async () => {
    await agent.destroy();
    await setting.close();
  });

  /** The parameters of the answer that the TPP gets: a refusal, or the answer after an approval. */
  async function answered(url: URL): Promise<Record<string, string>> {
    const browser = setting.browser();
    let page = await browser.open(url);
    if (page.url.pathname.startsWith('/as/interaction/')) {
      const choice = await setting.signIn(browser, page, 'saver');
      page = await browser.submit(choice, { account: offeredKeys(choice), decision: 'approve' });
    }
    const { hash, searchParams } = page.url;
    if (page.url.href.startsWith(redirectUri))
      return {
        at: hash === '' ? 'query' : 'fragment',
        ...Object.fromEntries(hash === '' ? searchParams : new URLSearchParams(hash.slice(1))),
      };
    const inputs = [...page.html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    return { at: `page ${page.status}`, ...Object.fromEntries(inputs.map(([, name, value]) => [name, value])) };
  }
  async function signed(changes: Readonly<Record<string, unknown>>): Promise<URL> {
    const url = await ofUk.beginWith(await ofUk.requestObject(await ofUk.createConsent(defaultPermissions), changes));
    for (const name of ['response_type', 'scope']) url.searchParams.delete(name);
    return url;
  }
  /** Pushes a request; gives the error's code where it is refused. */
  async function pushed(tpp: TestTpp, changes: Readonly<Record<string, string>>): Promise<URL | string> {
    const { parameters, verifier } = tpp.parameters(await tpp.createConsent(defaultPermissions));
    const request = {
      ...parameters,
      response_type: 'code',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...changes,
    };
    return oidc
      .buildAuthorizationUrlWithPAR(await tpp.config(), request)
      .catch(({ error }: { readonly error: string }) => error);
  }

  describe('in an answer', () => {
    it.each(['fragment', 'form_post', undefined])('of the hybrid flow by %s is the issuer', async (mode) => {
      const answer = await answered(await signed({ response_mode: mode }));
      expect(answer).toMatchObject({ code: expect.any(String), id_token: expect.any(String) });
      expect([answer['at'], answer['iss']]).toEqual([
        mode === 'form_post' ? 'page 200' : 'fragment',
        setting.places.issuer,
      ]);
    });

    it('of the hybrid flow is the issuer when the customer refuses, too', async () => {
      const browser = setting.browser();
      const choice = await setting.signIn(browser, await browser.open(await signed({})), 'saver');
      const { url } = await browser.submit(choice, { decision: 'deny' });
      const answer = new URLSearchParams(url.hash.slice(1));
      expect([answer.get('error'), answer.get('iss')]).toEqual(['access_denied', setting.places.issuer]);
    });

    it.each(['jwt', 'query.jwt', 'fragment.jwt'])(
      'by %s stands within the JWT, and nothing next to it',
      async (mode) => {
        const answer = await answered(await signed({ response_type: 'code', response_mode: mode }));
        expect(Object.keys(answer).sort()).toEqual(['at', 'response']);
        expect(decodeJwt(answer['response'] ?? '')).toMatchObject({ iss: setting.places.issuer, aud: 'tpp-uk' });
      },
    );

    it('of FAPI 2.0 is the issuer', async () => {
      const answer = await answered((await pushed(ofFapi2, {})) as URL);
      expect([answer['at'], answer['iss']]).toEqual(['query', setting.places.issuer]);
    });
  });

  it.each([
    ['code', undefined],
    ['code', 'query'],
    ['code', 'fragment'],
    ['code', 'form_post'],
    ['code id_token', 'query'],
    ['code id_token', 'query.jwt'],
  ])('FAPI 1.0 gives no answer to %s by %s', async (type, mode) => {
    const answer = await answered(await signed({ response_type: type, response_mode: mode }));
    const { error, code } = answer['response'] === undefined ? answer : decodeJwt(answer['response']);
    expect([error, code]).toEqual(['invalid_request', undefined]);
  });

  it.each<[string, Record<string, string>]>([
    ['the hybrid flow', { response_type: 'code id_token' }],
    ['a fragment', { response_mode: 'fragment' }],
    ['a JWT in a fragment', { response_mode: 'fragment.jwt' }],
  ])('FAPI 2.0 refuses %s when it is pushed', async (_what, changes) => {
    expect(await pushed(ofFapi2, changes)).toBe('invalid_request');
  });

  it('discovery states the union of both, and that every answer names the issuer', async () => {
    const answer = await ofUk.fetch(`${setting.places.issuer}/.well-known/openid-configuration`, {
      method: 'GET',
    } as never);
    const algorithms = ['PS256', 'ES256'];
    expect(await answer.json()).toMatchObject({
      authorization_response_iss_parameter_supported: true,
      response_types_supported: ['code id_token', 'code'],
      response_modes_supported: ['form_post', 'fragment', 'query', 'jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt'],
      token_endpoint_auth_signing_alg_values_supported: algorithms,
      id_token_signing_alg_values_supported: algorithms,
      request_object_signing_alg_values_supported: algorithms,
      authorization_signing_alg_values_supported: algorithms,
      code_challenge_methods_supported: ['S256'],
      request_uri_parameter_supported: false,
    });
  });

  describe('at the registration by the bank', () => {
    const fault = (tpp: TestTpp, metadata: Readonly<Record<string, unknown>>) =>
      setting.server.registry.faultOfEntry({
        clientId: tpp.clientId,
        name: 'A TPP',
        metadata: { ...tpp.registration.metadata, ...metadata },
      });

    it.each([
      'token_endpoint_auth_signing_alg',
      'request_object_signing_alg',
      'id_token_signed_response_alg',
      'authorization_signed_response_alg',
    ])('ES256 is for FAPI 2.0 alone: %s', async (member) => {
      expect(await fault(ofUk, { [member]: 'ES256' })).toBe(`metadata.${member} must be PS256 in FAPI 1.0 in the UK`);
      expect(await fault(ofFapi2, { [member]: 'ES256' })).toBeUndefined();
      expect(await fault(ofFapi2, { [member]: 'RS256' })).toBe(`metadata.${member} must be PS256 or ES256 in FAPI 2.0`);
    });

    it('the hybrid flow is for FAPI 1.0 alone', async () => {
      const both = { response_types: ['code id_token', 'code'] };
      expect(await fault(ofUk, both)).toBeUndefined();
      expect(await fault(ofFapi2, both)).toBe('metadata.response_types can only contain "code" in FAPI 2.0');
    });
  });

  describe('a request that is posted', () => {
    const post = (body: URLSearchParams) =>
      fetch(`${setting.places.issuer}/authorize`, { method: 'POST', body, dispatcher: agent, redirect: 'manual' });

    it('begins the journey as one in the address does, where it is signed', async () => {
      const url = await signed({});
      const answer = await post(url.searchParams);
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        expect.stringMatching(/^\/as\/interaction\/[\w-]{22}$/),
      ]);
      expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-journey_.*SameSite=Lax/)]);
      const browser = setting.browser();
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(answer.headers.getSetCookie()[0] ?? '') ?? [];
      browser.plant({ name, value, path: '/' });
      const choice = await setting.signIn(browser, await browser.open(answer.headers.get('location') ?? ''), 'saver');
      const back = await browser.submit(choice, { account: offeredKeys(choice), decision: 'approve' });
      expect(back.url.href.startsWith(redirectUri)).toBe(true);
    });

    it('begins it where it was pushed', async () => {
      const url = (await pushed(ofFapi2, {})) as URL;
      expect((await post(url.searchParams)).headers.get('location')).toMatch(/^\/as\/interaction\//);
    });

    it('is refused where it is not signed, as in the address', async () => {
      const { parameters } = ofUk.parameters(await ofUk.createConsent(defaultPermissions));
      const body = new URLSearchParams({
        ...parameters,
        client_id: 'tpp-uk',
        response_type: 'code id_token',
        claims: JSON.stringify(claimsFor('aac-none')),
      });
      expect((await post(body)).headers.get('location')).toContain('error=invalid_request');
    });
  });
});
