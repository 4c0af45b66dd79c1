import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { SignJWT, type JWK } from 'jose';
import type { Software } from '../../sandbox/directory/software.js';
import { keysFreshMs, keysLastMs, restAfterFailureMs } from '../../src/authorisation-server/tpps/tpp-key-sets.js';
import { FakeClock } from '../support/fake-clock.js';
import { realNowMs } from '../support/real-time.js';
import { DirectoryServer } from './directory-server.js';
import { AuthorisationSetting, defaultPermissions } from './setting.js';
import { redirectUri, type TestTpp } from './tpp.js';

const organisationId = '0015800001TestOrg';

describe('the key set that a TPP publishes', () => {
  const clock = new FakeClock(realNowMs());
  let directory: DirectoryServer;
  let setting: AuthorisationSetting;
  /** One organisation with two keys: the one that it has, and the one that it may publish. */
  let before: TestTpp;
  let after: TestTpp;
  let software: Software;
  let clientId: string;
  let count = 0;

  beforeAll(async () => {
    directory = await DirectoryServer.start(clock);
    // The caching headers of a TPP's server must make no difference.
    directory.headers = {
      'cache-control': 'public, max-age=31536000, immutable',
      expires: 'Fri, 31 Dec 2099 23:59:59 GMT',
    };
    setting = await AuthorisationSetting.start({ clock, authorisationServer: { directory: directory.config } });
    const certified = setting.authority.issue(organisationId);
    before = await setting.stranger('before', { certified });
    after = await setting.stranger('after', { certified });
  });
  afterAll(async () => {
    await setting.close();
    await directory.close();
  });
  beforeEach(async () => {
    directory.broken = false;
    clock.set(realNowMs());
    software = {
      softwareId: `Keys${count++}`,
      clientName: 'The app',
      description: 'Shows accounts.',
      clientUri: 'https://tpp.example',
      redirectUris: [redirectUri],
      organisation: { organisationName: 'Test', organisationId, registrationId: '900002', roles: ['PSP_AI'] },
      jwks: { keys: [before.publicJwk] },
    };
    const registered = await register('POST', '', before);
    clientId = registered.json['client_id'] as string;
    directory.asked.length = 0;
  });

  const publish = (...keys: JWK[]): Promise<unknown> => directory.directory.statement({ ...software, jwks: { keys } });
  const fetches = (): number =>
    directory.asked.filter((path) => path.endsWith(`${software.softwareId}/jwks.json`)).length;

  async function register(method: 'POST' | 'PUT', path: string, signer: TestTpp, token?: string) {
    const nowSeconds = Math.floor(clock.nowMs() / 1_000);
    const body = await new SignJWT({
      iss: software.softwareId,
      aud: setting.places.issuer,
      iat: nowSeconds,
      exp: nowSeconds + 300,
      jti: randomUUID(),
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'PS256',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      scope: 'openid accounts',
      software_statement: (await directory.directory.currentStatement(software.softwareId)) ?? (await statementOf()),
    })
      .setProtectedHeader({ alg: 'PS256', kid: signer.keyId })
      .sign(signer.privateKey);
    const answer = await signer.fetch(`${setting.places.tppUrl}/as/register${path}`, {
      method,
      headers: { 'content-type': 'application/jose', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body,
    } as never);
    return { status: answer.status, json: (await answer.json()) as Readonly<Record<string, unknown>> };
  }
  const statementOf = (): Promise<string> => directory.directory.statement(software);

  /** Whether a token, an authorization request and a change of the registration are accepted, as signed by this key. */
  async function accepted(signer: TestTpp, token: string): Promise<readonly boolean[]> {
    const tpp = signer.as(clientId);
    const consentId = await consentOf();
    const page = await setting.browser().open(await tpp.beginWith(await tpp.requestObject(consentId)));
    return [
      await tpp.ownToken().then(
        () => true,
        () => false,
      ),
      page.status === 200 && page.url.pathname.startsWith('/as/interaction/'),
      (await register('PUT', `/${clientId}`, signer, token)).status === 200,
    ];
  }
  let consent: Promise<string> | undefined;
  let consentClient = '';
  function consentOf(): Promise<string> {
    if (consentClient !== clientId) consent = before.as(clientId).createConsent(defaultPermissions);
    consentClient = clientId;
    return consent as Promise<string>;
  }
  const all = [true, true, true];
  const none = [false, false, false];

  it('is read once a minute for all signatures: then a new key is accepted, and a removed one refused', async () => {
    const token = await before.as(clientId).ownToken();
    expect(await accepted(before, token)).toEqual(all);
    expect(fetches()).toBe(0);
    await publish(after.publicJwk);
    clock.advance(keysFreshMs - 1);
    expect(await accepted(before, token)).toEqual(all);
    expect(await accepted(after, token)).toEqual(none);
    expect(fetches()).toBe(0);
    clock.advance(1);
    expect(await accepted(before, token)).toEqual(none);
    expect(await accepted(after, token)).toEqual(all);
    expect(fetches()).toBe(1);
  });

  /** Signed with a strange key: any person who knows the client id can send these. */
  async function unknownKeys(many: number): Promise<void> {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const seconds = Math.floor(realNowMs() / 1_000);
    const body = (): string =>
      new URLSearchParams({
        grant_type: 'client_credentials',
        scope: 'accounts',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: [
          part({ alg: 'PS256', kid: randomUUID() }),
          part({
            iss: clientId,
            sub: clientId,
            aud: setting.places.issuer,
            iat: seconds,
            exp: seconds + 60,
            jti: randomUUID(),
          }),
          'c2lnbmF0dXJl',
        ].join('.'),
      }).toString();
    const send = async (): Promise<string> => {
      const answer = await before.fetch(`${setting.places.tppUrl}/as/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: body(),
      } as never);
      return `${answer.status} ${((await answer.json()) as { error: string }).error}`;
    };
    for (let sent = 0; sent < many; sent += 50)
      expect(await Promise.all(Array.from({ length: 50 }, send))).toEqual(Array(50).fill('401 invalid_client'));
  }

  it('is read no more often for 200 unknown keys', async () => {
    await unknownKeys(200);
    expect(fetches()).toBe(0);
    clock.advance(keysFreshMs);
    await unknownKeys(200);
    expect(fetches()).toBe(1);
    const token = await before.as(clientId).ownToken();
    expect(token).toEqual(expect.any(String));
  });

  it('is good for five minutes while its server fails, and the gateway asks that server rarely', async () => {
    directory.broken = true;
    clock.advance(keysFreshMs);
    await unknownKeys(50);
    expect(fetches()).toBe(1);
    expect(await before.as(clientId).ownToken()).toEqual(expect.any(String));
    expect(fetches()).toBe(1);
    clock.advance(keysLastMs - keysFreshMs);
    const attempt = (): Promise<unknown> =>
      before
        .as(clientId)
        .ownToken()
        .catch((error: unknown) => (error as { error?: string }).error);
    expect([await attempt(), await attempt()]).toEqual(['invalid_client', 'invalid_client']);
    expect(fetches()).toBe(2);
    directory.broken = false;
    clock.advance(restAfterFailureMs);
    expect(await attempt()).not.toBe('invalid_client');
  });
});
