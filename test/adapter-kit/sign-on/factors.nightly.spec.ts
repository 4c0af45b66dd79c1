// Nightly: it tests the kit, a tool for banks, with wrong adapters.
import { expect, it } from '@jest/globals';
import type { Step, StepInput } from '../../../packages/customer-authentication/customer-authentication.js';
import { kit as http } from '../../sign-ons/http/http.kit.js';
import {
  around,
  findsEach,
  inventedResult,
  mistakeInSteps,
  noting,
  outcomeOf,
  type Make,
  type SignOnParts,
  wrongKit,
} from './wrong-sign-on.js';

function isKnownTo({ signOn }: SignOnParts, loginName: string | undefined): boolean {
  const { customer, otherCustomer, lockedCustomer } = signOn;
  return [customer, otherCustomer, lockedCustomer].some((one) => one?.credentials?.loginName === loginName);
}

/** Changes the first step of a login name that the sign-on does not know. */
function forUnknown(change: (step: Step) => Step): Make {
  return (adapter, parts) =>
    around(adapter, {
      begin: async (ask, request, signal) => {
        const step = await ask(request, signal);
        return isKnownTo(parts, request.credentials?.loginName) ? step : change(step);
      },
    });
}

const anotherDestination = forUnknown((step) =>
  step.step === 'code' ? { ...step, sentTo: `${step.sentTo}, perhaps` } : step,
);
const invented = ({ signOn }: SignOnParts): Step => inventedResult(signOn.customer, signOn.acr);
const wrong = (): Step => ({ step: 'refused', reason: 'wrong' });

/** Answers a refusal for this reason by another step. */
function inPlaceOf(
  reason: Extract<Step, { step: 'refused' }>['reason'],
  instead: (parts: SignOnParts, input: StepInput) => Step,
): Make {
  return mistakeInSteps((step, parts, input) =>
    step.step === 'refused' && step.reason === reason ? instead(parts, input) : step,
  );
}

findsEach([
  [
    'SIGN-04',
    'accepts a wrong code',
    inPlaceOf('wrong', (parts, input) => (input.input === 'code' ? invented(parts) : wrong())),
    'http',
  ],
  [
    'SIGN-04',
    'does not let a customer correct a code',
    (adapter) => {
      const failed = new Set<string>();
      return around(adapter, {
        next: async (ask, state, input, signal) => {
          if (failed.has(state)) return { step: 'refused', reason: 'expired' };
          const step = await ask(state, input, signal);
          if (step.step === 'refused') failed.add(state);
          return step;
        },
      });
    },
    'http',
  ],
  [
    'SIGN-05',
    'leaves the previous code good after another code was sent',
    (adapter, { signOn }) => {
      const former = new Set<string>();
      return around(adapter, {
        next: async (ask, state, input, signal) => {
          if (input.input === 'another-code') former.add(state);
          const step = await ask(state, input, signal);
          return step.step !== 'done' && input.input === 'code' && former.has(state)
            ? inventedResult(signOn.customer, signOn.acr)
            : step;
        },
      });
    },
    'http',
  ],
  ['SIGN-03', 'refuses an unknown login name at once', forUnknown(wrong), 'http', 'http-app'],
  ['SIGN-03', 'says another destination of the code to an unknown login name', anotherDestination, 'http'],
  [
    'SIGN-03',
    'polls less often for an unknown login name',
    forUnknown((step) => (step.step === 'wait' ? { ...step, pollAfterSeconds: 60 } : step)),
    'http-app',
  ],
  [
    'SIGN-03',
    'asks the sign-on once more for a login name that it knows',
    (adapter, parts) =>
      around(adapter, {
        begin: async (ask, request, signal) => {
          if (isKnownTo(parts, request.credentials?.loginName)) await ask(request, signal);
          return ask(request, signal);
        },
      }),
    'http',
    'http-app',
  ],
  [
    'SIGN-03',
    'ends otherwise for an unknown login name than for a wrong password',
    (adapter, parts) => {
      const unknown = new Map<string, true>();
      return around(adapter, {
        begin: noting(unknown, ({ credentials }) => (isKnownTo(parts, credentials?.loginName) ? undefined : true)),
        next: async (ask, state, input, signal) => {
          const step = await ask(state, input, signal);
          if (!unknown.has(state)) return step;
          if ('state' in step) unknown.set(step.state, true);
          return input.input === 'another-code' ? step : { step: 'refused', reason: 'expired' };
        },
      });
    },
    'http',
    'http-app',
  ],
  [
    'SIGN-03',
    'answers a wish for another code by its end where the login name is unknown',
    (adapter, parts) => {
      const unknown = new Map<string, true>();
      return around(adapter, {
        begin: noting(unknown, ({ credentials }) => (isKnownTo(parts, credentials?.loginName) ? undefined : true)),
        next: (ask, state, input, signal) =>
          unknown.has(state) && input.input === 'another-code'
            ? Promise.resolve({ step: 'refused', reason: 'expired' })
            : ask(state, input, signal),
      });
    },
    'http',
  ],
  ['SIGN-06', 'takes a refusal for a wrong factor', inPlaceOf('declined', wrong), 'http-app', 'oidc'],
  ['SIGN-07', 'lets a customer in who is locked out', inPlaceOf('locked', invented), 'http', 'http-app'],
  [
    'SIGN-07',
    'says that a customer is locked out before the factors are right',
    (adapter, { signOn }) => {
      const locked = new Map<string, true>();
      const { lockedCustomer } = signOn;
      return around(adapter, {
        begin: noting(locked, ({ credentials }) =>
          credentials?.loginName === lockedCustomer?.credentials?.loginName ? true : undefined,
        ),
        next: async (ask, state, input, signal) => {
          const step = await ask(state, input, signal);
          return locked.has(state) && step.step !== 'done'
            ? { step: 'refused', reason: 'locked', page: 'https://bank.example/locked' }
            : step;
        },
      });
    },
    'http',
    'http-app',
  ],
  ['SIGN-14', 'ignores that the time of an authentication is over', inPlaceOf('expired', invented)],
  ['SIGN-14', 'says of a time that is over that a factor was wrong', inPlaceOf('expired', wrong)],
]);

it('another destination of the code differs from the one that the sign-on states, whatever that is', async () => {
  const create: typeof http.create = async (...given) => {
    const adapter = await http.create(...given);
    return around(adapter, {
      begin: async (ask, ...asked) => {
        const step = await ask(...asked);
        return step.step === 'code' ? { ...step, sentTo: 'your phone' } : step;
      },
    });
  };
  expect(await outcomeOf(wrongKit({ ...http, create }, anotherDestination), 'SIGN-03')).toBe('broken');
});
