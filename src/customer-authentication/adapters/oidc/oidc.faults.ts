import * as client from 'openid-client';
import {
  CustomerAuthenticationUnavailable,
  isCustomerAuthenticationUnavailable,
} from '../../../../packages/customer-authentication/published-port.js';

/** A fault by its code alone: the library's message may quote tokens and the provider's words. */
export function providerFault(error: unknown): CustomerAuthenticationUnavailable {
  const remedy = isNotTheClient(error)
    ? '; it does not accept the gateway: compare CUSTOMER_AUTHENTICATION_CLIENT_ID, and the secret, key or certificate, with its registration there'
    : '';
  return unavailable(error, (reason) => `the OpenID provider’s answer is refused (${reason})${remedy}`);
}

/** A fault of the provider's discovery document, which names the setting with its address. */
export function discoveryFault(error: unknown): CustomerAuthenticationUnavailable {
  return unavailable(error, (reason) =>
    reason === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'
      ? 'the OpenID provider’s discovery document names another issuer: set CUSTOMER_AUTHENTICATION_URL to that issuer, letter for letter'
      : `CUSTOMER_AUTHENTICATION_URL has no discovery document at /.well-known/openid-configuration (${reason})`,
  );
}

function unavailable(error: unknown, say: (reason: string) => string): CustomerAuthenticationUnavailable {
  for (let cause = error; cause instanceof Error; { cause } = cause)
    if (isCustomerAuthenticationUnavailable(cause)) return cause;
  const { code } = error as { readonly code?: unknown };
  return new CustomerAuthenticationUnavailable(
    say(typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code) ? code : nameOf(error)),
  );
}

/** The provider refuses the gateway's own proof: RFC 6749 gives it this error, or HTTP's scheme of the client secret. */
function isNotTheClient(error: unknown): boolean {
  if (error instanceof client.WWWAuthenticateChallengeError)
    return error.cause.some(({ scheme }) => scheme === 'basic');
  return error instanceof client.ResponseBodyError && error.error === 'invalid_client';
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'no error';
}
