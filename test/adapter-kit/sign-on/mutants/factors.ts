import type { Step, StepInput } from '../../../../packages/customer-authentication/customer-authentication.js';
import {
  around,
  inventedResult,
  mistakeInSteps,
  noting,
  type SignOnMutant,
  type SignOnParts,
  unlessFirst,
  withoutCredentials,
} from './mutant.js';

function isKnownTo({ signOn }: SignOnParts, loginName: string | undefined): boolean {
  const { customer, otherCustomer, lockedCustomer } = signOn;
  return [customer, otherCustomer, lockedCustomer].some((one) => one?.credentials?.loginName === loginName);
}

/** Changes the first step of a login name that the sign-on does not know. */
function forUnknown(change: (step: Step) => Step): SignOnMutant['make'] {
  return (adapter, parts) =>
    around(adapter, {
      begin: async (ask, request, signal) => {
        const step = await ask(request, signal);
        return isKnownTo(parts, request.credentials?.loginName) ? step : change(step);
      },
    });
}

const invented = ({ signOn }: SignOnParts): Step => inventedResult(signOn.customer, signOn.acr);
const wrong = (): Step => ({ step: 'refused', reason: 'wrong' });

/** Answers a refusal for this reason by another step. */
function inPlaceOf(
  reason: Extract<Step, { step: 'refused' }>['reason'],
  instead: (parts: SignOnParts, input: StepInput) => Step,
): SignOnMutant['make'] {
  return mistakeInSteps((step, parts, input) =>
    step.step === 'refused' && step.reason === reason ? instead(parts, input) : step,
  );
}

export const mutantsOfFactors: readonly SignOnMutant[] = [
  {
    does: 'accepts a wrong code',
    clauses: ['SIGN-04'],
    hindrance: unlessFirst('code'),
    make: inPlaceOf('wrong', (parts, input) => (input.input === 'code' ? invented(parts) : wrong())),
  },
  {
    does: 'does not let a customer correct a code',
    clauses: ['SIGN-04'],
    hindrance: unlessFirst('code'),
    make: (adapter) => {
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
  },
  {
    does: 'leaves the previous code good after another code was sent',
    clauses: ['SIGN-05'],
    hindrance: unlessFirst('code'),
    make: (adapter, { signOn }) => {
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
  },
  {
    does: 'refuses an unknown login name at once',
    clauses: ['SIGN-03'],
    hindrance: withoutCredentials,
    make: forUnknown(wrong),
  },
  {
    does: 'says another destination of the code to an unknown login name',
    clauses: ['SIGN-03'],
    hindrance: unlessFirst('code'),
    make: forUnknown((step) => (step.step === 'code' ? { ...step, sentTo: `${step.sentTo}, perhaps` } : step)),
  },
  {
    does: 'polls less often for an unknown login name',
    clauses: ['SIGN-03'],
    hindrance: unlessFirst('wait'),
    make: forUnknown((step) => (step.step === 'wait' ? { ...step, pollAfterSeconds: 60 } : step)),
  },
  {
    does: 'asks the sign-on once more for a login name that it knows',
    clauses: ['SIGN-03'],
    hindrance: withoutCredentials,
    make: (adapter, parts) =>
      around(adapter, {
        begin: async (ask, request, signal) => {
          if (isKnownTo(parts, request.credentials?.loginName)) await ask(request, signal);
          return ask(request, signal);
        },
      }),
  },
  {
    does: 'ends otherwise for an unknown login name than for a wrong password',
    clauses: ['SIGN-03'],
    hindrance: withoutCredentials,
    make: (adapter, parts) => {
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
  },
  {
    does: 'answers a wish for another code by its end where the login name is unknown',
    clauses: ['SIGN-03'],
    hindrance: unlessFirst('code'),
    make: (adapter, parts) => {
      const unknown = new Map<string, true>();
      return around(adapter, {
        begin: noting(unknown, ({ credentials }) => (isKnownTo(parts, credentials?.loginName) ? undefined : true)),
        next: (ask, state, input, signal) =>
          unknown.has(state) && input.input === 'another-code'
            ? Promise.resolve({ step: 'refused', reason: 'expired' })
            : ask(state, input, signal),
      });
    },
  },
  {
    does: 'takes a refusal for a wrong factor',
    clauses: ['SIGN-06'],
    hindrance: unlessFirst('wait', 'redirect'),
    make: inPlaceOf('declined', wrong),
  },
  {
    does: 'lets a customer in who is locked out',
    clauses: ['SIGN-07'],
    hindrance: withoutCredentials,
    make: inPlaceOf('locked', invented),
  },
  {
    does: 'says that a customer is locked out before the factors are right',
    clauses: ['SIGN-07'],
    hindrance: withoutCredentials,
    make: (adapter, { signOn }) => {
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
  },
  {
    does: 'ignores that the time of an authentication is over',
    clauses: ['SIGN-14'],
    make: inPlaceOf('expired', invented),
  },
  {
    does: 'says of a time that is over that a factor was wrong',
    clauses: ['SIGN-14'],
    make: inPlaceOf('expired', wrong),
  },
];
