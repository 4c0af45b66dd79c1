// Nightly: it needs glewlwyd.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kitServices } from '../../packages/adapter-kit/kit-services.js';
import type {
  AuthenticationRequest,
  CustomerAuthentication,
} from '../../packages/customer-authentication/customer-authentication.js';
import { signOnHttp } from '../../packages/customer-authentication/sign-on-http.js';
import { createCustomerAuthentication } from '../../src/customer-authentication/adapters/oidc/oidc.adapter.js';
import { Glewlwyd, glewlwydIsInstalled } from './glewlwyd.js';

// eslint-disable-next-line no-console -- that nothing was tried must be seen
if (!glewlwydIsInstalled) console.warn('Debian’s glewlwyd is absent: NO OpenID provider but oidc-provider is tried');

const returnTo = { url: 'https://gateway.example/as/sign-on/return', state: 'state-of-this-sign-in-0123456789' };
const amelia = { username: 'amelia', name: 'Amelia Hart', password: 'password of Amelia' };
const secret = 'b6a1f0c4d29e4857a3c1f0b7e8d2946c';
const never = new AbortController().signal;
const request: AuthenticationRequest = {
  purpose: 'dashboard',
  browser: { deviceCookie: 'd'.repeat(43) },
  returnTo,
  acrValues: ['urn:openbanking:psd2:sca'],
  language: 'en-GB',
};

(glewlwydIsInstalled ? describe : describe.skip)('a provider that is not oidc-provider: Glewlwyd', () => {
  let provider: Glewlwyd;
  let signOn: CustomerAuthentication;
  beforeAll(async () => {
    provider = await Glewlwyd.start({ id: 'gateway', secret, redirectUri: returnTo.url }, [amelia]);
    const variables = {
      CUSTOMER_AUTHENTICATION_CLIENT_ID: 'gateway',
      CUSTOMER_AUTHENTICATION_CREDENTIAL: secret,
      CUSTOMER_AUTHENTICATION_SCOPE: 'openid',
    };
    const services = { ...kitServices, http: signOnHttp };
    signOn = await createCustomerAuthentication({ url: provider.issuer, variables }, services);
  });
  afterAll(async () => {
    await signOn?.close();
    await provider?.close();
  });

  const begun = async () => {
    const step = await signOn.begin(request, never);
    if (step.step !== 'redirect') throw new Error(`the step is ${step.step}`);
    return step;
  };

  it('takes the pushed request and the code, and is refused because it states no time of authentication', async () => {
    const step = await begun();
    expect(new URL(step.url).searchParams.get('request_uri')).toMatch(/^urn:/);
    const url = await provider.signIn(step.url, amelia);
    expect(url).toMatch(/[?&]code=/);
    // Its ID token has a right signature, issuer, audience and nonce. Its auth_time is 0, and it has no acr.
    await expect(signOn.continue(step.state, { input: 'return', url }, never)).rejects.toThrow(
      'the OpenID provider’s answer is refused (OAUTH_JWT_TIMESTAMP_CHECK_FAILED)',
    );
  });

  it('has its own code refused when it comes back a second time', async () => {
    const step = await begun();
    const input = { input: 'return', url: await provider.signIn(step.url, amelia) } as const;
    const twice = [1, 2].map(() => signOn.continue(step.state, input, never));
    for (const result of await Promise.allSettled(twice)) expect(result.status).toBe('rejected');
  });
});
