import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import type { ConsentService } from '../../consents/consent.service.js';
import { intentClaim } from './intent.policy.js';

/**
 * The claims of an access token about the customer's consent; RFC 9068 defines the others. Called when a token is about to
 * be issued, after its code was used up.
 * @param entities the library's entities of the token request
 */
export async function consentClaims(
  entities: KoaContextWithOIDC['oidc']['entities'],
  token: { kind: string },
  consents: Pick<ConsentService, 'beginAuthorisation'>,
): Promise<Record<string, unknown> | undefined> {
  if (token.kind !== 'AccessToken') return undefined;
  const source = entities.AuthorizationCode ?? entities.RefreshToken;
  const authorisationId = source?.grantId;
  if (source?.accountId === undefined || authorisationId === undefined)
    throw new errors.InvalidGrant('the token has no consent');
  if ((await consents.beginAuthorisation(source.accountId, authorisationId)) === undefined)
    throw new errors.InvalidGrant('the authorisation is over: the consent ended, or a later one took its place');
  return {
    [intentClaim]: source.accountId,
    authorisation_id: authorisationId,
    // The time of the authentication and not of this token: a refresh must not open the window again.
    auth_time: source.authTime,
    acr: source.acr,
  };
}
