import type { SignOnUnderTest } from '../../packages/adapter-kit/sign-on/sign-on-kit.js';
import { createCustomerAuthentication } from './template.adapter.js';

/** The description of the sign-on template for the kit: see docs/bank/walks/sign-on.md. */
export const kit: SignOnUnderTest = {
  signOn: () =>
    // 1. Start the test sign-on here, or take hold of one that runs: no server listens there.
    Promise.resolve({
      url: 'http://127.0.0.1:9',
      variables: { CUSTOMER_AUTHENTICATION_CREDENTIAL: 'a-credential-of-the-test-sign-on' },
      // 2. Two of its customers. Where the adapter asks for no credentials, leave `credentials` out.
      customer: { customerRef: 'C1', credentials: { loginName: 'customer-one', password: 'password of one' } },
      otherCustomer: { customerRef: 'C2', credentials: { loginName: 'customer-two', password: 'password of two' } },
      acr: 'urn:openbanking:psd2:sca',
      returnUrl: 'https://gateway.example/as/sign-on/return',
      // 3. Act as the customer at each step: type the code, answer in the app, come back from the bank's own sign-on.
      act: () => Promise.reject(new Error('the kit cannot act as the customer yet')),
      close: () => Promise.resolve(),
    }),
  create: createCustomerAuthentication,
  // 4. Bad values of each setting.
  badSettings: { CUSTOMER_AUTHENTICATION_CREDENTIAL: [undefined] },
  // 5. `lockedCustomer`, `weakCustomer`, `expire` and `textInApp` in `signOn` show further clauses: see their comments.
  // 6. Clauses that cannot hold, each with its reason.
  without: {},
};
