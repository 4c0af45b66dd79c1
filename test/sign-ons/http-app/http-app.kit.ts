import type { SignOnUnderTest } from '../../../packages/adapter-kit/sign-on/sign-on-kit.js';
import { createCustomerAuthentication } from '../../../src/customer-authentication/adapters/http/http.adapter.js';
import { sandboxSignOn } from '../http/sandbox-sign-on.js';

/** The adapter of the sandbox bank's protocol, for customers whom the bank's app asks. */
export const kit: SignOnUnderTest = {
  signOn: () => sandboxSignOn('+app'),
  create: createCustomerAuthentication,
  badSettings: { CUSTOMER_AUTHENTICATION_CREDENTIAL: [undefined] },
  without: {
    'SIGN-04': 'the app asks for no code',
    'SIGN-05': 'the app asks for no code',
    'SIGN-16': 'the protocol always has two factors',
    'SIGN-17': 'the protocol sends no browser elsewhere',
  },
};
