import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JWK } from 'jose';
import type { TestTpp } from '../authorisation/tpp.js';
import { dayMs, minuteMs } from '../support/stack.js';
import { privateJwk, TokenForge, unsigned } from '../support/token-forge.js';
import { claims, ExternalSetting } from './setting.js';

const permissions = ['ReadAccountsBasic', 'ReadBalances', 'ReadBeneficiariesBasic'];
const hourMs = 60 * minuteMs;

let setting: ExternalSetting;
let tpp: TestTpp;
let other: TestTpp;
let consentId: string;
let token: string;
let refreshToken: string;
let accountId: string;

async function start(): Promise<void> {
  setting = await ExternalSetting.start(
    'jwt',
    [
      { clientId: 'tpp-a', binding: 'mtls' },
      { clientId: 'tpp-b', binding: 'mtls' },
      { clientId: 'tpp-unbound', binding: 'none' },
    ],
    { acrValues: ['two-factors'], subjectIsCustomer: true },
  );
  tpp = await setting.tpp('tpp-a');
  other = await setting.tpp('tpp-b');
  ({ consentId, accessToken: token, refreshToken, accountId } = await setting.access(tpp, permissions));
}

const beneficiaries = (of: string): Promise<number> =>
  tpp.ask(`/accounts/${accountId}/beneficiaries`, of).then(({ status }) => status);
const forged = (
  keys = setting.keys,
  over: { claims?: object; header?: object; without?: string[] } = {},
): Promise<string> =>
  new TokenForge(keys, setting.server.issuer, 'https://gateway.example', () => setting.clock.nowMs()).sign({
    header: over.header ?? {},
    without: ['client_id', ...(over.without ?? [])],
    claims: {
      sub: setting.stack.persona('complete').customerRef,
      azp: 'tpp-a',
      bank: { consent: consentId },
      sca: { at: Math.floor(setting.clock.nowMs() / 1_000), level: 'two-factors' },
      cnf: confirmation(),
      ...over.claims,
    },
  });
const payload = (): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
const confirmation = (): unknown => payload()['cnf'];

describe("a bank's own authorization server that signs its tokens", () => {
  beforeAll(start);
  afterAll(() => setting.close());

  it('issues tokens with its own claim names, which open data', async () => {
    expect(payload()).toMatchObject({
      azp: 'tpp-a',
      bank: { consent: consentId },
      sca: { level: 'two-factors' },
      cnf: { 'x5t#S256': expect.any(String) },
    });
    expect(payload()).not.toHaveProperty('openbanking_intent_id');
    expect(Object.values(claims)).toContain('bank.consent');
    const { status, json } = await tpp.ask(`/accounts/${accountId}/balances`, token);
    expect([status, Object.keys(json.Data)]).toEqual([200, ['Balance']]);
    expect(await beneficiaries(token)).toBe(200);
  });

  it('reported the customer’s decision to the gateway through the bank-facing API', async () => {
    const { json } = await setting.stack.report(`/consents/${consentId}`);
    expect(json).toMatchObject({
      Status: 'authorised',
      TppId: 'tpp-a',
      TppIssuer: setting.server.issuer,
      CustomerRef: setting.stack.persona('complete').customerRef,
    });
  });

  it("issues tokens that fail with another TPP's certificate, and with another certificate of the same TPP", async () => {
    const twin = await setting.tpp('tpp-a');
    for (const thief of [other, twin]) {
      const { status, headers } = await thief.ask('/accounts', token);
      expect([status, headers.get('www-authenticate')]).toEqual([
        401,
        'Bearer realm="account-information", error="invalid_token", error_description="the token is bound to another certificate"',
      ]);
    }
  });

  it('must bind its tokens, because an unbound one is refused', async () => {
    const unbound = await setting.tpp('tpp-unbound');
    const { status, headers } = await unbound.ask('/accounts', await unbound.ownToken());
    expect([status, headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('the token is not bound to a certificate'),
    ]);
  });

  it('cannot reopen the window after five minutes by a refresh, only by a re-authentication', async () => {
    setting.clock.advance(5 * minuteMs + 1_000);
    expect(await beneficiaries(token)).toBe(403);
    // A new token of the same authentication.
    expect(await beneficiaries((await tpp.refresh(refreshToken)).access_token)).toBe(403);
    setting.clock.advance(-5 * minuteMs - 1_000);
    await setting.authorise(tpp, consentId, setting.stack.persona('complete').customerRef);
    expect(await beneficiaries(token)).toBe(200);
  });

  it('can close the window by the time in its token, and cannot keep it open', async () => {
    const at = (agoMs: number) => ({
      sca: { at: Math.floor((setting.clock.nowMs() - agoMs) / 1_000), level: 'two-factors' },
    });
    expect(await beneficiaries(await forged(setting.keys, { claims: at(0) }))).toBe(200);
    expect(await beneficiaries(await forged(setting.keys, { claims: at(6 * minuteMs) }))).toBe(403);
    setting.clock.advance(6 * minuteMs);
    expect(await beneficiaries(await forged(setting.keys, { claims: at(0) }))).toBe(403);
    setting.clock.advance(-6 * minuteMs);
  });

  it.each([
    ['another audience', { claims: { aud: 'https://other.example' } }],
    ['another issuer', { claims: { iss: 'https://other.example' } }],
    ['an acr that is too weak', { claims: { sca: { at: 1, level: 'password' } } }],
    ['another customer', { claims: { sub: 'somebody-else' } }],
    ['no customer', { without: ['sub'], claims: {} }],
    ['no client in its claim', { claims: { azp: undefined } }],
    ['another type', { header: { typ: 'JWT' } }],
    ['an authentication time that is not a number', { claims: { sca: { at: 'now', level: 'two-factors' } } }],
  ])('cannot have a token accepted that has %s', async (_, over) => {
    expect((await tpp.ask('/accounts', await forged(setting.keys, over))).status).toBe(401);
    expect((await tpp.ask('/accounts', await forged())).status).toBe(200);
  });

  it('issues tokens that are refused where they are unsigned or signed with RS256, or with ES256, which is not configured', async () => {
    const withoutSignature = unsigned({ alg: 'none', typ: 'at+jwt' }, payload());
    expect((await tpp.ask('/accounts', withoutSignature)).status).toBe(401);
    for (const alg of ['RS256', 'ES256']) {
      const key = await privateJwk(alg, 'first');
      const signed = await forged([key], { header: { alg } });
      expect((await tpp.ask('/accounts', signed)).status).toBe(401);
    }
  });
});

describe("a bank's own authorization server", () => {
  beforeEach(start);
  afterEach(() => setting.close());

  it('may be unreachable: known keys still verify tokens, unknown ones are 503, and a new key is found on its return', async () => {
    await setting.server.stop();
    setting.clock.advance(20 * minuteMs);
    expect((await tpp.ask('/accounts', await forged())).status).toBe(200);
    const second: JWK = await privateJwk('PS256', 'second');
    const signedAnew = await forged([second]);
    const away = await tpp.ask('/accounts', signedAnew);
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);

    // Rotation: the new key signs, and the old key is still published.
    await setting.server.start({ keys: [second, ...setting.keys] });
    setting.clock.advance(11_000);
    expect((await tpp.ask('/accounts', signedAnew)).status).toBe(200);
    expect((await tpp.ask('/accounts', await forged())).status).toBe(200);

    // The old key is withdrawn: when the gateway fetches the keys again, it does not accept the old key any more.
    await setting.server.stop();
    await setting.server.start({ keys: [second] });
    setting.clock.advance(6 * minuteMs);
    // The gateway fetches in the background of the requests.
    let withdrawn = 0;
    for (let asked = 0; withdrawn !== 401 && asked < 100; asked++)
      withdrawn = (await tpp.ask('/accounts', await forged())).status;
    expect(withdrawn).toBe(401);
    expect((await tpp.ask('/accounts', await forged([second]))).status).toBe(200);
  });

  it('is not trusted for ever while it is unreachable: after a day its keys are fetched before they are used', async () => {
    await setting.server.stop();
    setting.clock.advance(dayMs + hourMs);
    const late = await tpp.ask('/accounts', await forged());
    expect(late.status).toBe(503);
  });
});
