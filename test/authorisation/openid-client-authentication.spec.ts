import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClientMetadata } from 'oidc-provider';
import { exportJWK, exportPKCS8, generateKeyPair } from 'jose';
import { kitServices } from '../../packages/adapter-kit/kit-services.js';
import { signOnHttp } from '../../packages/customer-authentication/sign-on-http.js';
import { createCustomerAuthentication } from '../../src/customer-authentication/adapters/oidc/oidc.adapter.js';
import { CertificateAuthority } from '../support/certificates.js';
import { temporaryFile } from '../support/temporary-file.js';
import { RunningClock } from '../support/running-clock.js';
import { BankProvider, providerClientId } from './bank-provider.js';
import { Browser, text, type Page } from './browser.js';
import { AuthorisationSetting, defaultPermissions, offeredKeys } from './setting.js';
import type { TestTpp } from './tpp.js';

/** The settings of the gateway, and how the provider knows it. */
interface Way {
  readonly variables: Readonly<Record<string, string>>;
  readonly terms: Partial<ClientMetadata>;
}

type MakeWay = (authority: CertificateAuthority) => Promise<Way>;

const byKey =
  (alg: 'ES256' | 'PS256'): MakeWay =>
  async () => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    return {
      variables: {
        CUSTOMER_AUTHENTICATION_KEY_FILE: await temporaryFile('client.pem', await exportPKCS8(privateKey)),
        CUSTOMER_AUTHENTICATION_KEY_ID: 'gateway-key',
      },
      terms: {
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: alg,
        jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: 'gateway-key', alg, use: 'sig' }] },
      },
    };
  };

const byCertificate =
  (clientName: string): MakeWay =>
  async (authority) => {
    const { certificatePem, keyPem } = authority.issue('the gateway');
    return {
      variables: {
        CUSTOMER_AUTHENTICATION_TLS_CERT_FILE: await temporaryFile('client-cert.pem', certificatePem),
        CUSTOMER_AUTHENTICATION_TLS_KEY_FILE: await temporaryFile('client-key.pem', keyPem),
      },
      terms: { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: `CN=${clientName}` },
    };
  };

describe.each<[string, MakeWay, 'serves' | 'refuses']>([
  ['an assertion that an elliptic-curve key signs', byKey('ES256'), 'serves'],
  ['an assertion that an RSA key signs', byKey('PS256'), 'serves'],
  ['the certificate of mutual TLS', byCertificate('the gateway'), 'serves'],
  ['the certificate of another client', byCertificate('another client'), 'refuses'],
])('a gateway that proves itself to the bank’s OpenID provider by %s', (_what, makeWay, outcome) => {
  let provider: BankProvider;
  let setting: AuthorisationSetting;
  let tpp: TestTpp;
  let browser: Browser;
  const people: { customerRef: string; displayName: string }[] = [];
  beforeAll(async () => {
    const clock = new RunningClock();
    const services = { ...kitServices, http: signOnHttp, clock };
    const authority = new CertificateAuthority('the authority of the bank');
    provider = await BankProvider.at(people, authority);
    const { variables: own, terms } = await makeWay(authority);
    const variables = {
      CUSTOMER_AUTHENTICATION_CLIENT_ID: providerClientId,
      CUSTOMER_AUTHENTICATION_CA_FILE: await temporaryFile('ca.pem', authority.certificatePem),
      ...own,
    };
    const signOn = await createCustomerAuthentication({ url: provider.issuer, variables }, services);
    setting = await AuthorisationSetting.start({ signOn, clock });
    people.push(setting.person('saver'));
    const { origin } = new URL(setting.places.issuer);
    await provider.open(`${origin}/as/sign-on/return`, terms);
    tpp = await setting.tpp('tpp-one');
    browser = new Browser(origin, `${setting.places.ca}\n${authority.certificatePem}`);
    browser.follows = (url) => [origin, provider.issuer].includes(url.origin);
  });
  afterAll(async () => {
    await browser?.close();
    await setting?.close();
    await provider?.stop();
  });

  it(outcome === 'serves' ? 'serves a whole journey' : 'cannot begin a sign-in, and says so', async () => {
    const begun = await tpp.begin(await tpp.createConsent(defaultPermissions));
    const atBank: Page = await browser.submit(await browser.open(begun.url), {});
    if (outcome === 'refuses') {
      expect(text(atBank.html)).toContain('We cannot check your details at the moment');
      expect(setting.stack.log.findLast((line) => line.includes('failed a request'))).toMatch(/OAUTH_RESPONSE_BODY/);
      return;
    }
    const choice = await browser.submit(atBank, { customer: setting.person('saver').customerRef });
    const { url } = await browser.submit(choice, { account: offeredKeys(choice), decision: 'approve' });
    const tokens = await tpp.finish(begun, url);
    expect((await tpp.ask('/accounts', tokens.access_token)).status).toBe(200);
  });
});
