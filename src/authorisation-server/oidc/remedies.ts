/** The library's words for a refusal that name no next step, each with that step. No value of the request is repeated. */
const remedies: Readonly<Record<string, string>> = {
  'client authentication failed':
    'use the key or the certificate that is registered for this client. A certificate must be valid now, and of an ' +
    'accepted authority unless it is registered itself',
  'no client authentication mechanism provided':
    'send client_id with the registered certificate, or client_assertion with client_assertion_type',
  'unsupported grant_type requested': 'this server knows client_credentials, authorization_code and refresh_token',
  'requested response_mode is not allowed for this client or request':
    'send response_type=code under FAPI 2.0; under FAPI 1.0 send response_type=code id_token, or code with response_mode=jwt',
  'Authorization Server policy requires PKCE to be used for this request':
    'send code_challenge, and code_challenge_method=S256',
  'not supported value of code_challenge_method': 'send S256',
  'claims parameter should have userinfo or id_token properties':
    'name the consent in claims.id_token.openbanking_intent_id.value',
  'Structured JWT Tokens cannot be revoked via the revocation_endpoint':
    'revoke the refresh token, or delete the consent, which ends every token of it',
};

/** The same for the library's one text for every refused grant, by grant type. */
const invalidGrant = 'grant request is invalid';
const grantRemedies: Readonly<Record<string, string>> = {
  client_credentials: 'connect with the certificate of the TPP, issued by an authority that the bank accepts',
  authorization_code:
    'the code is unknown, used or expired, its redirect_uri, code_verifier or client is not that of its request, or the ' +
    'connection has no accepted certificate. Begin another authorization request',
  refresh_token:
    'the refresh token is unknown, its consent has expired or was withdrawn, a later authorisation of the consent took the ' +
    'place of the one of this token, or the connection has no accepted certificate. Use the tokens of the later ' +
    'authorisation, or read the status of the consent, or create a new consent',
};

/**
 * The body of a refusal, with the next step where the library names none.
 * @param grantType that the request asked for, if any
 */
export function withRemedy(body: unknown, grantType: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('error_description' in body)) return body;
  const { error_description: description } = body;
  if (typeof description !== 'string') return body;
  const [table, key] = description === invalidGrant ? [grantRemedies, String(grantType)] : [remedies, description];
  return Object.hasOwn(table, key) ? { ...body, error_description: `${description}: ${table[key]}` } : body;
}
