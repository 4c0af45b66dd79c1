import { describeCustomerAuthentication } from '../../packages/adapter-kit/sign-on/sign-on-kit.js';
import { makeIssuerKeys } from '../../sandbox/bank/issuer.js';
import { startSandboxBank } from '../../sandbox/bank/sandbox-bank.js';
import { createCustomerAuthentication } from '../../src/customer-authentication/adapters/http/http.adapter.js';
import type { OpenStep, TestCustomer, TestSignOn } from '../../packages/adapter-kit/sign-on/sign-on-kit.js';
import { strongAuthentication } from '../../src/open-banking/authentication-classes.js';
import { codeFor } from '../support/inbox.js';

const credential = 'sign-on-credential-0123456789abcdef';

const person = (customerRef: string, name: string, way = ''): TestCustomer => ({
  customerRef,
  credentials: { loginName: `${name}${way}`, password: `sandbox-${name}` },
});

async function sandbox(way: '' | '+app'): Promise<TestSignOn> {
  const bank = await startSandboxBank({
    port: 0,
    credential: 'staff',
    signOnCredential: credential,
    issuerKeys: await makeIssuerKeys(),
  });
  const refOf = (name: string): string => bank.personas.find((one) => one.name === name)?.person.key ?? '';
  /** Answers the newest question that shows the step's number. */
  const press = async (step: OpenStep, answer: 'approved' | 'declined'): Promise<void> => {
    const page = await (await fetch(`${bank.url}/app`)).text();
    const shown = step.step === 'wait' ? step.shown : '';
    const item = page.split('<li>').find((one) => one.includes(`>${shown}</strong>`)) ?? '';
    const [, action = ''] = new RegExp(`action="(/app/[\\w-]+/${answer})"`).exec(item) ?? [];
    await fetch(bank.url + action, { method: 'POST', headers: { origin: bank.url }, redirect: 'manual' });
  };
  return {
    url: bank.signOnUrl,
    variables: { CUSTOMER_AUTHENTICATION_CREDENTIAL: credential },
    customer: person(refOf('complete'), 'complete', way),
    otherCustomer: person(refOf('saver'), 'saver', way),
    lockedCustomer: person(refOf('complete'), 'complete', '+locked'),
    acr: strongAuthentication,
    returnUrl: 'https://gateway.example/as/sign-on/return',
    act: async ({ credentials }, step, how) => {
      if (step.step === 'wait') {
        await press(step, how === 'refuse' ? 'declined' : 'approved');
        return { input: 'poll' };
      }
      const code = await codeFor(credentials?.loginName ?? '', bank.inboxUrl);
      return {
        input: 'code',
        code: how === 'wrong' ? code.replace(/\d/g, (one) => String((Number(one) + 1) % 10)) : code,
      };
    },
    close: () => bank.close(),
  };
}

const badSettings = { CUSTOMER_AUTHENTICATION_CREDENTIAL: [undefined] };

describeCustomerAuthentication('http, with codes', {
  signOn: () => sandbox(''),
  create: createCustomerAuthentication,
  badSettings,
  without: { 'SIGN-06': 'a customer who has a code cannot refuse' },
});

describeCustomerAuthentication('http, with the app', {
  signOn: () => sandbox('+app'),
  create: createCustomerAuthentication,
  badSettings,
  without: { 'SIGN-04': 'the app asks for no code', 'SIGN-05': 'the app asks for no code' },
});
