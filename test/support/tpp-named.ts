import { tppId, type TppId } from '../../src/open-banking/tpp-id.js';

/** An issuer of TPPs in tests that need only its name. */
export const anIssuer = 'https://as.example';

export function tppNamed(clientId: string, issuer = anIssuer): TppId {
  return tppId(issuer, clientId);
}
