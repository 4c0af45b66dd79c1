/** The scope of the account information API. */
export const accountsScope = 'accounts';

/** Every OAuth scope that a TPP may ask for, with its meaning. */
export const scopes = {
  openid: 'An id token that names the consent.',
  [accountsScope]: 'Account access consents, and the account information that a customer has consented to.',
} as const;

export const scopeNames: readonly string[] = Object.keys(scopes);
