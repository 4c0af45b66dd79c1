import { expect, it } from '@jest/globals';
import type { CustomerAuthenticationServices } from '../../../packages/customer-authentication/customer-authentication-services.js';
import type {
  AuthenticationRequest,
  CustomerAuthentication,
  DoneStep,
  Step,
  StepInput,
} from '../../../packages/customer-authentication/customer-authentication.js';
import type { SignOnClauseId } from '../../../packages/adapter-kit/sign-on/clauses.js';
import { checkCustomerAuthentication } from '../../../packages/adapter-kit/sign-on/sign-on-kit.js';
import type {
  SignOnUnderTest,
  TestCustomer,
  TestSignOn,
} from '../../../packages/adapter-kit/sign-on/sign-on-under-test.js';
import { kit as http } from '../../sign-ons/http/http.kit.js';
import { kit as app } from '../../sign-ons/http-app/http-app.kit.js';
import { kit as oidc } from '../../sign-ons/oidc/oidc.kit.js';

const kits: Readonly<Record<KitName, SignOnUnderTest>> = { http, 'http-app': app, oidc };
export type KitName = 'http' | 'http-app' | 'oidc';

/** A mistake that adapters of a sign-on make, a clause that finds it, and the adapters that can make it: all by default. */
export type WrongSignOn = readonly [clause: SignOnClauseId, does: string, make: Make, ...can: readonly KitName[]];
export type Make = (adapter: CustomerAuthentication, parts: SignOnParts) => CustomerAuthentication;

/** Declares a test for each mistake and each built-in adapter that can make it. */
export function findsEach(wrong: readonly WrongSignOn[]): void {
  for (const [clause, does, make, ...can] of wrong)
    for (const [name, kit] of Object.entries(kits).filter(([one]) => can.length === 0 || can.includes(one as KitName)))
      it(
        `the kit finds by ${clause} that ${name} ${does}`,
        async () => expect(await outcomeOf(wrongKit(kit, make), clause)).toBe('broken'),
        withinMs,
      );
}
/** Some clauses wait until a time of the question is seen in place of the act's. */
const withinMs = 120_000;

export async function outcomeOf(kit: SignOnUnderTest, clause: SignOnClauseId): Promise<string> {
  for await (const { outcome } of checkCustomerAuthentication(kit, [clause])) return outcome;
  throw new Error(`${clause} is no clause of this kit`);
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
