import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kitServices } from '../../packages/adapter-kit/kit-services.js';
import { signOnHttp } from '../../packages/customer-authentication/sign-on-http.js';
import { createCustomerAuthentication } from '../../src/customer-authentication/adapters/oidc/oidc.adapter.js';
import { strongAuthentication } from '../../src/open-banking/authentication-classes.js';
import { closedOrigin } from '../../packages/adapter-kit/injected-faults.js';
import { until } from '../support/until.js';
import { BankProvider, providerClientId } from './bank-provider.js';

const returnTo = { url: 'https://gateway.example/as/sign-on/return', state: 'state' };
const clientSecret = 'secret-of-the-gateway-0123456789abcdef';

describe('a mistake in the settings of the OpenID provider', () => {
  let provider: BankProvider;
  beforeAll(async () => {
    provider = await BankProvider.at([]);
    await provider.open(returnTo.url, { client_secret: clientSecret });
  });
  afterAll(() => provider.stop());

  interface Given {
    readonly url?: string;
    readonly clientId?: string;
    readonly secret?: string;
  }

  /** @returns the lines of the log at the start, and the fault of the first sign-in */
  async function faultsOf({ url = provider.issuer, clientId = providerClientId, secret = clientSecret }: Given) {
    const warned: string[] = [];
    const logger = { ...kitServices.logger, warn: (_: object, message: string): void => void warned.push(message) };
    const variables = { CUSTOMER_AUTHENTICATION_CLIENT_ID: clientId, CUSTOMER_AUTHENTICATION_CREDENTIAL: secret };
    const services = { ...kitServices, http: signOnHttp, logger };
    const signOn = await createCustomerAuthentication({ url, variables }, services);
    const request = { purpose: 'dashboard', browser: { deviceCookie: 'd' }, returnTo, language: 'en' } as const;
    const begun = signOn.begin({ ...request, acrValues: [strongAuthentication] }, AbortSignal.timeout(60_000));
    const fault = await begun.then(
      () => 'none',
      (error: Error) => error.message,
    );
    await signOn.close();
    return { warned, fault };
  }

  it('does not exist in the right ones', async () => {
    expect(await faultsOf({})).toEqual({ warned: [], fault: 'none' });
  });

  it.each<[string, () => Promise<Given> | Given, string]>([
    [
      'an address where nothing listens',
      async () => ({ url: await closedOrigin() }),
      'the bank’s sign-on is unreachable at 127.0.0.1:',
    ],
    [
      'an address with a path too many',
      () => ({ url: `${provider.issuer}/realms/bank` }),
      'CUSTOMER_AUTHENTICATION_URL has no discovery document at /.well-known/openid-configuration (OAUTH_RESPONSE_IS_NOT_CONFORM)',
    ],
    [
      'another name of the same host',
      () => ({ url: provider.issuer.replace('127.0.0.1', 'localhost') }),
      'the OpenID provider’s discovery document names another issuer: set CUSTOMER_AUTHENTICATION_URL to that issuer, letter for letter',
    ],
  ])('is named at the start and at each sign-in: %s', async (_, given, words) => {
    const { warned, fault } = await faultsOf(await given());
    await until(() => warned.length > 0);
    expect(fault).toContain(words);
    expect(warned).toEqual([`no customer can sign in now: ${fault}`]);
  });

  it.each<[string, Given]>([
    ['another secret', { secret: 'another-secret-0123456789abcdefghijklmnop' }],
    ['a client id that the provider does not know', { clientId: 'another-client' }],
  ])('is named at the first sign-in, which is the first time that the gateway proves itself: %s', async (_, given) => {
    expect(await faultsOf(given)).toEqual({
      warned: [],
      fault: expect.stringMatching(
        /^the OpenID provider’s answer is refused .* compare CUSTOMER_AUTHENTICATION_CLIENT_ID/,
      ),
    });
  });
});
