import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { v4_0 } from '../../src/versions/v4.0/v4.0.js';
import { debtorOf, gbp } from '../funds/asks-for-funds.js';
import { text } from './browser.js';
import { AuthorisationSetting, defaultPermissions, offeredKeys } from './setting.js';
import type { StartedRequest, TestTpp } from './tpp.js';

const scope = 'fundsconfirmations';
const consents = `${v4_0.fundsPath}/funds-confirmation-consents`;

describe('a customer’s approval of checks of funds', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start();
    tpp = await setting.tpp('tpp-one', { metadata: { scope: 'openid accounts fundsconfirmations' } });
  });
  afterAll(() => setting.close());

  async function consentTo(persona: string): Promise<string> {
    const { DebtorAccount } = debtorOf(setting.stack, persona);
    const payload = { Data: { DebtorAccount } };
    const answer = await tpp.ask(consents, await tpp.ownToken(scope), { method: 'POST', payload });
    expect(answer.status).toBe(201);
    return answer.json.Data.ConsentId;
  }
  const begin = (consentId: string): Promise<StartedRequest> => tpp.begin(consentId, { scope: `openid ${scope}` });
  const statusOf = async (consentId: string): Promise<string> =>
    (await tpp.ask(`${consents}/${consentId}`, await tpp.ownToken(scope))).json.Data.Status;

  async function check(consentId: string, token: string, amount: string, Reference: string) {
    const payload = { Data: { ConsentId: consentId, Reference, InstructedAmount: gbp(amount) } };
    return tpp.ask(`${v4_0.fundsPath}/funds-confirmations`, token, { method: 'POST', payload });
  }

  it('shows the account that the TPP named, and leads to a token that asks for yes or no alone', async () => {
    const consentId = await consentTo('joint');
    const begun = await begin(consentId);
    const browser = setting.browser();
    const page = await setting.signIn(browser, await browser.open(begun.url), 'joint');
    expect(text(page.html)).toMatch(/Household \(joint\).*ending 0079/s);
    const { DebtorAccount, iban } = debtorOf(setting.stack, 'joint');
    for (const number of [DebtorAccount.Identification, '10010079', iban]) expect(page.html).not.toContain(number);
    expect(text(page.html)).toContain('yes or no');
    expect(text(page.html)).not.toContain('Grace only');
    expect(offeredKeys(page)).toEqual([]);
    const tokens = await tpp.finish(begun, (await browser.submit(page, { decision: 'approve' })).url);
    expect(decodeJwt(tokens.access_token)['scope']).toBe(scope);
    expect(await statusOf(consentId)).toBe('AUTH');
    const answers = [
      await check(consentId, tokens.access_token, '25.00', 'first'),
      await check(consentId, tokens.access_token, '2500.00', 'second'),
    ];
    expect(answers.map(({ json }) => json.Data.FundsAvailable)).toEqual([true, false]);
    expect((await tpp.ask('/accounts', tokens.access_token)).status).toBe(403);
    const refreshed = await tpp.refresh(tokens.refresh_token ?? '');
    expect((await check(consentId, refreshed.access_token, '1.00', 'third')).status).toBe(201);
  });

  it('can be given by either holder of a joint account', async () => {
    const consentId = await consentTo('joint');
    const begun = await begin(consentId);
    await tpp.finish(begun, await setting.approve(begun, 'partner'));
    expect(await statusOf(consentId)).toBe('AUTH');
  });

  it('is confirmed again while it is authorised, and then the new tokens alone ask', async () => {
    const consentId = await consentTo('joint');
    const given = async (): Promise<string> => {
      const begun = await begin(consentId);
      return (await tpp.finish(begun, await setting.approve(begun, 'joint'))).access_token;
    };
    const [former, token] = [await given(), await given()];
    expect((await check(consentId, former, '1.00', 'former')).status).toBe(401);
    expect((await check(consentId, token, '1.00', 'present')).status).toBe(201);
  });

  it('is not asked of a customer who does not hold the account', async () => {
    const consentId = await consentTo('joint');
    const browser = setting.browser();
    const page = await setting.signIn(browser, await browser.open((await begin(consentId)).url), 'saver');
    expect(text(page.html)).toContain('There is nothing to share');
    expect(page.html).not.toContain('value="approve"');
    expect(await statusOf(consentId)).toBe('AWAU');
  });

  it('is refused as a whole', async () => {
    const consentId = await consentTo('joint');
    const browser = setting.browser();
    const page = await setting.signIn(browser, await browser.open((await begin(consentId)).url), 'joint');
    await browser.submit(page, { decision: 'deny' });
    expect(await statusOf(consentId)).toBe('RJCT');
  });

  it('is ended in the dashboard, at once for the TPP', async () => {
    const consentId = await consentTo('joint');
    const begun = await begin(consentId);
    const { access_token: token } = await tpp.finish(begun, await setting.approve(begun, 'joint'));
    const browser = setting.browser();
    const overview = await setting.signIn(browser, await browser.open('/as/dashboard'), 'joint');
    expect(text(overview.html)).toMatch(/Checks of your funds since .*Whether you have enough money for an amount/s);
    const confirmation = await browser.open(`/as/dashboard/withdraw/${consentId}`);
    expect(text(confirmation.html)).toContain('can no longer ask');
    for (const { html } of [overview, confirmation]) expect(html).not.toMatch(/10010079(?!\w)/);
    await browser.submit(confirmation, { decision: 'continue' }, consentId);
    expect(await statusOf(consentId)).toBe('CANC');
    expect((await check(consentId, token, '1.00', 'after')).status).toBe(400);
    const again = await browser.open((await begin(consentId)).url);
    expect(again.url.href).toContain('error=invalid_request');
  });

  it('is asked with the scope of its kind alone', async () => {
    const [funds, access] = [await consentTo('joint'), await tpp.createConsent(defaultPermissions)];
    const browser = setting.browser();
    for (const [consentId, wrong] of [
      [funds, 'openid accounts'],
      [access, `openid ${scope}`],
    ] as const) {
      const { url } = await tpp.begin(consentId, { scope: wrong });
      expect((await browser.open(url)).url.href).toContain('error=invalid_scope');
    }
  });

  it('is for TPPs that are registered for the scope', async () => {
    const plain = await setting.tpp('tpp-two');
    const refused = await plain.post('token', { grant_type: 'client_credentials', scope });
    expect([refused.status, refused.json.error]).toEqual([400, 'invalid_scope']);
    await expect(plain.ownToken()).resolves.toBeTruthy();
  });
});

describe('a bank that confirms no funds', () => {
  it('offers no scope for it, and gives no token of it', async () => {
    const setting = await AuthorisationSetting.start({ rules: { timeZone: 'Europe/London' } });
    try {
      const tpp = await setting.tpp('tpp-one', { metadata: { scope: 'openid accounts fundsconfirmations' } });
      expect((await tpp.config()).serverMetadata().scopes_supported).toEqual(['openid', 'accounts']);
      await expect(tpp.ownToken(scope)).rejects.toMatchObject({ error: 'invalid_scope' });
    } finally {
      await setting.close();
    }
  });
});
