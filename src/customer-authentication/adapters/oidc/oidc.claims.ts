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
 * The customer of the claims: a reference and a name; or, where the person acts for several, a list of objects that have the
 * members `ref` and `name`.
 */
export function customersOf(
  claims: Claims,
  { customerClaim, nameClaim }: ClaimNames,
): readonly [AuthenticatedCustomer, ...AuthenticatedCustomer[]] {
  const value: unknown = claims[customerClaim];
  const listed = Array.isArray(value)
    ? value.map(listedCustomer)
    : [{ customerRef: value, displayName: claims[nameClaim] }];
  const [first, ...others] = listed.filter(isCustomer);
  if (first === undefined || others.length + 1 < listed.length)
    throw new CustomerAuthenticationUnavailable(
      'the OpenID provider’s claims lack the customer’s reference or name: see CUSTOMER_AUTHENTICATION_CUSTOMER_CLAIM and CUSTOMER_AUTHENTICATION_NAME_CLAIM',
    );
  return [first, ...others];
}

function listedCustomer(entry: unknown): { customerRef: unknown; displayName: unknown } {
  const { ref, name } = (typeof entry === 'object' && entry !== null ? entry : {}) as { ref?: unknown; name?: unknown };
  return { customerRef: ref, displayName: name };
}

function isCustomer(given: { customerRef: unknown; displayName: unknown }): given is AuthenticatedCustomer {
  return typeof given.customerRef === 'string' && typeof given.displayName === 'string';
}
