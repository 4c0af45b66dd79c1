import { createHash, randomBytes } from 'node:crypto';
import type { AccountPlace } from '../../core-banking/account-place.js';
import type { FoundAccounts } from '../../core-banking/cores.js';
import type { Permission } from '../../open-banking/permissions.js';
import type { Profile } from '../../profiles/profile.js';
import { endpointNames, openedBy } from '../../resources/endpoints.js';
import type { JourneyStage } from '../../trail/event.js';
import type { StepMessage, WhyWithheld } from '../pages/customer-pages.js';
import type { CustomerAccount } from './customer-accounts.js';
import type {
  BegunSignIn,
  BegunSteps,
  ChoosingCustomer,
  CodeStep,
  Deciding,
  Journey,
  JourneyRequest,
  ListedAccount,
  PendingStep,
  SignedInCustomer,
} from './journey.js';
import type { OpenStep } from '../../../packages/customer-authentication/step-fault.js';

/** The customer's time from the first page to the approval. */
export const journeyMs = 15 * 60_000;

export function beginJourney(nowMs: number, request?: JourneyRequest): Journey {
  return { step: 'sign-in', deadlineMs: nowMs + journeyMs, ...(request && { request }) };
}

/** @param loginName stays filled in */
export function backToSignIn(journey: Journey, message: StepMessage, loginName = ''): Journey {
  return { step: 'sign-in', ...kept(journey), message, ...(loginName !== '' && { loginName }) };
}

/** The journey at the bank's next step. */
export function atStep(journey: Journey, begun: BegunSignIn, step: OpenStep, nowMs: number): BegunSteps {
  const base = { ...kept(journey), begun, state: step.state };
  switch (step.step) {
    case 'code':
      return { ...base, step: 'code', sentTo: step.sentTo, tries: 0 };
    case 'wait': {
      const { shown, pollAfterSeconds } = step;
      const pollAtMs = nowMs + pollAfterSeconds * 1_000;
      return { ...base, step: 'wait', ...(shown !== undefined && { shown }), pollAfterSeconds, pollAtMs };
    }
    case 'redirect':
      return { ...base, step: 'redirect', url: step.url };
  }
}

/** After that number of tries the bank sends another code. */
export const triesAtOneCode = 3;

/** Counts one more try at the code. To be stored before the bank judges the code. */
export function withTry(journey: CodeStep): CodeStep {
  const { message: _answered, ...rest } = journey;
  return { ...rest, tries: journey.tries + 1 };
}

/** The journey with the first factor shown again. A code stays good until other details are posted. */
export function atDetails(journey: Journey): Journey {
  if (journey.step !== 'code' && journey.step !== 'wait' && journey.step !== 'redirect') return journey;
  const { loginName } = journey.begun;
  return { step: 'sign-in', ...kept(journey), ...(loginName !== undefined && { loginName }) };
}

/** The digits of a typed code, or its fault. People type the digits in groups, as the phone shows them. */
export function readCode(typed: string): { readonly code: string } | { readonly fault: 'incomplete' | 'not-digits' } {
  const code = typed.normalize('NFKC').replace(/[\s\p{Pd}\u2212]/gu, '');
  if (code === '') return { fault: 'incomplete' };
  return /^\d+$/.test(code) ? { code } : { fault: 'not-digits' };
}

/** @param customers of whom the person chooses one, where there are several */
export function signedIn(journey: Journey, customers: readonly SignedInCustomer[]): Journey {
  const [customer, ...others] = customers;
  if (customer === undefined) throw new Error('a sign-in without a customer');
  return others.length === 0
    ? { step: 'decide', ...kept(journey), customer }
    : { step: 'choose-customer', ...kept(journey), customers };
}

/** The customer whose place in the list was posted. */
export function chosenCustomer({ customers }: ChoosingCustomer, posted: string): SignedInCustomer | undefined {
  return customers.find((_, place) => String(place) === posted);
}

/** Gives each account a random key. */
export function withAccounts(
  journey: Deciding,
  { items: accounts, away }: FoundAccounts<CustomerAccount>,
  asked: readonly Permission[],
  profile: Pick<Profile, 'endpoints'>,
): Deciding & { readonly accounts: readonly ListedAccount[] } {
  const listed = accounts.map(({ permitted, ...account }): ListedAccount => {
    const withheld = whyWithheld({ ...account, permitted }, asked, profile);
    return { ...account, key: randomBytes(9).toString('base64url'), ...(withheld && { withheld }) };
  });
  return { ...journey, accounts: listed, ...(away.length > 0 && { incomplete: true }) };
}

/** With all accounts chosen on the page, or none. */
export function choosing(journey: Deciding, allChosen: boolean): Deciding {
  const { message: _answered, ...rest } = journey;
  return { ...rest, allChosen };
}

/** The journey without the customer's data. */
export function ended(journey: Journey): Journey {
  return { step: 'ended', ...kept(journey) };
}

export function withMessage(journey: Journey, message: StepMessage): Journey {
  return { ...idle(journey), message };
}

/** With the previous cookie leading here until the browser has shown that it has the new one. */
export function unsettled(journey: Journey): Journey {
  return { ...journey, unsettled: true };
}

export function settled({ unsettled: _over, ...journey }: Journey): Journey {
  return journey;
}

/** Without the mark of a post that failed. */
export function idle({ busy: _over, ...journey }: Journey): Journey {
  return journey;
}

export function withPendingStep(journey: Journey, busy: PendingStep): Journey {
  return { ...journey, busy };
}

const stages: Readonly<Record<Exclude<Journey['step'], 'ended'>, JourneyStage>> = {
  'sign-in': 'sign-in',
  code: 'bank-step',
  wait: 'bank-step',
  redirect: 'bank-step',
  'choose-customer': 'customer-choice',
  decide: 'accounts',
};

/** The page at which the customer is; `undefined` once the journey has ended. */
export function stageOf({ step }: Pick<Journey, 'step'>): JourneyStage | undefined {
  return step === 'ended' ? undefined : stages[step];
}

/** The members that every step of a journey has. */
function kept({ deadlineMs, request }: Journey): Pick<Journey, 'deadlineMs' | 'request'> {
  return { deadlineMs, ...(request && { request }) };
}

/**
 * The name of the one journey of an authorization request. It stays the same each time and in each browser that opens the
 * request.
 * @param parameters of the request; `nonce` and `state` make each request different
 * @param pushed the `request_uri`, if the request was pushed
 */
export function journeyId(parameters: Readonly<Record<string, unknown>>, pushed: string | undefined): string {
  const sorted = Object.entries(parameters).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([sorted, pushed]))
    .digest('base64url')
    .slice(0, 22);
}

/**
 * Why an account cannot be shared: its state forbids access, or the profile lists no endpoint for its product, at all or of
 * those that the asked permissions open. `undefined`: it can be.
 */
export function whyWithheld(
  { product, permitted }: Pick<CustomerAccount, 'product' | 'permitted'>,
  asked: readonly Permission[],
  { endpoints }: Pick<Profile, 'endpoints'>,
): WhyWithheld | undefined {
  if (!permitted) return 'restricted';
  const listed = endpointNames.filter((endpoint) => endpoints[endpoint]?.includes(product));
  if (listed.length === 0) return 'not-served';
  const open = openedBy(new Set(asked));
  return listed.some((endpoint) => open.includes(endpoint)) ? undefined : 'not-asked';
}

/** The chosen accounts; `undefined` when a posted key was not offered. */
export function readChoice(
  listed: readonly ListedAccount[],
  keys: readonly string[],
): readonly AccountPlace[] | undefined {
  const offered = new Map(listed.filter(({ withheld }) => withheld === undefined).map((one) => [one.key, one]));
  const chosen = keys.map((key) => offered.get(key));
  return chosen.every((one) => one !== undefined) ? chosen.map(({ core, ref }) => ({ core, ref })) : undefined;
}
