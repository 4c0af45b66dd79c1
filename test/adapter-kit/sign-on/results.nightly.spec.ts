// Nightly: it tests the kit, a tool for banks, with wrong adapters.
import type {
  AuthenticationResult,
  Step,
  StepInput,
} from '../../../packages/customer-authentication/customer-authentication.js';
import {
  around,
  findsEach,
  inventedResult,
  mistakeInSteps,
  noting,
  type Make,
  type SignOnParts,
} from './wrong-sign-on.js';

/** A mistake in the results alone. */
function mistakeInResults(change: (result: AuthenticationResult, parts: SignOnParts) => AuthenticationResult): Make {
  return mistakeInSteps((step, parts) =>
    step.step === 'done' ? { step: 'done', result: change(step.result, parts) } : step,
  );
}

const firstRef = (refs: string | readonly string[]): string => [refs].flat()[0] ?? '';

/** Tries the input at every step that was open, where the right one does not lead to the customer. */
const anyStep: Make = (adapter) => {
  const states = new Set<string>();
  const noted = (step: Step): Step => {
    if ('state' in step) states.add(step.state);
    return step;
  };
  return around(adapter, {
    begin: async (ask, ...given) => noted(await ask(...given)),
    next: async (ask, state, input, signal) => {
      const own = await ask(state, input, signal).catch((error: unknown) => error as Error);
      if (!(own instanceof Error) && own.step === 'done') return own;
      for (const other of states) {
        const step = await ask(other, input, signal).catch(() => undefined);
        if (step?.step === 'done') return step;
      }
      if (own instanceof Error) throw own;
      return noted(own);
    },
  });
};

/** Finds the steps by the customer who began them. */
const stepOfSameCustomer: Make = (adapter) => {
  const customers = new Map<string, string>();
  return around(adapter, {
    begin: noting(customers, ({ credentials }) => credentials?.loginName ?? ''),
    next: async (ask, state, input, signal) => {
      const own = await ask(state, input, signal);
      if (own.step === 'done') return own;
      for (const [other, customer] of customers) {
        if (other === state || customer !== customers.get(state)) continue;
        const step = await ask(other, input, signal).catch(() => undefined);
        if (step?.step === 'done') return step;
      }
      return own;
    },
  });
};

/** The same return with the state that the step began with. */
const stateOfStep: Make = (adapter) => {
  const returns = new Map<string, string>();
  return around(adapter, {
    begin: noting(returns, ({ returnTo }) => returnTo.state),
    next: (ask, state, input, signal) => {
      if (input.input !== 'return') return ask(state, input, signal);
      const url = new URL(input.url);
      url.searchParams.set('state', returns.get(state) ?? '');
      return ask(state, { input: 'return', url: url.href }, signal);
    },
  });
};

/** The step to which the code belongs, whichever step the return is given to. */
const stepOfCode: Make = (adapter) => {
  const returns = new Map<string, string>();
  return around(adapter, {
    begin: noting(returns, ({ returnTo }) => returnTo.state),
    next: async (ask, state, input, signal) => {
      const tried = async (one: string): Promise<Step | Error> => {
        const url = new URL(input.input === 'return' ? input.url : 'https://bank.example');
        url.searchParams.set('state', returns.get(one) ?? '');
        const given: StepInput = input.input === 'return' ? { input: 'return', url: url.href } : input;
        return ask(one, given, signal).catch((error: unknown) => error as Error);
      };
      // The newest first: a code that was tried with another verifier is used up.
      for (const one of [...returns.keys()].reverse()) {
        const step = await tried(one);
        if (!(step instanceof Error) && step.step === 'done') return step;
      }
      return ask(state, input, signal);
    },
  });
};

findsEach([
  [
    'SIGN-02',
    'returns another customer',
    mistakeInResults((result, { signOn: { customer, otherCustomer } }) => {
      const own = firstRef(customer.customerRef);
      const [first, ...others] = result.customers;
      const customerRef = first.customerRef === own ? firstRef(otherCustomer.customerRef) : own;
      return { ...result, customers: [{ ...first, customerRef }, ...others] };
    }),
  ],
  [
    'SIGN-02',
    'offers a customer for whom the person may not act',
    mistakeInResults((result, { signOn: { otherCustomer } }) => ({
      ...result,
      customers: [
        ...result.customers,
        { customerRef: firstRef(otherCustomer.customerRef), displayName: 'Another customer' },
      ],
    })),
  ],
  [
    'SIGN-12',
    'remembers the last customer in place of the step’s own',
    (adapter, { signOn }) => {
      let last = signOn.customer;
      return around(adapter, {
        begin: (ask, request, signal) => {
          if (request.credentials?.loginName === signOn.otherCustomer.credentials?.loginName)
            last = signOn.otherCustomer;
          return ask(request, signal);
        },
        next: async (ask, ...given) => {
          const step = await ask(...given);
          return step.step === 'done' ? inventedResult(last, signOn.acr) : step;
        },
      });
    },
  ],
  [
    'SIGN-02',
    'states the gateway’s time in place of the sign-on’s',
    mistakeInResults((result, { services }) => ({ ...result, authenticatedAt: new Date(services.clock.nowMs()) })),
  ],
  [
    'SIGN-02',
    'states the time of the question in place of the authentication’s',
    mistakeInResults((result) => ({ ...result, authenticatedAt: new Date() })),
    'http-app',
    'oidc',
  ],
  [
    'SIGN-16',
    'states the class that was asked for in place of the sign-on’s',
    (adapter) => {
      let wanted: readonly string[] = [];
      return around(adapter, {
        begin: (ask, request, signal) => {
          wanted = request.acrValues;
          return ask(request, signal);
        },
        next: async (ask, ...given) => {
          const step = await ask(...given);
          return step.step === 'done'
            ? { step: 'done', result: { ...step.result, acr: wanted[0] ?? step.result.acr } }
            : step;
        },
      });
    },
    'oidc',
  ],
  [
    'SIGN-02',
    'does not ask for the class that the gateway needs',
    (adapter) => around(adapter, { begin: (ask, request, signal) => ask({ ...request, acrValues: [] }, signal) }),
    'oidc',
  ],
  ['SIGN-02', 'states a malformed method', mistakeInResults((result) => ({ ...result, method: 'password and code' }))],
  [
    'SIGN-08',
    'accepts an input again that has led to the customer',
    (adapter) => {
      const done = new Map<string, Step>();
      return around(adapter, {
        next: async (ask, state, input, signal) => {
          const key = JSON.stringify([state, input]);
          const step = done.get(key) ?? (await ask(state, input, signal));
          if (step.step === 'done') done.set(key, step);
          return step;
        },
      });
    },
  ],
  [
    'SIGN-08',
    'accepts a used code in the next authentication',
    (adapter) => {
      const done = new Map<string, Step>();
      return around(adapter, {
        next: async (ask, state, input, signal) => {
          const key = `${JSON.stringify(input)}`;
          const known = done.get(key);
          // Not at the step that it has ended: another mistake does so.
          const step = known !== undefined && !done.has(state) ? known : await ask(state, input, signal);
          if (step.step === 'done') done.set(key, step).set(state, step);
          return step;
        },
      });
    },
    'http',
    'oidc',
  ],
  ['SIGN-09', 'takes the input of one authentication for another customer’s', anyStep, 'http', 'http-app'],
  [
    'SIGN-09',
    'takes the approval of one authentication for another of the same customer',
    stepOfSameCustomer,
    'http-app',
  ],
  ['SIGN-17', 'ignores the state of a return', stateOfStep, 'oidc'],
  ['SIGN-17', 'takes the code of another authentication, as without nonce and PKCE', stepOfCode, 'oidc'],
]);
