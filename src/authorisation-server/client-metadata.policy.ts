import type { ClientMetadata } from 'oidc-provider';

/** What a TPP may register beyond what the library itself checks: RFC 7591, section 2, and RFC 8705. */

/** Every other member would have no effect here, or one that nobody asked for. */
const members = new Set([
  'client_id',
  'client_name',
  'client_uri',
  'logo_uri',
  'policy_uri',
  'tos_uri',
  'contacts',
  'application_type',
  'redirect_uris',
  'response_types',
  'grant_types',
  'token_endpoint_auth_method',
  'token_endpoint_auth_signing_alg',
  'tls_client_auth_subject_dn',
  'tls_client_auth_san_dns',
  'tls_client_auth_san_uri',
  'tls_client_auth_san_ip',
  'tls_client_auth_san_email',
  'tls_client_certificate_bound_access_tokens',
  'jwks',
  'jwks_uri',
  'request_object_signing_alg',
  'require_signed_request_object',
  'require_pushed_authorization_requests',
  'id_token_signed_response_alg',
  'authorization_signed_response_alg',
  'fapi_profile',
]);
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

export interface MetadataFault {
  /** As RFC 7591, section 3.2.2, tells the two apart. */
  readonly error: 'invalid_client_metadata' | 'invalid_redirect_uri';
  /** Begins with the member's name where one is at fault. */
  readonly description: string;
}

/** What is peculiar to a gateway in what may be registered with it. */
export interface MetadataTerms {
  /** Whether customers' browsers reach us on their own machine, where a TPP may be as well. */
  readonly sandbox: boolean;
  /** Whether a URL is one of the configured directory: it may be without TLS, where that is on this machine. */
  readonly isDirectorys: (url: string) => boolean;
}

export function metadataFault(
  metadata: Readonly<Record<string, unknown>>,
  { sandbox, isDirectorys }: MetadataTerms,
): MetadataFault | undefined {
  const invalid = (description: string): MetadataFault => ({ error: 'invalid_client_metadata', description });
  const unknown = Object.keys(metadata).find((member) => !members.has(member));
  if (unknown !== undefined) return invalid(`${unknown} is not a member that can be registered`);
  const { application_type: type, redirect_uris: redirectUris, jwks_uri: jwksUri } = metadata;
  // A native application's loopback redirect URIs match on any port: ours match exactly.
  if (type !== undefined && type !== 'web') return invalid('application_type must be web');
  if (!Array.isArray(redirectUris) || redirectUris.length === 0)
    return { error: 'invalid_redirect_uri', description: 'redirect_uris must be a list of one URI or more' };
  const wrong = redirectUris.findIndex((uri) => !isRedirectUri(uri, sandbox));
  if (wrong >= 0)
    return {
      error: 'invalid_redirect_uri',
      description: `redirect_uris[${wrong}] must be an https URI without user name and fragment`,
    };
  if (
    jwksUri !== undefined &&
    !(typeof jwksUri === 'string' && (/^https:\/\//i.test(jwksUri) || isDirectorys(jwksUri)))
  )
    return invalid('jwks_uri must be an https URL');
  return undefined;
}

function isRedirectUri(uri: unknown, sandbox: boolean): boolean {
  if (typeof uri !== 'string' || !URL.canParse(uri)) return false;
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== '' || password !== '' || uri.includes('#')) return false;
  return protocol === 'https:' || (sandbox && protocol === 'http:' && loopback.has(hostname));
}

/** Whether the client registered FAPI 2.0; all others speak FAPI 1.0 Advanced. */
export function isFapi2(client: Readonly<Record<string, unknown>> | undefined): boolean {
  return client?.['fapi_profile'] === '2.0';
}

/**
 * The metadata with how the client must send authorization requests, which no registration can change: by FAPI 1.0
 * (Advanced, section 5.2.2, clause 1) in a signed request object, by FAPI 2.0 (section 5.3.2.2) pushed. Nobody but the
 * client can make such a request: who knows a client id and a ConsentId cannot begin a journey for the consent.
 */
export function withRequestRules(metadata: ClientMetadata): ClientMetadata {
  return isFapi2(metadata)
    ? { ...metadata, require_pushed_authorization_requests: true }
    : { ...metadata, require_signed_request_object: true };
}

/** Whether an origin leads to the machine of who follows it. */
export function isLoopback(origin: string): boolean {
  return loopback.has(new URL(origin).hostname);
}
