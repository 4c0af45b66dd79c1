import { createHash, randomBytes } from 'node:crypto';
import type {
  AuthenticatedCustomer,
  CustomerChallenge,
} from '../../customer-authentication/customer-authentication.js';
import type { AccountPlace } from '../../core-banking/account-place.js';
import type { FoundAccounts } from '../../core-banking/cores.js';
import type { Permission } from '../../open-banking/permissions.js';
import type { Profile } from '../../profiles/profile.js';
import { endpointNames, openedBy } from '../../resources/endpoints.js';
import type { StepMessage, WhyWithheld } from '../pages/customer-pages.js';
import type { CustomerAccount } from './customer-accounts.js';
import type { Start } from './sign-in-limits.js';

/** The customer's time from the first page to the approval. */
export const journeyMs = 15 * 60_000;

/**
 * The customer's present step: sign in -> one-time code -> decide -> ended. A customer can sign in again from every step but
 * the end, and then begins from the start. Otherwise only a failure leads backwards.
 */
export type Journey = JourneyBase &
  (
    | { readonly step: 'sign-in'; readonly loginName?: string }
    | CodeStep
    | Deciding
    /** The answer is given, and the browser only has to take it to the TPP. */
    | { readonly step: 'ended' }
  );

/** The customer is signed in and has not decided yet. */
export type Deciding = JourneyBase & {
  readonly step: 'decide';
  readonly customer: SignedInCustomer;
  /** Absent until the core has answered. */
  readonly accounts?: readonly ListedAccount[];
  /** Accounts are missing in the list, because a core could not be read. */
  readonly incomplete?: boolean;
  /** Whether the page shows every account as chosen that can be chosen. */
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
    /** Tries at the present code. Each is counted before the bank judges it. */
    readonly tries: number;
  };

/** After that number of tries the bank sends another code. */
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
  /** The library's name of the request, which is a secret. */
  readonly uid: string;
}

/** A post is being carried out, and an equal post waits for it until then. */
export interface PendingStep {
  readonly untilMs: number;
  /** See `JourneyStore.mark`. */
  readonly mark: string;
}

export interface SignedInCustomer extends AuthenticatedCustomer {
  readonly authenticatedAtMs: number;
}

/** An account of the customer. The browser knows it by its key only. */
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

/** The journey with the first factor shown again. The code stays good until other details are posted. */
export function atDetails(journey: Journey): Journey {
  return journey.step === 'code' ? { step: 'sign-in', ...kept(journey), loginName: journey.loginName } : journey;
}

/** Counts one more try at the code. To be stored before the bank judges the code. */
export function withTry(journey: CodeStep): CodeStep {
  const { message: _answered, ...rest } = journey;
  return { ...rest, tries: journey.tries + 1 };
}

/** The digits of a typed code, or its fault. People type the digits in groups, as the phone shows them. */
export function readCode(typed: string): { readonly code: string } | { readonly fault: 'incomplete' | 'not-digits' } {
  const code = typed.normalize('NFKC').replace(/[\s\p{Pd}\u2212]/gu, '');
  if (code === '') return { fault: 'incomplete' };
  return /^\d+$/.test(code) ? { code } : { fault: 'not-digits' };
}

export function signedIn(journey: Journey, customer: SignedInCustomer): Journey {
  return { step: 'decide', ...kept(journey), customer };
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

/** Without the mark of a post that failed. */
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
