import { canBeAnswered, hasExpired } from '../../consents/access.policy.js';
import { strongAuthentication } from '../../open-banking/authentication-classes.js';
import { scopeOfKind, type ApiScope } from '../../open-banking/scopes.js';
import { embeddedIssuer, isSameTpp, tppId } from '../../open-banking/tpp-id.js';
import type { Consent } from '../../consents/consent.js';
import { member } from '../tpps/json-member.js';

/** The claim that names the consent: Open Banking Security Profile, "Request Object". */
export const intentClaim = 'openbanking_intent_id';

/** The consent that a request's `claims` name, and the authentication that they demand. */
interface AskedIntent {
  readonly consentId: string;
}

/** The fault of a request, as an OAuth error code and its description; the TPP may see both. */
export interface IntentFault {
  readonly error: 'invalid_request' | 'invalid_scope' | 'unmet_authentication_requirements';
  readonly description: string;
  /** For the trail, where it says more than the error. */
  readonly reason?: 'intent-missing' | 'intent-unknown' | 'consent-ended';
}

/** Reads the intent of the id token from the `claims` parameter. An intent for userinfo must be the same. */
export function readIntent(claims: unknown): AskedIntent | IntentFault {
  const idToken = member(claims, 'id_token');
  const consentId = member(member(idToken, intentClaim), 'value');
  if (typeof consentId !== 'string' || consentId === '' || consentId.length > 128)
    return invalid('intent-missing', `claims.id_token.${intentClaim}.value must be the id of a consent`);
  const userinfo = member(member(member(claims, 'userinfo'), intentClaim), 'value');
  if (userinfo !== undefined && userinfo !== consentId)
    return invalid('intent-missing', `claims.userinfo.${intentClaim} must be that of the id_token`);
  const acr = member(idToken, 'acr');
  const values = member(acr, 'values');
  const accepted = Array.isArray(values) ? values : member(acr, 'value') === undefined ? [] : [member(acr, 'value')];
  if (member(acr, 'essential') === true && accepted.length > 0 && !accepted.includes(strongAuthentication))
    return {
      error: 'unmet_authentication_requirements',
      description: `customers are authenticated with ${strongAuthentication} only`,
    };
  return { consentId };
}

/**
 * Whether a customer may be asked for this consent, before any page is shown. An unknown consent and a consent of another TPP
 * get the same answer.
 * @param clientId of a TPP of this authorization server
 * @param scopes of the API that the request asks for
 */
export function intentFault(
  consent: Consent | undefined,
  clientId: string,
  scopes: readonly ApiScope[],
  nowMs: number,
): IntentFault | undefined {
  if (consent === undefined || !isSameTpp(consent.tpp, tppId(embeddedIssuer, clientId)))
    return invalid('intent-unknown', `${intentClaim} names no consent of this client`);
  const scope = scopeOfKind[consent.kind];
  if (!scopes.includes(scope))
    return { error: 'invalid_scope', description: `the request lacks the scope ${scope}, which this consent needs` };
  if (!canBeAnswered(consent)) return invalid('consent-ended', `the consent is ${consent.status}`);
  if (hasExpired(consent, nowMs)) return invalid('consent-ended', 'the consent has expired');
  return undefined;
}

function invalid(reason: IntentFault['reason'] & string, description: string): IntentFault {
  return { error: 'invalid_request', description, reason };
}
