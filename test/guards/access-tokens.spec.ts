import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { makeIssuerKeys } from '../../sandbox/bank/issuer.js';
import { anyUuid, oneError } from '../support/error-shape.js';
import { minuteMs, noon, Stack, type Answer, type ConsentedCustomer } from '../support/stack.js';
import { privateJwk, TokenForge, unsigned, type ForgedToken } from '../support/token-forge.js';

const nowSeconds = noon / 1_000;
const noCredential = 'Bearer realm="account-information"';
const challenge = /^Bearer realm="account-information", error="invalid_token", error_description="[^"]+"$/;

describe('an access token (RFC 9068)', () => {
  let stack: Stack;
  let forge: TokenForge;
  let customer: ConsentedCustomer;
  let bound: { openbanking_intent_id: string };

  beforeAll(async () => {
    const issuerKeys = await makeIssuerKeys();
    stack = await Stack.start({ issuerKeys });
    forge = new TokenForge(issuerKeys.keys, stack.bank.issuer, stack.bank.audience, () => stack.clock.nowMs());
    customer = await stack.consent({ persona: 'saver' });
    bound = { openbanking_intent_id: customer.consentId };
  });
  afterAll(() => stack.close());
  afterEach(() => stack.clock.set(noon));

  const accounts = (token: string | undefined): Promise<Answer> => stack.ask('/accounts', { token });
  const signed = async ({ claims, ...rest }: ForgedToken = {}): Promise<Answer> =>
    accounts(await forge.sign({ claims: { ...bound, ...claims }, ...rest }));
  const expectChallenge = (answer: Answer, wanted: RegExp | string = challenge): void => {
    expect([answer.status, answer.body]).toEqual([401, '']);
    expect(answer.headers['www-authenticate']).toEqual(
      typeof wanted === 'string' ? wanted : expect.stringMatching(wanted),
    );
    expect(answer.headers['x-fapi-interaction-id']).toMatch(anyUuid);
  };

  it.each(['PS256', 'ES256'])('signed with %s is accepted', async (alg) => {
    expect((await signed({ header: { alg } })).status).toBe(200);
  });

  it.each<[string, ForgedToken]>([
    ['with the long form of its type', { header: { typ: 'application/at+jwt' } }],
    ['for several audiences', { claims: { aud: ['another', 'account-information'] } }],
    ['with further scopes', { claims: { scope: 'openid accounts payments' } }],
    ['valid from this second on', { claims: { nbf: nowSeconds } }],
    ['with a second left', { claims: { exp: nowSeconds + 1 } }],
  ])('%s is accepted', async (_name, token) => {
    expect((await signed(token)).status).toBe(200);
  });

  it('is named by any spelling of the scheme', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer '])
      expect((await stack.ask('/accounts', { headers: { authorization: `${scheme} ${customer.token}` } })).status).toBe(
        200,
      );
  });

  it.each<[string, ForgedToken]>([
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['for another audience', { claims: { aud: 'payments' } }],
    ['that expires in this very second', { claims: { exp: nowSeconds } }],
    ['that never expires', { without: ['exp'] }],
    ['that is not valid yet', { claims: { nbf: nowSeconds + 1 } }],
    ['without a client', { without: ['client_id'] }],
    ['whose client is empty', { claims: { client_id: '' } }],
    ['whose client is not text', { claims: { client_id: 7 } }],
    ['without an issuer', { without: ['iss'] }],
    ['without an audience', { without: ['aud'] }],
    ['that is an ID token', { header: { typ: 'JWT' } }],
    ['that names no type', { header: { typ: undefined } }],
    ['that has b64 in its header (RFC 7797, section 7)', { header: { crit: ['b64'], b64: true } }],
    ['of a key that the issuer does not have', { header: { kid: 'unknown' } }],
    ['whose consent id is not text', { claims: { openbanking_intent_id: 7 } }],
    ['whose consent id is empty', { claims: { openbanking_intent_id: '' } }],
    ['bound in a way that cannot be checked', { claims: { cnf: { kid: 'abc' } } }],
    ['whose binding is null', { claims: { cnf: null } }],
    ['bound to a certificate that the client does not present', { claims: { cnf: { 'x5t#S256': 'abc' } } }],
  ])('%s is refused: 401 without a body, with a challenge and an interaction id', async (_name, token) => {
    expectChallenge(await signed(token));
  });

  it('signed with the right algorithm and a wrong key is refused', async () => {
    for (const alg of ['PS256', 'ES256'])
      expectChallenge(await signed({ header: { alg }, key: await privateJwk(alg, 'own') }));
  });

  it.each(['RS256', 'PS384', 'PS512', 'HS256', 'EdDSA', 'ES384'])('signed with %s is refused', async (alg) => {
    const key = alg === 'HS256' ? new Uint8Array(32).fill(7) : await privateJwk(alg, 'own');
    expectChallenge(await signed({ header: { alg }, key }));
  });

  it('that is not signed, or only seems to be, is refused', async () => {
    const [header = '', payload = '', signature = ''] = customer.token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const other = Buffer.from(JSON.stringify({ ...claims, client_id: 'tpp-two' })).toString('base64url');
    for (const token of [
      unsigned({ alg: 'none', typ: 'at+jwt' }, claims),
      unsigned({ alg: 'None', typ: 'at+jwt' }, claims, signature),
      `${header}.${payload}.`,
      unsigned({ alg: 'PS256', typ: 'at+jwt', crit: ['own'], own: 1 }, claims, signature),
      `${header}.${other}.${signature}`,
      `${header}.${payload}`,
      'garbage',
      'a.b.c',
    ])
      expectChallenge(await accounts(token));
  });

  it('that is missing gets a challenge without an error code (RFC 6750, section 3)', async () => {
    expectChallenge(await accounts(undefined), noCredential);
  });

  it.each(['Basic dHBwOnNlY3JldA==', 'Bearer', 'Bearer  ', 'Bearer a b', 'Negotiate x.y.z', ''])(
    'is missing in "Authorization: %s"',
    async (authorization) => {
      expectChallenge(await stack.ask('/accounts', { headers: { authorization } }));
    },
  );

  it('that was verified before is refused at the exact second at which it expires', async () => {
    const token = await forge.sign({ claims: { ...bound, exp: nowSeconds + 30 } });
    expect((await accounts(token)).status).toBe(200);
    stack.clock.set(noon + 29_999);
    expect((await accounts(token)).status).toBe(200);
    stack.clock.set(noon + 30_000);
    expectChallenge(await accounts(token));
  });

  it('is verified again after a minute, and still accepted', async () => {
    const token = await forge.sign({ claims: bound });
    for (const ms of [0, minuteMs - 1, minuteMs, 10 * minuteMs]) {
      stack.clock.set(noon + ms);
      expect((await accounts(token)).status).toBe(200);
    }
  });

  it('of a TPP (client credentials) opens no account information', async () => {
    for (const { AccountId } of customer.accounts)
      for (const path of ['/accounts', `/accounts/${AccountId}`, `/accounts/${AccountId}/balances`])
        expectChallenge(await stack.ask(path, { token: await stack.clientToken() }));
  });

  it('bound to a consent manages no consents: 403', async () => {
    const forbidden = oneError({ Code: '403 Forbidden', ErrorCode: 'UK.AIG.Token.Scope' });
    const one = `/account-access-consents/${customer.consentId}`;
    const payload = { Data: { Permissions: ['ReadAccountsBasic'] }, Risk: {} };
    const { token } = customer;
    for (const answer of [
      await stack.ask('/account-access-consents', { method: 'POST', token, payload }),
      await stack.ask(one, { token }),
      await stack.ask(one, { method: 'DELETE', token }),
    ])
      expect([answer.status, answer.json]).toEqual([403, forbidden]);
    expect((await stack.ask(one, { token: await stack.clientToken() })).json.Data.Status).toBe('Authorised');
  });

  it.each<[string, ForgedToken]>([
    ['with another scope', { claims: { scope: 'payments' } }],
    ['with a scope that only begins like it', { claims: { scope: 'accounts:read accountsplus' } }],
    ['with no scope', { without: ['scope'] }],
  ])('%s is refused with 403, on resources and on consents', async (_name, token) => {
    const forbidden = oneError({ Code: '403 Forbidden', ErrorCode: 'UK.AIG.Token.Scope' });
    expect((await signed(token)).json).toEqual(forbidden);
    const answer = await stack.ask(`/account-access-consents/${customer.consentId}`, {
      token: await forge.sign(token),
    });
    expect([answer.status, answer.json]).toEqual([403, forbidden]);
  });

  it("of another TPP finds a consent's data closed (401) and the consent itself forbidden (403)", async () => {
    expectChallenge(await signed({ claims: { client_id: 'tpp-two' } }));
    const token = await stack.clientToken('tpp-two');
    for (const method of ['GET', 'DELETE']) {
      const answer = await stack.ask(`/account-access-consents/${customer.consentId}`, { method, token });
      expect([answer.status, answer.json]).toEqual([
        403,
        oneError({ Code: '403 Forbidden', ErrorCode: 'UK.OBIE.Resource.ConsentMismatch', Path: 'ConsentId' }),
      ]);
    }
    expect((await accounts(customer.token)).status).toBe(200);
  });

  it('for a consent that does not exist is refused', async () => {
    expectChallenge(await signed({ claims: { openbanking_intent_id: 'aac-00000000-0000-0000-0000-000000000000' } }));
    expectChallenge(await signed({ claims: { openbanking_intent_id: 'nul\0byte' } }));
  });
});
