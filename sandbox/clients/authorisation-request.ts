import * as oidc from 'openid-client';
import type { ApiScope } from '../../src/open-banking/scopes.js';
import type { BankConnection } from './bank-connection.js';

/** This TPP remembers it from sending a customer to the bank until they come back. */
export interface Departure {
  readonly consentId: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** The standard's name of strong customer authentication. */
export const strongAuthentication = 'urn:openbanking:psd2:sca';

/** Pushes a signed request for the customer's authorisation of the consent: the browser must be sent to `url`. */
export async function depart(
  { config, signer }: BankConnection,
  redirectUri: string,
  consentId: string,
  scope: ApiScope,
): Promise<{ url: URL; departure: Departure }> {
  const departure: Departure = {
    consentId,
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    codeVerifier: oidc.randomPKCECodeVerifier(),
  };
  const signed = await oidc.buildAuthorizationUrlWithJAR(
    config,
    {
      redirect_uri: redirectUri,
      scope: `openid ${scope}`,
      state: departure.state,
      nonce: departure.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(departure.codeVerifier),
      code_challenge_method: 'S256',
      claims: JSON.stringify({
        id_token: {
          openbanking_intent_id: { value: consentId, essential: true },
          acr: { value: strongAuthentication, essential: true },
        },
      }),
    },
    signer,
  );
  return { url: await oidc.buildAuthorizationUrlWithPAR(config, signed.searchParams), departure };
}
