import { CustomerAuthenticationUnavailable } from '../../../../packages/customer-authentication/published-port.js';

/** A fault by its code alone: the library's message may quote tokens and the provider's words. */
export function providerFault(error: unknown): CustomerAuthenticationUnavailable {
  for (let cause = error; cause instanceof Error; { cause } = cause)
    if (cause instanceof CustomerAuthenticationUnavailable) return cause;
  const { code } = error as { readonly code?: unknown };
  const reason = typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code) ? code : nameOf(error);
  return new CustomerAuthenticationUnavailable(`the OpenID provider’s answer is refused (${reason})`);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'no error';
}
