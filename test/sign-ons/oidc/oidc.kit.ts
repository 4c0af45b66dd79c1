import type { SignOnUnderTest, TestSignOn } from '../../../packages/adapter-kit/sign-on/sign-on-kit.js';
import { createCustomerAuthentication } from '../../../src/customer-authentication/adapters/oidc/oidc.adapter.js';
import { strongAuthentication } from '../../../src/open-banking/authentication-classes.js';
import { BankProvider, providerClientId } from '../../authorisation/bank-provider.js';
import { Browser } from '../../authorisation/browser.js';

const returnUrl = 'https://gateway.example/as/sign-on/return';
const clientSecret = 'secret-of-the-gateway-0123456789abcdef';
const people = [
  { customerRef: 'C1', displayName: 'Amelia Hart' },
  { customerRef: 'C2', displayName: 'Dilip Rao' },
  { customerRef: 'C3', displayName: 'Weak Morgan', acr: 'password-only' },
] as const;

async function openIdProvider(): Promise<TestSignOn> {
  const provider = await BankProvider.at(people);
  await provider.open(returnUrl, { client_secret: clientSecret });
  const browsers: Browser[] = [];
  return {
    url: provider.issuer,
    variables: {
      CUSTOMER_AUTHENTICATION_CLIENT_ID: providerClientId,
      CUSTOMER_AUTHENTICATION_CREDENTIAL: clientSecret,
    },
    customer: people[0],
    otherCustomer: people[1],
    weakCustomer: people[2],
    acr: strongAuthentication,
    returnUrl,
    act: async ({ customerRef }, step, how) => {
      if (step.step !== 'redirect') throw new Error(`an OpenID provider has no step ${step.step}`);
      const browser = new Browser(provider.issuer, '');
      browsers.push(browser);
      const page = await browser.open(step.url);
      const { url } = await browser.submit(page, { customer: how === 'refuse' ? '' : customerRef });
      return { input: 'return', url: url.href };
    },
    expire: () => provider.expireCodes(),
    close: async () => {
      for (const browser of browsers) await browser.close();
      await provider.stop();
    },
  };
}

const asksItself = 'the provider asks for login name, password and code';

export const kit: SignOnUnderTest = {
  signOn: openIdProvider,
  create: createCustomerAuthentication,
  badSettings: {
    CUSTOMER_AUTHENTICATION_CLIENT_ID: [undefined],
    CUSTOMER_AUTHENTICATION_KEY_FILE: ['/nowhere.pem', import.meta.filename],
    CUSTOMER_AUTHENTICATION_CA_FILE: ['/nowhere.pem'],
    CUSTOMER_AUTHENTICATION_TLS_CERT_FILE: [import.meta.filename],
    CUSTOMER_AUTHENTICATION_METADATA_FILE: ['/nowhere.json', import.meta.filename],
    CUSTOMER_AUTHENTICATION_SCOPE: ['profile'],
  },
  without: {
    'SIGN-03': asksItself,
    'SIGN-04': asksItself,
    'SIGN-05': asksItself,
    'SIGN-07': 'the provider shows its own page to a customer who is locked out',
    'SIGN-19': 'the provider has no request of the gateway to show',
    'SIGN-20': 'the browser goes to the provider itself',
  },
};
