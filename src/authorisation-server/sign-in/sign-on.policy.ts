import type { AuthenticationResult } from '../../../packages/customer-authentication/customer-authentication.js';
import type { SignedInCustomer } from './journey.js';

/** The difference between two clocks that is not a fault. */
const toleranceMs = 60_000;

/** Why a result cannot be used, where that is so: the customer is not authenticated for this request, or not strongly enough. */
export function resultFault(
  { authenticatedAt, acr }: AuthenticationResult,
  { begunAtMs, nowMs, acrValues }: { begunAtMs: number; nowMs: number; acrValues: readonly string[] },
): string | undefined {
  const atMs = authenticatedAt.getTime();
  if (atMs > nowMs + toleranceMs) return 'its time of authentication is in the future';
  if (atMs < begunAtMs - toleranceMs) return 'its time of authentication is earlier than this sign-in';
  return acrValues.includes(acr) ? undefined : 'CUSTOMER_AUTHENTICATION_ACR does not name its acr';
}

/** The customers of a result without a fault. The bank's clock may be a little ahead of ours. */
export function signedInBy({ customers, authenticatedAt }: AuthenticationResult, nowMs: number): SignedInCustomer[] {
  const authenticatedAtMs = Math.min(authenticatedAt.getTime(), nowMs);
  return customers.map(({ customerRef, customerRefs, displayName }) => ({
    customerRef,
    ...(customerRefs && { customerRefs }),
    displayName,
    authenticatedAtMs,
  }));
}
