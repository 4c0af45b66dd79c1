import type {
  AuthenticatedCustomer,
  CustomerAccount,
  CustomerChallenge,
} from '../customer-authentication/customer-authentication.js';
import { endpointPermissions, missingPermissions, type Endpoint } from '../open-banking/endpoints.js';
import type { Permission } from '../open-banking/permissions.js';
import type { Profile } from '../profiles/profile.js';
import type { StepMessage } from './customer-pages.js';

/** The customer's time from the first page to the approval. */
export const journeyMs = 15 * 60_000;

/**
 * Where a customer is: sign in -> one-time code -> decide. Signing in is possible from everywhere and begins anew, which is
 * what going back and choosing another name means; nothing else leads backwards but a failure.
 */
export type Journey = JourneyBase &
  (
    | { readonly step: 'sign-in' }
    | { readonly step: 'code'; readonly loginName: string; readonly challenge: CustomerChallenge }
    | {
        readonly step: 'decide';
        readonly customer: SignedInCustomer;
        readonly offered: readonly Offer[];
        /** A decision is being carried out: until then every other click follows it. */
        readonly decidingUntilMs?: number;
      }
  );

interface JourneyBase {
  readonly csrf: string;
  readonly deadlineMs: number;
  readonly message?: StepMessage;
}

export interface SignedInCustomer extends AuthenticatedCustomer {
  readonly authenticatedAtMs: number;
}

/** An account that the customer may choose; the browser knows it by its key only. */
export interface Offer extends CustomerAccount {
  readonly key: string;
}

export function beginJourney(csrf: string, nowMs: number): Journey {
  return { step: 'sign-in', csrf, deadlineMs: nowMs + journeyMs };
}

export function backToSignIn({ csrf, deadlineMs }: Journey, message?: StepMessage): Journey {
  return { step: 'sign-in', csrf, deadlineMs, ...(message && { message }) };
}

export function challenged({ csrf, deadlineMs }: Journey, loginName: string, challenge: CustomerChallenge): Journey {
  return { step: 'code', csrf, deadlineMs, loginName, challenge };
}

export function signedIn(
  { csrf, deadlineMs }: Journey,
  customer: SignedInCustomer,
  offered: readonly Offer[],
): Journey {
  return { step: 'decide', csrf, deadlineMs, customer, offered };
}

export function withMessage(journey: Journey, message: StepMessage): Journey {
  return { ...journey, message };
}

/** Those with at least one endpoint that the profile lists for their product and that the asked permissions open. */
export function accountsToOffer<A extends Pick<CustomerAccount, 'product'>>(
  accounts: readonly A[],
  asked: readonly Permission[],
  profile: Pick<Profile, 'endpoints'>,
): A[] {
  const held = new Set(asked);
  const open = (Object.keys(profile.endpoints) as Endpoint[]).filter(
    (endpoint) => missingPermissions(endpointPermissions[endpoint], held).length === 0,
  );
  return accounts.filter(({ product }) => open.some((endpoint) => profile.endpoints[endpoint]?.includes(product)));
}

/** The references of the chosen accounts; `undefined` when one was posted that was not offered. */
export function readChoice(offered: readonly Offer[], keys: readonly string[]): readonly string[] | undefined {
  const byKey = new Map(offered.map(({ key, ref }) => [key, ref]));
  const refs = keys.map((key) => byKey.get(key));
  return refs.every((ref) => ref !== undefined) ? refs : undefined;
}
