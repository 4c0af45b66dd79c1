/** The checks of a request to the authorization server, as far as they differ from those of the API. */
export type OAuthCheck =
  | 'client authentication'
  | 'parameters'
  | 'grant'
  | 'redirect uri'
  | 'request object'
  | 'consent'
  | 'customer'
  | 'registration';

type Checks = Readonly<Record<string, OAuthCheck | 'rate limit' | 'scope'>>;

/** The error codes of OAuth and OpenID Connect with which the authorization server refuses, each with the check that refuses. */
const errorCodes = {
  invalid_client: 'client authentication',
  unauthorized_client: 'client authentication',
  invalid_request: 'parameters',
  invalid_target: 'parameters',
  unsupported_grant_type: 'parameters',
  unsupported_response_type: 'parameters',
  unsupported_response_mode: 'parameters',
  unsupported_token_type: 'parameters',
  invalid_scope: 'scope',
  invalid_grant: 'grant',
  invalid_redirect_uri: 'redirect uri',
  invalid_request_object: 'request object',
  invalid_request_uri: 'request object',
  request_not_supported: 'request object',
  request_uri_not_supported: 'request object',
  unmet_authentication_requirements: 'customer',
  login_required: 'customer',
  consent_required: 'customer',
  interaction_required: 'customer',
  access_denied: 'customer',
  invalid_client_metadata: 'registration',
  invalid_software_statement: 'registration',
  unapproved_software_statement: 'registration',
} as const satisfies Checks;

/** The reasons of the gateway itself, where it knows more than the error code says. */
const ownReasons = {
  'client-unknown': 'client authentication',
  'client-certificate-wrong': 'client authentication',
  'client-keys-unreachable': 'client authentication',
  'failed-requests': 'rate limit',
  'parameters-too-large': 'parameters',
  'page-preview': 'parameters',
  'refused-otherwise': 'parameters',
  'authorisation-over': 'grant',
  'intent-missing': 'consent',
  'intent-unknown': 'consent',
  'journey-expired': 'customer',
  'registration-certificate-wrong': 'registration',
  'registration-exists': 'registration',
  'registration-of-another': 'registration',
} as const satisfies Checks;

/** Why the authorization server refused a request, each with the check that refused it. */
export const oauthReasons = { ...errorCodes, ...ownReasons } as const;
export type OAuthReason = keyof typeof oauthReasons;

/** The error codes of OAuth and OpenID Connect with which the authorization server refuses. */
export type OAuthErrorCode = keyof typeof errorCodes;
export const oauthErrorCodes = Object.keys(errorCodes) as OAuthErrorCode[];

export function isErrorCode(code: unknown): code is OAuthErrorCode {
  return oauthErrorCodes.some((errorCode) => errorCode === code);
}

/** The reason of an error code; one from the closed list for every code. */
export function reasonOfCode(code?: string): OAuthReason {
  return isErrorCode(code) ? code : 'refused-otherwise';
}
