// Nightly: it tests the kit, a tool for banks, with wrong adapters.
import {
  CustomerAuthenticationUnavailable,
  type AuthenticationRequest,
  type CustomerAuthentication,
  type StepInput,
} from '../../../packages/customer-authentication/customer-authentication.js';
import { around, findsEach, type Make, type SignOnParts } from './wrong-sign-on.js';

/** Calls `tell` with the words of each request and input before the adapter gets them. */
function telling(tell: (words: string, parts: SignOnParts) => void): Make {
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

findsEach([
  [
    'SIGN-10',
    'takes a sign-on that is unreachable for a refusal',
    (adapter) =>
      around(adapter, { next: (ask, ...given) => ask(...given).catch(() => ({ step: 'refused', reason: 'wrong' })) }),
  ],
  [
    'SIGN-10',
    'throws another error than the port’s',
    (adapter) =>
      around(adapter, {
        next: (ask, ...given) =>
          ask(...given).catch(() => {
            throw new Error('the sign-on failed');
          }),
      }),
  ],
  [
    'SIGN-11',
    'repeats a password in a fault',
    faultsWith(({ signOn }) => signOn.customer.credentials?.password ?? ''),
    'http',
    'http-app',
  ],
  [
    'SIGN-11',
    'repeats a login name in a fault',
    faultsWith(({ signOn }) => signOn.customer.credentials?.loginName ?? ''),
    'http',
    'http-app',
  ],
  ['SIGN-11', 'repeats a code in a fault', faultsWith((_, given) => JSON.stringify(given)), 'http', 'oidc'],
  ['SIGN-11', 'repeats its settings in a fault', faultsWith(({ signOn }) => JSON.stringify(signOn.variables))],
  [
    'SIGN-13',
    'does not end a call when its signal fires',
    (adapter) => {
      const deaf = (): AbortSignal => new AbortController().signal;
      return around(adapter, {
        begin: (ask, request) => ask(request, deaf()),
        next: (ask, state, input) => ask(state, input, deaf()),
      });
    },
  ],
  ['SIGN-15', 'writes secrets to standard output', telling((words) => void process.stdout.write(`${words}\n`))],
  ['SIGN-15', 'writes secrets to its log', telling((words, { services }) => services.logger.debug({ words }, 'asked'))],
  [
    'SIGN-18',
    'leaves a timer behind after it is closed',
    (adapter) => {
      setInterval(() => undefined, 50).unref();
      return adapter;
    },
  ],
  [
    'SIGN-18',
    'does not close the HTTP client that it was lent',
    (adapter) => ({ ...around(adapter, {}), close: () => Promise.resolve() }),
  ],
  [
    'SIGN-19',
    'does not tell the app the TPP that asks, and the data',
    (adapter) => around(adapter, { begin: (ask, { asked: _, ...request }, signal) => ask(request, signal) }),
    'http-app',
  ],
  [
    'SIGN-20',
    'keeps the browser’s address and device cookie to itself',
    (adapter) =>
      around(adapter, {
        begin: (ask, request, signal) => ask({ ...request, browser: { deviceCookie: 'another' } }, signal),
      }),
    'http',
    'http-app',
  ],
]);
