import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as oidc from 'openid-client';
import { registerTppsOfFile } from '../../src/authorisation-server/tpps/tpps-file.js';
import { AuthorisationSetting, defaultPermissions } from './setting.js';
import { redirectUri, type TestTpp } from './tpp.js';

/** Metadata that says nothing of signatures, and metadata that asks for none. */
const silent = { require_signed_request_object: undefined, request_object_signing_alg: undefined };
const optedOut = { ...silent, require_signed_request_object: false, require_pushed_authorization_requests: false };
const fapi2 = { ...optedOut, fapi_profile: '2.0', response_types: ['code'] };

describe('an authorization request that its TPP did not sign or push', () => {
  let setting: AuthorisationSetting;
  let folder: string;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start();
    folder = await mkdtemp(join(tmpdir(), 'unsigned-'));
  });
  afterAll(async () => {
    await setting.close();
    await rm(folder, { recursive: true });
  });

  /** The request of an attacker who knows a client id and a ConsentId, and holds no key of the TPP. */
  async function strangersUrl(tpp: TestTpp, consentId: string, more: Record<string, string> = {}): Promise<URL> {
    const { issuer } = setting.places;
    const { parameters, verifier } = tpp.parameters(consentId);
    const url = new URL(`${issuer}/authorize`);
    url.search = new URLSearchParams({
      ...parameters,
      client_id: tpp.clientId,
      response_type: 'code id_token',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...more,
    }).toString();
    return url;
  }

  /** The page that the browser gets, or the error with which it is sent to the TPP. */
  async function led(url: URL): Promise<string> {
    const page = await setting.browser().open(url);
    if (!page.url.href.startsWith(redirectUri)) return `${page.url.pathname} (${page.status})`;
    const answer = page.url.hash === '' ? page.url.searchParams : new URLSearchParams(page.url.hash.slice(1));
    return `${answer.get('error')}: ${answer.get('error_description')}`;
  }

  const consentStatus = async (tpp: TestTpp, consentId: string): Promise<string> =>
    (await tpp.ask(`/account-access-consents/${consentId}`, await tpp.ownToken())).json.Data.Status as string;

  const pushing = async (tpp: TestTpp, parameters: Record<string, string>): Promise<string> =>
    oidc.buildAuthorizationUrlWithPAR(await tpp.config(), parameters).then(
      () => 'a request_uri',
      (error: oidc.ResponseBodyError) => `${error.error}: ${error.error_description}`,
    );

  async function ofFile(clientId: string, metadata: object): Promise<TestTpp> {
    const tpp = await setting.stranger(clientId);
    const { name, metadata: right } = tpp.registration;
    const file = join(folder, `${clientId}.json`);
    await writeFile(file, JSON.stringify([{ clientId, name, metadata: { ...right, ...metadata } }]));
    await registerTppsOfFile(file, setting.server.registry);
    return tpp;
  }

  const mustSign = 'invalid_request: Request Object must be used by this client';
  const mustPush = 'invalid_request: Pushed Authorization Request must be used';

  describe.each<[string, (clientId: string) => Promise<TestTpp>]>([
    ['was stored without a word of signatures', (clientId) => setting.tpp(clientId, { metadata: silent })],
    ['was stored as one that signs nothing', (clientId) => setting.tpp(clientId, { metadata: optedOut })],
    ['comes from a file that says it signs nothing', (clientId) => ofFile(clientId, optedOut)],
  ])('of a FAPI 1.0 client that %s', (how, register) => {
    const clientId = `tpp-${how.replaceAll(/\W+/g, '-')}`;
    let tpp: TestTpp;
    let consentId: string;
    beforeAll(async () => {
      tpp = await register(clientId);
      consentId = await tpp.createConsent(defaultPermissions);
    });

    it('is refused as a plain query string, whatever its response type', async () => {
      const urls = await Promise.all([
        strangersUrl(tpp, consentId),
        strangersUrl(tpp, consentId, { response_type: 'code' }),
        strangersUrl(tpp, consentId, { request: '' }),
      ]);
      expect(await Promise.all(urls.map(led))).toEqual(Array(3).fill(mustSign));
    });

    it('is refused with an unsigned request object', async () => {
      const object = await tpp.requestObject(consentId, {}, { alg: 'none' });
      expect(await led(await tpp.beginWith(object))).toBe('invalid_request_object: unsupported signed request alg');
    });

    it('is refused when it is pushed', async () => {
      const { parameters, verifier } = tpp.parameters(consentId);
      const plain = {
        ...parameters,
        response_type: 'code id_token',
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      };
      const unsigned = await tpp.requestObject(consentId, plain, { alg: 'none' });
      expect([await pushing(tpp, plain), await pushing(tpp, { request: unsigned })]).toEqual([
        mustSign,
        'invalid_request_object: unsupported signed request alg',
      ]);
    });

    it('opens no journey in which a stranger could approve or reject the consent of another customer', async () => {
      const page = await setting.browser().open(await strangersUrl(tpp, consentId));
      expect([page.url.origin, page.html]).toEqual([new URL(redirectUri).origin, '']);
      expect(await consentStatus(tpp, consentId)).toBe('AwaitingAuthorisation');
      // The owner's own way is still open.
      await setting.approve({ url: await tpp.beginWith(await tpp.requestObject(consentId)) }, 'saver');
      expect(await consentStatus(tpp, consentId)).toBe('Authorised');
    });
  });

  it('takes the signed parameters, and ignores those next to it in the address', async () => {
    const tpp = await setting.tpp('tpp-beside', { metadata: silent });
    const [own, foreign] = [await tpp.createConsent(defaultPermissions), await tpp.createConsent(defaultPermissions)];
    const url = await tpp.beginWith(await tpp.requestObject(own));
    const { claims = '' } = tpp.parameters(foreign).parameters;
    url.searchParams.set('claims', claims);
    url.searchParams.set('state', 'a-strangers');
    const back = await setting.approve({ url }, 'saver');
    expect(new URLSearchParams(back.hash.slice(1)).get('state')).not.toBe('a-strangers');
    expect([await consentStatus(tpp, own), await consentStatus(tpp, foreign)]).toEqual([
      'Authorised',
      'AwaitingAuthorisation',
    ]);
  });

  it('is answered alike whether the consent is pending, given, rejected, another TPP’s or unknown', async () => {
    const tpp = await setting.tpp('tpp-alike', { metadata: silent });
    const other = await setting.tpp('tpp-other');
    const rejected = await tpp.createConsent(defaultPermissions);
    await setting.stack.report(`/consents/${rejected}/reject`, {});
    const consentIds = [
      await tpp.createConsent(defaultPermissions),
      (await setting.access(tpp, 'saver')).consentId,
      rejected,
      await other.createConsent(defaultPermissions),
      'aac-unknown',
    ];
    const answers = await Promise.all(consentIds.map(async (id) => led(await strangersUrl(tpp, id))));
    expect(new Set(answers)).toEqual(new Set([mustSign]));
  });

  it('makes no redirect when its redirect URI is not registered', async () => {
    const tpp = await setting.tpp('tpp-elsewhere', { metadata: silent });
    const url = await strangersUrl(tpp, 'aac-unknown', { redirect_uri: 'https://evil.example/callback' });
    expect(await led(url)).toBe('/as/authorize (400)');
  });

  it('of a FAPI 2.0 client is refused in front of the browser, signed or not, whatever was registered', async () => {
    for (const tpp of [await setting.tpp('tpp-2-stored', { metadata: fapi2 }), await ofFile('tpp-2-file', fapi2)]) {
      const consentId = await tpp.createConsent(defaultPermissions);
      const signed = await tpp.beginWith(await tpp.requestObject(consentId, { response_type: 'code' }));
      signed.searchParams.set('response_type', 'code');
      const unsigned = await strangersUrl(tpp, consentId, { response_type: 'code' });
      expect([await led(unsigned), await led(signed)]).toEqual([mustPush, mustPush]);
      expect(await consentStatus(tpp, consentId)).toBe('AwaitingAuthorisation');
    }
  });
});
