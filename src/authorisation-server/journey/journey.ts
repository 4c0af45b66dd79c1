import type { AuthenticatedCustomer } from '../../../packages/customer-authentication/customer-authentication.js';
import type { StepMessage, WhyWithheld } from '../pages/customer-pages.js';
import type { CustomerAccount } from './customer-accounts.js';
import type { Start } from './sign-in-limits.js';

/**
 * The customer's present step: sign in -> the bank's steps (a code, an approval in the app, the bank's own sign-on) -> decide
 * -> ended. A person who acts for several customers chooses one before. A customer can sign in again from every step but the
 * end, and then begins from the start. Otherwise only a failure leads backwards.
 */
export type Journey = JourneyBase &
  (
    | { readonly step: 'sign-in'; readonly loginName?: string }
    | BegunSteps
    | ChoosingCustomer
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

/** The person is signed in, and has not chosen yet for which customer. */
export type ChoosingCustomer = JourneyBase & {
  readonly step: 'choose-customer';
  /** The browser knows each by its place in the list. */
  readonly customers: readonly SignedInCustomer[];
};

/** Kept from the beginning of an authentication to its end. */
export interface BegunSignIn {
  /** Absent where the bank's own sign-on asks for it. */
  readonly loginName?: string;
  readonly atMs: number;
  /** The limits under which the sign-in was counted, and each further code that was sent. */
  readonly starts: readonly Start[];
  /** Comes back from the bank's own sign-on. */
  readonly returnState: string;
}

/** An authentication that was begun, and the bank's state of it. */
type Begun = JourneyBase & { readonly begun: BegunSignIn; readonly state: string };

export type CodeStep = Begun & {
  readonly step: 'code';
  readonly sentTo: string;
  /** Tries at the present code. Each is counted before the bank judges it. */
  readonly tries: number;
};

export type WaitStep = Begun & {
  readonly step: 'wait';
  readonly shown?: string;
  readonly pollAfterSeconds: number;
  /** The bank is not asked before. */
  readonly pollAtMs: number;
};

export type RedirectStep = Begun & { readonly step: 'redirect'; readonly url: string };

export type BegunSteps = CodeStep | WaitStep | RedirectStep;

export interface SignedInCustomer extends AuthenticatedCustomer {
  readonly authenticatedAtMs: number;
}

interface JourneyBase {
  readonly deadlineMs: number;
  /** Absent at the dashboard, where no TPP asks. */
  readonly request?: JourneyRequest;
  readonly message?: StepMessage;
  readonly busy?: PendingStep;
  /** The previous cookie still leads here: see `JourneyStore.settle`. */
  readonly unsettled?: true;
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

/** An account of the customer. The browser knows it by its key only. */
export interface ListedAccount extends Omit<CustomerAccount, 'permitted'> {
  readonly key: string;
  /** Why the customer cannot choose it, where that is so. */
  readonly withheld?: WhyWithheld;
}
