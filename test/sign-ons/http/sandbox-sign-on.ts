import type { OpenStep, TestCustomer, TestSignOn } from '../../../packages/adapter-kit/sign-on/sign-on-kit.js';
import { makeIssuerKeys } from '../../../sandbox/bank/issuer.js';
import { makePersonas } from '../../../sandbox/bank/personas/personas.js';
import { startSandboxBank } from '../../../sandbox/bank/sandbox-bank.js';
import { codeLifeMs } from '../../../sandbox/bank/sign-on.js';
import { strongAuthentication } from '../../../src/open-banking/authentication-classes.js';
import { codeFor } from '../../support/inbox.js';
import { RunningClock } from '../../support/running-clock.js';

/** The same for every bank, because making them takes longer than the rest of its start. */
const issuerKeys = makeIssuerKeys();
const personas = makePersonas(new RunningClock().nowMs());
const credential = 'sign-on-credential-0123456789abcdef';

/** The sandbox bank as a test sign-on. @param way behind each login name: a code is sent, or the app asks */
export async function sandboxSignOn(way: '' | '+app'): Promise<TestSignOn> {
  const clock = new RunningClock();
  const bank = await startSandboxBank({
    port: 0,
    credential: 'staff',
    signOnCredential: credential,
    issuerKeys: await issuerKeys,
    clock,
    makePersonas: () => personas,
  });
  const customer = (name: string, behind: string = way): TestCustomer => ({
    customerRef: bank.personas.find((one) => one.name === name)?.person.key ?? '',
    credentials: { loginName: `${name}${behind}`, password: `sandbox-${name}` },
  });
  /** The item of the app's page that shows the step's number. */
  const questionOf = async (step: OpenStep): Promise<string> => {
    const page = await (await fetch(`${bank.url}/app`)).text();
    const shown = step.step === 'wait' ? step.shown : '';
    return page.split('<h2>').find((one) => one.includes(`>${shown}</strong>`)) ?? '';
  };
  const press = async (step: OpenStep, answer: 'approved' | 'declined'): Promise<void> => {
    const [, action = ''] = new RegExp(`action="(/app/[\\w-]+/${answer})"`).exec(await questionOf(step)) ?? [];
    await fetch(bank.url + action, { method: 'POST', headers: { origin: bank.url }, redirect: 'manual' });
  };
  return {
    url: bank.signOnUrl,
    variables: { CUSTOMER_AUTHENTICATION_CREDENTIAL: credential },
    customer: customer('complete'),
    otherCustomer: customer('saver'),
    lockedCustomer: customer('complete', '+locked'),
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
    expire: async () => clock.advance(codeLifeMs),
    textInApp: questionOf,
    close: () => bank.close(),
  };
}
