import type { SignOnUnderTest } from '../../../packages/adapter-kit/sign-on/sign-on-kit.js';
import { createCustomerAuthentication } from '../../../src/customer-authentication/adapters/http/http.adapter.js';
import { sandboxSignOn } from './sandbox-sign-on.js';

/** The adapter of the sandbox bank's protocol, for customers to whom a code is sent. */
export const kit: SignOnUnderTest = {
  signOn: () => sandboxSignOn(''),
  create: createCustomerAuthentication,
  badSettings: { CUSTOMER_AUTHENTICATION_CREDENTIAL: [undefined] },
  without: {
    'SIGN-06': 'a customer who has a code cannot refuse',
    'SIGN-16': 'the protocol always has two factors',
    'SIGN-17': 'the protocol sends no browser elsewhere',
    'SIGN-19': 'a code is sent without an app',
  },
};
