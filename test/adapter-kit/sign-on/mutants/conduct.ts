import {
  CustomerAuthenticationUnavailable,
  type AuthenticationRequest,
  type CustomerAuthentication,
  type StepInput,
} from '../../../../packages/customer-authentication/customer-authentication.js';
import { around, type SignOnMutant, type SignOnParts, unlessFirst, withoutCredentials } from './mutant.js';

/** Calls `tell` with the words of each request and input before the adapter gets them. */
function telling(tell: (words: string, parts: SignOnParts) => void): SignOnMutant['make'] {
  return (adapter, parts) =>
    around(adapter, {
      begin: (ask, request, signal) => {
        tell(JSON.stringify(request.credentials ?? parts.signOn.variables), parts);
        return ask(request, signal);
      },
      next: (ask, state, input, signal) => {
        tell(JSON.stringify(input), parts);
        return ask(state, input, signal);
      },
    });
}

/** Repeats words in each fault. */
function faultsWith(words: (parts: SignOnParts, given: AuthenticationRequest | StepInput) => string) {
  return (adapter: CustomerAuthentication, parts: SignOnParts): CustomerAuthentication => {
    const said = (given: AuthenticationRequest | StepInput) => (): never => {
      throw new CustomerAuthenticationUnavailable(`the sign-on failed: ${words(parts, given)}`);
    };
    return around(adapter, {
      begin: (ask, request, signal) => ask(request, signal).catch(said(request)),
      next: (ask, state, input, signal) => ask(state, input, signal).catch(said(input)),
    });
  };
}

export const mutantsOfConduct: readonly SignOnMutant[] = [
  {
    does: 'takes a sign-on that is unreachable for a refusal',
    clauses: ['SIGN-10'],
    make: (adapter) =>
      around(adapter, { next: (ask, ...given) => ask(...given).catch(() => ({ step: 'refused', reason: 'wrong' })) }),
  },
  {
    does: 'throws another error than the port’s',
    clauses: ['SIGN-10'],
    make: (adapter) =>
      around(adapter, {
        next: (ask, ...given) =>
          ask(...given).catch(() => {
            throw new Error('the sign-on failed');
          }),
      }),
  },
  {
    does: 'repeats a password in a fault',
    clauses: ['SIGN-11'],
    hindrance: withoutCredentials,
    make: faultsWith(({ signOn }) => signOn.customer.credentials?.password ?? ''),
  },
  {
    does: 'repeats a login name in a fault',
    clauses: ['SIGN-11'],
    hindrance: withoutCredentials,
    make: faultsWith(({ signOn }) => signOn.customer.credentials?.loginName ?? ''),
  },
  {
    does: 'repeats a code in a fault',
    clauses: ['SIGN-11'],
    hindrance: unlessFirst('code', 'redirect'),
    make: faultsWith((_, given) => JSON.stringify(given)),
  },
  {
    does: 'repeats its settings in a fault',
    clauses: ['SIGN-11'],
    make: faultsWith(({ signOn }) => JSON.stringify(signOn.variables)),
  },
  {
    does: 'does not end a call when its signal fires',
    clauses: ['SIGN-13'],
    make: (adapter) => {
      const deaf = (): AbortSignal => new AbortController().signal;
      return around(adapter, {
        begin: (ask, request) => ask(request, deaf()),
        next: (ask, state, input) => ask(state, input, deaf()),
      });
    },
  },
  {
    does: 'writes secrets to standard output',
    clauses: ['SIGN-15'],
    make: telling((words) => void process.stdout.write(`${words}\n`)),
  },
  {
    does: 'writes secrets to its log',
    clauses: ['SIGN-15'],
    make: telling((words, { services }) => services.logger.debug({ words }, 'asked')),
  },
  {
    does: 'leaves a timer behind after it is closed',
    clauses: ['SIGN-18'],
    make: (adapter) => {
      setInterval(() => undefined, 50).unref();
      return adapter;
    },
  },
  {
    does: 'does not close the HTTP client that it was lent',
    clauses: ['SIGN-18'],
    make: (adapter) => ({ ...around(adapter, {}), close: () => Promise.resolve() }),
  },
  {
    does: 'does not tell the app the TPP that asks, and the data',
    clauses: ['SIGN-19'],
    hindrance: unlessFirst('wait'),
    make: (adapter) => around(adapter, { begin: (ask, { asked: _, ...request }, signal) => ask(request, signal) }),
  },
  {
    does: 'keeps the browser’s address and device cookie to itself',
    clauses: ['SIGN-20'],
    hindrance: unlessFirst('code', 'wait'),
    make: (adapter) =>
      around(adapter, {
        begin: (ask, request, signal) => ask({ ...request, browser: { deviceCookie: 'another' } }, signal),
      }),
  },
];
