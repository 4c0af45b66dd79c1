import type { ConsentKind } from './consent-state.js';

/** The scope of a client-credentials token that manages consents of a kind, and of the tokens of such a consent. */
export const scopeOfKind = {
  'account-access': 'accounts',
  'funds-confirmation': 'fundsconfirmations',
} as const satisfies Record<ConsentKind, string>;
export type ApiScope = (typeof scopeOfKind)[ConsentKind];

/** Every OAuth scope that a TPP may ask for, with its meaning. */
export const scopes = {
  openid: 'An id token that names the consent.',
  accounts: 'Account access consents, and the account information that a customer has consented to.',
  fundsconfirmations: 'Consents for confirmation of funds, and the checks that a customer has consented to.',
} as const satisfies Record<ApiScope | 'openid', string>;

/** The scopes of the API that a text of scopes has. */
export function apiScopesIn(text: unknown): readonly ApiScope[] {
  const scopes = typeof text === 'string' ? text.split(' ') : [];
  return Object.values(scopeOfKind).filter((scope) => scopes.includes(scope));
}
