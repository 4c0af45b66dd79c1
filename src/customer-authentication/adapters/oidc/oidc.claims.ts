import type { IDToken } from 'openid-client';
import {
  CustomerAuthenticationUnavailable,
  type AuthenticatedCustomer,
} from '../../../../packages/customer-authentication/published-port.js';
import type { OidcSettings } from './oidc.settings.js';

export type Claims = IDToken;

type ClaimNames = Pick<OidcSettings, 'customerClaim' | 'nameClaim'>;

/** Whether the provider has put claims elsewhere than into the ID token. */
export function lacksClaims(claims: Claims, { customerClaim, nameClaim }: ClaimNames): boolean {
  return (
    claims[customerClaim] === undefined ||
    (typeof claims[customerClaim] === 'string' && claims[nameClaim] === undefined)
  );
}

/**
 * The customer of the claims: a reference and a name; or a list of objects that have the members `ref` and `name`, for a
 * person who acts for several customers, and `refs` where several cores know the customer by different references.
 */
export function customersOf(
  claims: Claims,
  { customerClaim, nameClaim }: ClaimNames,
): readonly [AuthenticatedCustomer, ...AuthenticatedCustomer[]] {
  const value: unknown = claims[customerClaim];
  const listed: ClaimedCustomer[] = Array.isArray(value)
    ? value.map(listedCustomer)
    : [{ customerRef: value, displayName: claims[nameClaim] }];
  const [first, ...others] = listed.filter(isCustomer);
  if (first === undefined || others.length + 1 < listed.length)
    throw new CustomerAuthenticationUnavailable(
      'the OpenID provider’s claims lack the customer’s reference or name: see CUSTOMER_AUTHENTICATION_CUSTOMER_CLAIM and CUSTOMER_AUTHENTICATION_NAME_CLAIM',
    );
  return [first, ...others];
}

interface ClaimedCustomer {
  readonly customerRef: unknown;
  readonly customerRefs?: unknown;
  readonly displayName: unknown;
}

function listedCustomer(entry: unknown): ClaimedCustomer {
  const { ref, refs, name } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>;
  return { customerRef: ref, ...(refs !== undefined && { customerRefs: refs }), displayName: name };
}

function isCustomer(given: ClaimedCustomer): given is AuthenticatedCustomer {
  const { customerRef, customerRefs = {}, displayName } = given;
  const refs: unknown[] = typeof customerRefs === 'object' && customerRefs ? Object.values(customerRefs) : [undefined];
  return [customerRef, displayName, ...refs].every((text) => typeof text === 'string');
}
