import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { tokenRevocation } from 'openid-client';
import type { TestTpp } from '../authorisation/tpp.js';
import { minuteMs } from '../support/stack.js';
import { until } from '../support/until.js';
import { ExternalSetting } from './setting.js';

const permissions = ['ReadAccountsBasic', 'ReadBalances', 'ReadBeneficiariesBasic'];
/** With the interval of the setting. */
const cacheMs = 2_000;

let setting: ExternalSetting;
let tpp: TestTpp;
let consentId: string;
let token: string;
let refreshToken: string;
let accountId: string;

async function start(): Promise<void> {
  setting = await ExternalSetting.start('opaque', [
    { clientId: 'tpp-a', binding: 'mtls' },
    { clientId: 'tpp-unbound', binding: 'none' },
  ]);
  tpp = await setting.tpp('tpp-a');
  ({ consentId, accessToken: token, refreshToken, accountId } = await setting.access(tpp, permissions));
}

const statusOf = async (of: string, from = tpp): Promise<number> => (await from.ask('/accounts', of)).status;
const beneficiaries = (of: string): Promise<number> =>
  tpp.ask(`/accounts/${accountId}/beneficiaries`, of).then(({ status }) => status);

describe("a bank's own authorization server that introspects its opaque tokens, over mutual TLS", () => {
  beforeAll(start);
  afterAll(() => setting.close());

  it('issues opaque tokens that open data: the gateway introspects them with its own certificate', async () => {
    expect(token).not.toContain('.');
    const { status, json } = await tpp.ask(`/accounts/${accountId}/balances`, token);
    expect([status, Object.keys(json.Data)]).toEqual([200, ['Balance']]);
    expect(await beneficiaries(token)).toBe(200);
  });

  it('binds its tokens: they fail with another certificate, and unbound ones are refused', async () => {
    expect(await statusOf(token, await setting.tpp('tpp-a'))).toBe(401);
    const unbound = await setting.tpp('tpp-unbound');
    expect(await statusOf(await unbound.ownToken(), unbound)).toBe(401);
  });

  it('does not know an altered token, which is refused', async () => {
    const { status, headers } = await tpp.ask('/accounts', `${token}x`);
    expect([status, headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="account-information", error="invalid_token", error_description="the token is not active"',
    ]);
  });

  it('does not reopen the window by a refresh, but by a re-authentication', async () => {
    setting.clock.advance(5 * minuteMs + 1_000);
    expect(await beneficiaries((await tpp.refresh(refreshToken)).access_token)).toBe(403);
    // The other process has the real time.
    setting.clock.advance(-5 * minuteMs - 1_000);
    const again = await setting.authorise(tpp, consentId, setting.stack.persona('complete').customerRef);
    expect(await beneficiaries(again.accessToken)).toBe(200);
  });

  it('can revoke a token, which is refused as soon as the last answer about it is too old', async () => {
    const { accessToken } = await setting.authorise(tpp, consentId, setting.stack.persona('complete').customerRef);
    expect(await statusOf(accessToken)).toBe(200);
    await tokenRevocation(await tpp.config(), accessToken);
    setting.clock.advance(cacheMs);
    expect(await statusOf(accessToken)).toBe(401);
    expect(await statusOf(token)).toBe(200);
  });

  it('cannot keep tokens alive whose consent the customer withdrew at the bank', async () => {
    const withdrawn = await tpp.createConsent(permissions);
    const { accessToken } = await setting.authorise(tpp, withdrawn, setting.customer('complete'));
    expect(await statusOf(accessToken)).toBe(200);
    await setting.stack.report(`/consents/${withdrawn}/revoke`, {});
    expect(await statusOf(accessToken)).toBe(401);
  });
});

describe("a bank's own authorization server", () => {
  beforeEach(start);
  afterEach(() => setting.close());

  it('may be unreachable: then a token is answered 503 and not 401', async () => {
    expect(await statusOf(token)).toBe(200);
    await setting.server.stop();
    setting.clock.advance(cacheMs);
    const away = await tpp.ask('/accounts', token);
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    await setting.server.start();
    // After a new start it has forgotten its tokens, but it answers.
    await until(async () => (await statusOf(token)) === 401);
  });
});
