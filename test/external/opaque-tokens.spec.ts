import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { minuteMs } from '../support/stack.js';
import { until } from '../support/until.js';
import { ExternalSetting } from './setting.js';
import type { Tpp } from './tpp.js';

const permissions = ['ReadAccountsBasic', 'ReadBalances', 'ReadBeneficiariesBasic'];
/** With the interval of the setting. */
const cacheMs = 2_000;

let setting: ExternalSetting;
let tpp: Tpp;
let consentId: string;
let token: string;
let refreshToken: string;
let anAccount: string;

async function start(): Promise<void> {
  setting = await ExternalSetting.start('opaque', [
    { clientId: 'tpp-a', binding: 'mtls' },
    { clientId: 'tpp-unbound', binding: 'none' },
  ]);
  tpp = await setting.tpp('tpp-a');
  consentId = await tpp.createConsent(permissions);
  ({ accessToken: token, refreshToken } = await tpp.authorise(consentId, setting.customer('complete')));
  const { json } = await tpp.ask('GET', '/accounts', token);
  anAccount = (json as { Data: { Account: { AccountId: string }[] } }).Data.Account[0]?.AccountId ?? '';
}

const statusOf = async (of: string, from = tpp): Promise<number> => (await from.ask('GET', '/accounts', of)).status;
const beneficiaries = (of: string): Promise<number> =>
  tpp.ask('GET', `/accounts/${anAccount}/beneficiaries`, of).then(({ status }) => status);

describe("a bank's own authorization server that introspects its opaque tokens, over mutual TLS", () => {
  beforeAll(start);
  afterAll(() => setting.close());

  it('issues opaque tokens that open data: the gateway introspects them with its own certificate', async () => {
    expect(token).not.toContain('.');
    const { status, json } = await tpp.ask('GET', `/accounts/${anAccount}/balances`, token);
    expect([status, Object.keys((json as { Data: object }).Data)]).toEqual([200, ['Balance']]);
    expect(await beneficiaries(token)).toBe(200);
  });

  it('binds its tokens: they fail with another certificate, and unbound ones are refused', async () => {
    expect(await statusOf(token, await setting.tpp('tpp-a'))).toBe(401);
    const unbound = await setting.tpp('tpp-unbound', 'none');
    expect(await statusOf(await unbound.ownToken(), unbound)).toBe(401);
  });

  it('does not know an altered token, which is refused', async () => {
    const { status, headers } = await tpp.ask('GET', '/accounts', `${token}x`);
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      'Bearer realm="account-information", error="invalid_token", error_description="the token is not active"',
    ]);
  });

  it('does not reopen the window by a refresh, but by a re-authentication', async () => {
    setting.clock.advance(5 * minuteMs + 1_000);
    expect(await beneficiaries(await tpp.refresh(refreshToken))).toBe(403);
    // The other process has the real time.
    setting.clock.advance(-5 * minuteMs - 1_000);
    const again = await tpp.authorise(consentId, setting.stack.persona('complete').customerRef);
    expect(await beneficiaries(again.accessToken)).toBe(200);
  });

  it('can revoke a token, which is refused as soon as the last answer about it is too old', async () => {
    const { accessToken } = await tpp.authorise(consentId, setting.stack.persona('complete').customerRef);
    expect(await statusOf(accessToken)).toBe(200);
    await tpp.revoke(accessToken);
    setting.clock.advance(cacheMs);
    expect(await statusOf(accessToken)).toBe(401);
    expect(await statusOf(token)).toBe(200);
  });

  it('cannot keep tokens alive whose consent the customer withdrew at the bank', async () => {
    const withdrawn = await tpp.createConsent(permissions);
    const { accessToken } = await tpp.authorise(withdrawn, setting.customer('complete'));
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
    const away = await tpp.ask('GET', '/accounts', token);
    expect([away.status, away.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    await setting.server.start();
    // After a new start it has forgotten its tokens, but it answers.
    await until(async () => (await statusOf(token)) === 401);
  });
});
