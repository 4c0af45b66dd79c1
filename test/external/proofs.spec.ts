import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, type GenerateKeyPairResult, type JWTPayload } from 'jose';
import { request, type Agent } from 'undici';
import type { TestTpp } from '../authorisation/tpp.js';
import { base, minuteMs } from '../support/stack.js';
import { ExternalSetting } from './setting.js';

/** The faults that a test puts into a proof. */
interface ProofChanges {
  readonly claims?: JWTPayload;
  readonly header?: object;
  readonly key?: GenerateKeyPairResult;
}

interface Asked {
  readonly token?: string;
  /** Default: a right one. */
  readonly proof?: string | string[] | undefined;
  readonly scheme?: string;
  readonly host?: string;
  readonly payload?: object;
  readonly from?: Agent;
}

const seconds = (ms: number): number => Math.floor(ms / 1_000);
const newKey = (alg = 'ES256'): Promise<GenerateKeyPairResult> => generateKeyPair(alg, { extractable: true });

describe("a bank's own authorization server that binds its tokens to keys (RFC 9449)", () => {
  let setting: ExternalSetting;
  let key: GenerateKeyPairResult;
  let tpp: TestTpp;
  let agent: Agent;
  let token: string;
  let anAccount: string;

  beforeAll(async () => {
    setting = await ExternalSetting.start(
      'jwt',
      [
        { clientId: 'tpp-d', binding: 'dpop' },
        { clientId: 'tpp-m', binding: 'mtls' },
      ],
      { binding: 'dpop' },
    );
    key = await newKey();
    tpp = await setting.tpp('tpp-d', { proofKey: key });
    // Some requests have another host name than the gateway's certificate.
    agent = tpp.agentWith(tpp.certified, undefined, { checkServerIdentity: () => undefined });
    const payload = { Data: { Permissions: ['ReadAccountsBasic', 'ReadBalances'] }, Risk: {} };
    const created = await ask('POST', '/account-access-consents', { token: await tpp.ownToken(), payload });
    const { ConsentId } = created.json.Data;
    ({ accessToken: token } = await setting.authorise(tpp, ConsentId, setting.customer('complete')));
    anAccount = (await ask('GET', '/accounts')).json.Data.Account[0].AccountId;
  });
  afterAll(() => setting.close());

  async function ask(method: string, path: string, asked: Asked = {}) {
    const { token: bearer = token, scheme = 'DPoP', host, payload, from = agent } = asked;
    const sent = 'proof' in asked ? asked.proof : await proof({}, method, path, bearer);
    const { statusCode, headers, body } = await request(`${tpp.places.tppUrl}${base}${path}`, {
      dispatcher: from,
      method,
      headers: {
        authorization: `${scheme} ${bearer}`,
        ...(sent !== undefined && { dpop: sent }),
        ...(host !== undefined && { host }),
        ...(payload && { 'content-type': 'application/json' }),
      },
      body: payload === undefined ? null : JSON.stringify(payload),
    });
    const text = await body.text();
    return { status: statusCode, headers, json: text === '' ? undefined : JSON.parse(text) };
  }

  /** A proof for a request to the gateway, right in all that the test does not change. */
  async function proof(changes: ProofChanges = {}, htm = 'GET', path = '/accounts', bearer = token): Promise<string> {
    const { privateKey, publicKey } = changes.key ?? key;
    const claims = {
      htm,
      htu: `https://gateway.example${base}${path}`,
      ath: createHash('sha256').update(bearer).digest('base64url'),
      jti: randomUUID(),
      iat: seconds(setting.clock.nowMs()),
    };
    return new SignJWT({ ...claims, ...changes.claims })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(publicKey), ...changes.header })
      .sign(privateKey);
  }

  const accounts = (sent: string | string[] | undefined, scheme = 'DPoP') =>
    ask('GET', '/accounts', { proof: sent, scheme });
  const challenge = (code: string, reason: string): string =>
    `DPoP realm="account-information", error="${code}", error_description="${reason}", algs="PS256 ES256"`;

  it('lets data be read with a proof for each request', async () => {
    expect((await ask('GET', '/accounts')).status).toBe(200);
    const { status, json } = await ask('GET', `/accounts/${anAccount}/balances`);
    expect([status, Object.keys(json.Data)]).toEqual([200, ['Balance']]);
  });

  it('lets the proof come with another certificate, because only the key counts', async () => {
    const elsewhere = await setting.tpp('tpp-elsewhere');
    const answer = await ask('GET', '/accounts', { from: elsewhere.agentWith(elsewhere.certified) });
    expect(answer.status).toBe(200);
  });

  it('lets a proof be used once, also by many simultaneous requests', async () => {
    const once = await proof();
    const answers = await Promise.all(Array.from({ length: 20 }, () => accounts(once)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(401)]);
    const { status, headers } = await accounts(once);
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      challenge('invalid_dpop_proof', 'the proof was used before'),
    ]);
  });

  it('treats the same jti of another key as another proof', async () => {
    const jti = 'the-same';
    expect((await accounts(await proof({ claims: { jti } }))).status).toBe(200);
    const other = await newKey();
    const own = await (await setting.tpp('tpp-d', { proofKey: other })).ownToken();
    const path = '/account-access-consents/aac-none';
    const sent = await proof({ key: other, claims: { jti } }, 'GET', path, own);
    expect((await ask('GET', path, { token: own, proof: sent })).status).toBe(400);
  });

  it.each<[string, () => Promise<ProofChanges> | ProofChanges]>([
    ['another method', () => ({ claims: { htm: 'POST' } })],
    ['the method in another case', () => ({ claims: { htm: 'get' } })],
    ['another path', () => ({ claims: { htu: `https://gateway.example${base}/accounts/${anAccount}` } })],
    ['another host', () => ({ claims: { htu: `https://other.example${base}/accounts` } })],
    ['plain HTTP', () => ({ claims: { htu: `http://gateway.example${base}/accounts` } })],
    ['no URL', () => ({ claims: { htu: 'accounts' } })],
    ['another token', () => ({ claims: { ath: 'AAAA' } })],
    ['another key', async () => ({ key: await newKey() })],
    ['a minute ago', () => ({ claims: { iat: seconds(setting.clock.nowMs() - minuteMs) } })],
    ['the future', () => ({ claims: { iat: seconds(setting.clock.nowMs()) + 15 } })],
    ['no jti', () => ({ claims: { jti: '' } })],
    ['another type', () => ({ header: { typ: 'JWT' } })],
    ['an unencoded payload (RFC 7797, section 7)', () => ({ header: { crit: ['b64'], b64: true } })],
    ['RS256', async () => ({ header: { alg: 'RS256' }, key: await newKey('RS256') })],
  ])('refuses a proof of %s', async (_, changes) => {
    const { status, headers } = await accounts(await proof(await changes()));
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      expect.stringMatching(
        /^DPoP realm="account-information", error="invalid_dpop_proof", error_description="the (iat of the )?proof/,
      ),
    ]);
  });

  it.each<[string, () => ProofChanges]>([
    ['with a query and a fragment', () => ({ claims: { htu: `https://gateway.example${base}/accounts?a=1#b` } })],
    [
      'with an upper-case host and the default port',
      () => ({ claims: { htu: `HTTPS://GATEWAY.example:443${base}/accounts` } }),
    ],
    [
      'with a path that is encoded where it need not be',
      () => ({ claims: { htu: `https://gateway.example${base}/%61ccounts` } }),
    ],
    ['that is 50 s old', () => ({ claims: { iat: seconds(setting.clock.nowMs()) - 50 } })],
    ['whose clock is 5 s ahead', () => ({ claims: { iat: seconds(setting.clock.nowMs()) + 5 } })],
  ])('accepts a proof %s', async (_, changes) => {
    expect((await accounts(await proof(changes()))).status).toBe(200);
  });

  it('needs the configured URL in a proof, with any Host header', async () => {
    const statusOf = async (htu: string): Promise<number> =>
      (await ask('GET', '/accounts', { host: 'evil.example', proof: await proof({ claims: { htu } }) })).status;
    expect(await statusOf(`https://evil.example${base}/accounts`)).toBe(401);
    expect(await statusOf(`https://gateway.example${base}/accounts`)).toBe(200);
  });

  it('refuses a token without its proof, with two proofs, with the scheme Bearer, and a token that is bound to no key', async () => {
    const without = await accounts(undefined);
    expect([without.status, without.headers['www-authenticate']]).toEqual([
      401,
      challenge('invalid_dpop_proof', 'one DPoP header is needed'),
    ]);
    for (const two of [[await proof(), await proof()], `${await proof()}, ${await proof()}`])
      expect((await accounts(two)).status).toBe(401);
    const asBearer = await accounts(await proof(), 'Bearer');
    expect([asBearer.status, asBearer.headers['www-authenticate']]).toEqual([
      401,
      'Bearer realm="account-information", error="invalid_token", ' +
        'error_description="the token is bound to a key: send it with the scheme DPoP and a proof"',
    ]);
    const bound = await setting.tpp('tpp-m');
    const { status, headers } = await bound.ask('/accounts', await bound.ownToken());
    expect([status, headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('the token is not bound to a key'),
    ]);
  });

  it('has its algorithms in the challenge to a request without a token', async () => {
    const { headers } = await setting.stack.gateway.server.inject({ method: 'GET', url: `${base}/accounts` });
    expect(headers['www-authenticate']).toBe(
      'Bearer realm="account-information", DPoP realm="account-information", algs="PS256 ES256"',
    );
  });
});
