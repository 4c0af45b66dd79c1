import type { RefusingCheck } from '../../open-banking/checks.js';
import { oauthReasons } from '../../open-banking/oauth-reasons.js';
import type { RefusalReason } from '../../open-banking/reasons.js';

/** An error of OAuth, as the library throws it and as an answer has it. `error_detail` stays with the bank. */
export interface OAuthFault {
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
  readonly error_detail?: string | undefined;
}

type Words = readonly (readonly [part: string, reason: RefusalReason])[];

/**
 * The reason of each error: the first row of whose words the description or the detail has a part. An empty part is the
 * reason of any other words. Only the reason leaves this table: a description may repeat a value of the request.
 */
export const reasonsByError: Readonly<Record<string, Words>> = {
  invalid_client: [
    ['client not found', 'client-unknown'],
    ['the provided authentication mechanism does not match', 'client-method-wrong'],
    ['client certificate was not', 'client-certificate-unusable'],
    ['certificate subject value does not match', 'client-certificate-wrong'],
    ['unregistered client certificate provided', 'client-certificate-wrong'],
    ['the certificate of the connection is not', 'client-certificate-wrong'],
    ['client assertion tokens must only be used once', 'client-assertion-used'],
    ['the client assertion has expired', 'client-assertion-expired'],
    ['jwt expired', 'client-assertion-expired'],
    ['invalid_client_metadata', 'client-keys-away'],
    ['', 'client-assertion-invalid'],
  ],
  invalid_request: [
    ['no client authentication mechanism provided', 'client-method-wrong'],
    ['invalid client_assertion format', 'client-assertion-invalid'],
    ['requested grant type is not allowed', 'grant-type-refused'],
    ['requested response_type is not allowed', 'response-type-refused'],
    ['requested response_mode is not allowed', 'response-type-refused'],
    ['Request Object must be used', 'request-object-missing'],
    ['Pushed Authorization Request must be used', 'push-missing'],
    ['Authorization Server policy requires PKCE', 'pkce-failed'],
    ['code_challenge', 'pkce-failed'],
    ['code_verifier', 'pkce-failed'],
    ['must have at most', 'parameters-too-large'],
    ['openbanking_intent_id names no consent', 'intent-unknown'],
    ['openbanking_intent_id', 'intent-missing'],
    ['the consent is ', 'consent-ended'],
    ['the consent has expired', 'consent-ended'],
    ['authorization request has expired', 'journey-expired'],
    ['interaction session', 'journey-expired'],
    ['', 'parameters-invalid'],
  ],
  invalid_grant: [
    ['authorization code not found', 'code-unknown'],
    ['authorization code is expired', 'code-expired'],
    ['already consumed', 'code-used'],
    ['used before', 'code-used'],
    ['redirect_uri mismatch', 'redirect-uri-changed'],
    ['code_verifier', 'pkce-failed'],
    ['code_challenge', 'pkce-failed'],
    ['refresh token not found', 'refresh-token-unknown'],
    ['refresh token is expired', 'refresh-token-expired'],
    ['client mismatch', 'grant-of-another-client'],
    ['client certificate not provided', 'client-certificate-unusable'],
    ['grant not found', 'authorisation-over'],
    ['grant is expired', 'authorisation-over'],
    ['referenced account not found', 'authorisation-over'],
    ['the authorisation is over', 'authorisation-over'],
  ],
  invalid_request_object: [
    ['invalid_client_metadata', 'client-keys-away'],
    ['must have at most', 'parameters-too-large'],
    ['', 'request-object-invalid'],
  ],
  temporarily_unavailable: [
    ['too many requests from this', 'failed-requests'],
    ['', 'rate-limit'],
  ],
  unapproved_software_statement: [
    ['the certificate of the connection', 'registration-certificate-wrong'],
    ['the software is registered already', 'registration-exists'],
    ['the software is suspended', 'tpp-suspended'],
    ['', 'statement-unapproved'],
  ],
  invalid_redirect_uri: [['', 'redirect-uri-not-registered']],
  invalid_request_uri: [['', 'request-uri-invalid']],
  request_uri_not_supported: [['', 'request-uri-invalid']],
  invalid_scope: [['', 'scope-refused']],
  invalid_target: [['', 'resource-unknown']],
  unsupported_grant_type: [['', 'grant-type-refused']],
  unsupported_response_type: [['', 'response-type-refused']],
  unsupported_response_mode: [['', 'response-type-refused']],
  unsupported_token_type: [['', 'token-kind-refused']],
  unmet_authentication_requirements: [['', 'authentication-class-unknown']],
  login_required: [['', 'customer-needed']],
  consent_required: [['', 'customer-needed']],
  interaction_required: [['', 'customer-needed']],
  access_denied: [['', 'approval-missing']],
  invalid_client_metadata: [['', 'registration-invalid']],
  invalid_software_statement: [['', 'statement-invalid']],
};

/** The reason of a refusal by OAuth; one from the closed list for every error. */
export function reasonOfFault({ error = '', error_description = '', error_detail = '' }: OAuthFault): RefusalReason {
  const words = Object.hasOwn(reasonsByError, error) ? reasonsByError[error] : undefined;
  const row = words?.find(([part]) => error_description.includes(part) || error_detail.includes(part));
  return row?.[1] ?? 'refused-otherwise';
}

const checksOfOthers: Partial<Record<RefusalReason, RefusingCheck>> = {
  'host-repeated': 'host',
  'host-foreign': 'host',
  'path-unknown': 'path',
  'method-not-allowed': 'method',
  'media-type': 'body',
  'body-too-large': 'body',
  'rate-limit': 'rate limit',
  'token-missing': 'token',
  'client-token-needed': 'token',
  'token-invalid': 'token',
  'token-expired': 'token',
  'token-issuer-unknown': 'token',
  'certificate-missing': 'token',
  'certificate-of-another': 'token',
  'tpp-not-registered': 'token',
  'tpp-suspended': 'registration',
  'consent-ended': 'consent',
};
const checksByReason: Partial<Record<RefusalReason, RefusingCheck>> = { ...checksOfOthers, ...oauthReasons };

/** States in the context of a request why it was refused, and by which check. */
export function refuse(
  context: { reason: RefusalReason | undefined; refusedBy: RefusingCheck | undefined },
  reason: RefusalReason,
): void {
  context.reason = reason;
  context.refusedBy = checksByReason[reason];
}
