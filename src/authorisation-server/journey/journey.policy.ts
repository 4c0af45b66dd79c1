import { createHash, randomBytes } from 'node:crypto';
import type {
  AuthenticatedCustomer,
  CustomerChallenge,
} from '../../customer-authentication/customer-authentication.js';
import type { Permission } from '../../open-banking/permissions.js';
import type { Profile } from '../../profiles/profile.js';
import { endpointNames, openedBy } from '../../resources/endpoints.js';
import type { StepMessage, WhyWithheld } from '../pages/customer-pages.js';
import type { CustomerAccount } from './customer-accounts.js';
import type { Start } from './sign-in-limits.js';

/** The customer's time from the first page to the approval. */
export const journeyMs = 15 * 60_000;

/**
 * Where a customer is: sign in -> one-time code -> decide -> ended. Signing in is possible from everywhere but the end and
 * begins anew, which is what going back and choosing another name means; nothing else leads backwards but a failure.
 */
export type Journey = JourneyBase &
  (
    | { readonly step: 'sign-in'; readonly loginName?: string }
    | CodeStep
    | Deciding
    /** The answer is given: what is left is to take it to the TPP. */
    | { readonly step: 'ended' }
  );

/** The customer is signed in and has not decided yet. */
export type Deciding = JourneyBase & {
  readonly step: 'decide';
  readonly customer: SignedInCustomer;
  /** Absent until the core has answered. */
  readonly accounts?: readonly ListedAccount[];
  /** Whether the page shows all of them chosen that can be. */
  readonly allChosen?: boolean;
};

/** Kept from the first factor until the second one is judged. */
export interface FirstFactor {
  readonly loginName: string;
  readonly challenge: CustomerChallenge;
  /** The limits under which the sign-in was counted, and each further code that was sent. */
  readonly starts: readonly Start[];
}

export type CodeStep = JourneyBase &
  FirstFactor & {
    readonly step: 'code';
    /** At the present code, counted before each is judged. */
    readonly tries: number;
  };

/** A customer who mistypes a code may correct it; then another code takes its place. */
export const triesAtOneCode = 3;

interface JourneyBase {
  readonly deadlineMs: number;
  /** Absent at the dashboard, where no TPP asks. */
  readonly request?: JourneyRequest;
  readonly message?: StepMessage;
  readonly busy?: PendingStep;
}

export interface JourneyRequest {
  /** The name of the journey in its URL, which is no secret. */
  readonly id: string;
  /** The library's own name of it, which is one. */
  readonly uid: string;
}

/** A post is being carried out: until then one that is the same follows it. */
export interface PendingStep {
  readonly untilMs: number;
  /** Which post: see `JourneyStore.mark`. */
  readonly post: string;
}

export interface SignedInCustomer extends AuthenticatedCustomer {
  readonly authenticatedAtMs: number;
}

/** An account of the customer's; the browser knows it by its key only. */
export interface ListedAccount extends Omit<CustomerAccount, 'permitted'> {
  readonly key: string;
  /** Why the customer cannot choose it, where that is so. */
  readonly withheld?: WhyWithheld;
}

export function beginJourney(nowMs: number, request?: JourneyRequest): Journey {
  return { step: 'sign-in', deadlineMs: nowMs + journeyMs, ...(request && { request }) };
}

/** @param loginName stays filled in */
export function backToSignIn(journey: Journey, message: StepMessage, loginName: string): Journey {
  return { step: 'sign-in', ...kept(journey), message, ...(loginName !== '' && { loginName }) };
}

export function challenged(journey: Journey, first: FirstFactor): CodeStep {
  return { step: 'code', ...kept(journey), ...first, tries: 0 };
}

/** Where the customer looks at the first factor again. The code stays good until other details are posted. */
export function atDetails(journey: Journey): Journey {
  return journey.step === 'code' ? { step: 'sign-in', ...kept(journey), loginName: journey.loginName } : journey;
}

/** One more try at the code: to be kept before the bank judges it. */
export function withTry(journey: CodeStep): CodeStep {
  const { message: _answered, ...rest } = journey;
  return { ...rest, tries: journey.tries + 1 };
}

/** The digits of a typed code; else why there is nothing to judge. People type it as it is shown to them, in groups. */
export function readCode(typed: string): { readonly code: string } | { readonly fault: 'incomplete' | 'not-digits' } {
  const code = typed.normalize('NFKC').replace(/[\s\p{Pd}\u2212]/gu, '');
  if (code === '') return { fault: 'incomplete' };
  return /^\d+$/.test(code) ? { code } : { fault: 'not-digits' };
}

export function signedIn(journey: Journey, customer: SignedInCustomer): Journey {
  return { step: 'decide', ...kept(journey), customer };
}

/** Each account under a key that nobody can guess. */
export function withAccounts(
  journey: Deciding,
  accounts: readonly CustomerAccount[],
  asked: readonly Permission[],
  profile: Pick<Profile, 'endpoints'>,
): Deciding {
  const listed = accounts.map(({ permitted, ...account }): ListedAccount => {
    const withheld = whyWithheld({ ...account, permitted }, asked, profile);
    return { ...account, key: randomBytes(9).toString('base64url'), ...(withheld && { withheld }) };
  });
  return { ...journey, accounts: listed };
}

/** With all accounts chosen on the page, or none. */
export function choosing(journey: Deciding, allChosen: boolean): Deciding {
  const { message: _answered, ...rest } = journey;
  return { ...rest, allChosen };
}

/** Nothing of the customer is kept any longer. */
export function ended(journey: Journey): Journey {
  return { step: 'ended', ...kept(journey) };
}

export function withMessage(journey: Journey, message: StepMessage): Journey {
  return { ...idle(journey), message };
}

/** As it was before a post was taken that led nowhere. */
export function idle({ busy: _over, ...journey }: Journey): Journey {
  return journey;
}

export function withPendingStep(journey: Journey, busy: PendingStep): Journey {
  return { ...journey, busy };
}

/** The members that every step of a journey has. */
function kept({ deadlineMs, request }: Journey): Pick<JourneyBase, 'deadlineMs' | 'request'> {
  return { deadlineMs, ...(request && { request }) };
}

/**
 * The name of the one journey that an authorization request has: the same request has the same name however often, and
 * wherever, it is opened.
 * @param parameters of the request, which a TPP makes anew each time (`nonce`, `state`)
 * @param pushed as what it was pushed, if it was
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

/** The references of the chosen accounts; `undefined` when one was posted that was not offered. */
export function readChoice(listed: readonly ListedAccount[], keys: readonly string[]): readonly string[] | undefined {
  const offered = new Map(listed.filter(({ withheld }) => withheld === undefined).map(({ key, ref }) => [key, ref]));
  const refs = keys.map((key) => offered.get(key));
  return refs.every((ref) => ref !== undefined) ? refs : undefined;
}
