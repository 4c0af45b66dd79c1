import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { text } from './browser.js';
import { AuthorisationSetting, defaultPermissions, offeredKeys } from './setting.js';
import { strongAuthentication, type TestTpp } from './tpp.js';

describe('the embedded authorization server', () => {
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  beforeAll(async () => {
    setting = await AuthorisationSetting.start();
    tpp = await setting.tpp('tpp-one');
  });
  afterAll(() => setting.close());

  it('leads a customer of a FAPI 1.0 Advanced TPP from consent to data with openid-client over mutual TLS', async () => {
    const consentId = await tpp.createConsent(defaultPermissions);
    const begun = await tpp.begin(consentId);
    const browser = setting.browser();
    const signInPage = await browser.open(begun.url);
    expect([signInPage.status, text(signInPage.html)]).toEqual([200, expect.stringContaining('The tpp-one app')]);

    const choice = await setting.signIn(browser, signInPage, 'saver');
    const back = await browser.submit(choice, { account: offeredKeys(choice), decision: 'approve' });
    const tokens = await tpp.finish(begun, back.url);
    expect(tokens.claims()).toMatchObject({
      sub: consentId,
      openbanking_intent_id: consentId,
      acr: strongAuthentication,
      auth_time: expect.any(Number),
    });

    const accounts = await tpp.ask('/accounts', tokens.access_token);
    expect([accounts.status, accounts.json.Data.Account.length]).toEqual([
      200,
      setting.person('saver').accounts.length,
    ]);
  });

  it('issues RFC 9068 access tokens with the consent, its authorisation, the authentication and the certificate', async () => {
    const { accessToken, consentId } = await setting.access(tpp, 'saver');
    expect(decodeProtectedHeader(accessToken)).toMatchObject({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    expect(decodeJwt(accessToken)).toEqual({
      iss: setting.places.issuer,
      aud: setting.places.tppUrl,
      sub: consentId,
      client_id: 'tpp-one',
      scope: 'accounts',
      openbanking_intent_id: consentId,
      authorisation_id: expect.any(String),
      auth_time: expect.any(Number),
      acr: strongAuthentication,
      cnf: { 'x5t#S256': tpp.certified.thumbprint },
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: expect.any(Number),
    });
  });
});
