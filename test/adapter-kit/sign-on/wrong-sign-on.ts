import type { CustomerAuthenticationServices } from '../../../packages/customer-authentication/customer-authentication-services.js';
import type {
  AuthenticationRequest,
  AuthenticationResult,
  CustomerAuthentication,
  DoneStep,
  Step,
  StepInput,
} from '../../../packages/customer-authentication/customer-authentication.js';
import type { SignOnClauseId } from '../../../packages/adapter-kit/sign-on/clauses.js';
import type {
  OpenStep,
  SignOnUnderTest,
  TestCustomer,
  TestSignOn,
} from '../../../packages/adapter-kit/sign-on/sign-on-under-test.js';

/** A mistake that adapters of a sign-on make, and a clause that finds it; not where the sign-on is one that cannot make it. */
export type WrongSignOn = readonly [clause: SignOnClauseId, does: string, make: Make, hindrance?: Hindrance];
export type Make = (adapter: CustomerAuthentication, parts: SignOnParts) => CustomerAuthentication;
/** Why an adapter of this sign-on cannot make the mistake, if it cannot. */
type Hindrance = (place: SignOnPlace) => string | undefined;

/** The adapter without a mistake, and its test sign-on. */
export interface SignOnPlace {
  readonly asksCredentials: boolean;
  readonly firstStep: OpenStep['step'];
  readonly without: NonNullable<SignOnUnderTest['without']>;
}

export interface SignOnParts {
  readonly signOn: TestSignOn;
  readonly services: CustomerAuthenticationServices;
}

/** The kit of an adapter, with the mistake made in every adapter that it creates. */
export function wrongKit(kit: SignOnUnderTest, make: Make): SignOnUnderTest {
  let started: Promise<TestSignOn> | undefined;
  return {
    ...kit,
    signOn: () => (started = kit.signOn()),
    create: async (settings, services) => {
      if (started === undefined) throw new Error('the kit starts the test sign-on first');
      return make(await kit.create(settings, services), { signOn: await started, services });
    },
  };
}

type Begin = (request: AuthenticationRequest, signal: AbortSignal) => Promise<Step>;
type Continue = (state: string, input: StepInput, signal: AbortSignal) => Promise<Step>;

/** The adapter with another beginning or continuation, which may ask the right one. */
export function around(
  adapter: CustomerAuthentication,
  {
    begin = (ask, ...given) => ask(...given),
    next = (ask, ...given) => ask(...given),
  }: {
    readonly begin?: (ask: Begin, ...given: Parameters<Begin>) => Promise<Step>;
    readonly next?: (ask: Continue, ...given: Parameters<Continue>) => Promise<Step>;
  },
): CustomerAuthentication {
  return {
    asksCredentials: adapter.asksCredentials,
    begin: (...given) => begin((...asked) => adapter.begin(...asked), ...given),
    continue: (...given) => next(async (...asked) => adapter.continue(...asked), ...given),
    close: () => adapter.close(),
  };
}

/** A mistake in the steps that answer an input. */
export function mistakeInSteps(change: (step: Step, parts: SignOnParts, input: StepInput) => Step): Make {
  return (adapter, parts) =>
    around(adapter, {
      next: async (ask, state, input, signal) => change(await ask(state, input, signal), parts, input),
    });
}

/** A mistake in the results alone. */
export function mistakeInResults(
  change: (result: AuthenticationResult, parts: SignOnParts) => AuthenticationResult,
): Make {
  return mistakeInSteps((step, parts) =>
    step.step === 'done' ? { step: 'done', result: change(step.result, parts) } : step,
  );
}

/** A beginning that is right, and notes by the state of its step the member of the request that the mistake needs. */
export function noting<Member>(
  notes: Map<string, Member>,
  memberOf: (request: AuthenticationRequest) => Member | undefined,
): (ask: Begin, ...given: Parameters<Begin>) => Promise<Step> {
  return async (ask, request, signal) => {
    const step = await ask(request, signal);
    const member = memberOf(request);
    if ('state' in step && member !== undefined) notes.set(step.state, member);
    return step;
  };
}

/** A result that the sign-on never gave. */
export function inventedResult({ customerRef }: TestCustomer, acr: string): DoneStep {
  const [first = '', ...others] = [customerRef].flat();
  const named = (ref: string) => ({ customerRef: ref, displayName: 'A customer' });
  return {
    step: 'done',
    result: { customers: [named(first), ...others.map(named)], authenticatedAt: new Date(), method: 'made-up', acr },
  };
}

export function withoutCredentials({ asksCredentials }: SignOnPlace): string | undefined {
  return asksCredentials ? undefined : 'the bank’s own sign-on asks for login name and password';
}

export function unlessFirst(...steps: readonly OpenStep['step'][]): Hindrance {
  return ({ firstStep }) =>
    steps.includes(firstStep) ? undefined : `the first step is ${firstStep}, not ${steps.join(' or ')}`;
}
