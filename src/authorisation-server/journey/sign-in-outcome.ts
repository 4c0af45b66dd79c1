import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticationRequest } from '../../../packages/customer-authentication/customer-authentication.js';
import type { JourneySubject } from './journey-trail.js';
import type { SignedInCustomer } from './journey.js';
import type { StoredJourney } from './journey.store.js';

export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Where and why a customer signs in. */
export interface SignInExchange extends Exchange {
  readonly wish: SignInWish;
  /** For the trail; the bank's sign-on does not get it. */
  readonly subject: JourneySubject;
}

interface SignInWish extends Pick<AuthenticationRequest, 'purpose' | 'asked'> {
  /** The name of the journey in its URL, or {@link atDashboard}: the bank's own sign-on sends the browser back there. */
  readonly at: string;
}

export const atDashboard = 'dashboard';

/**
 * - `go-on`: the journey has the customer's present step and the fault, if any; `bearer` is the new value of its cookie,
 *   where that was replaced. `leaves`: the present step is on the bank's own sign-on.
 * - `pending`: an equal post, with this mark, is being carried out or was just carried out.
 * - `blocked`: a limit is reached; no answer says which.
 * - `stale`: the browser came back from a sign-on that is no longer the present one.
 * - `bank-page`: the customer must do something at the bank first.
 * - `signed-in`: the bank knows the customer; `kept` is the journey as it is now, with the bank's state used up, and `mark`
 *   that of the post. `polled`: no post of the customer led here.
 */
export type SignInOutcome =
  | { readonly kind: 'go-on'; readonly bearer?: string | undefined; readonly leaves?: true }
  | { readonly kind: 'pending'; readonly mark: string }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'stale' }
  | BankPageOutcome
  | SignedInOutcome;

interface BankPageOutcome {
  readonly kind: 'bank-page';
  readonly reason: 'locked' | 'must-change-password';
  readonly page: string;
}

export interface SignedInOutcome {
  readonly kind: 'signed-in';
  readonly customers: readonly SignedInCustomer[];
  readonly kept: StoredJourney;
  readonly mark: string;
  readonly polled: boolean;
}

export const blocked = { kind: 'blocked' } as const;
