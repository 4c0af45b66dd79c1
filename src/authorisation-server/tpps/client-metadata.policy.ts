import { isIP } from 'node:net';
import type { ClientMetadata } from 'oidc-provider';
import { apiScopesIn, scopes } from '../../open-banking/scopes.js';
import { isHttpsUrl, strictOrigin } from '../../security/strict-url.policy.js';
import { isFapi2, profileFault, termsOf } from './fapi-profiles.policy.js';
import { isDistinguishedName, subjectForm } from './subject-dn.js';

/** Rules for a TPP's metadata beyond the library's own checks: RFC 7591, section 2, and RFC 8705. */

/** The members that a TPP may register. Any other has no effect or an unwanted one. */
const members = new Set([
  'client_id',
  'client_name',
  'client_uri',
  'logo_uri',
  'policy_uri',
  'tos_uri',
  'contacts',
  'scope',
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
/** The forms of the names by which a certificate is recognised (RFC 8705, section 2.1.2). No certificate has a name of another form. */
const certificateNames: Readonly<Record<string, readonly [isOne: (name: string) => boolean, form: string]>> = {
  tls_client_auth_subject_dn: [isDistinguishedName, subjectForm],
  tls_client_auth_san_dns: [(name) => /^[\w*-]+(\.[\w-]+)*$/.test(name), 'a host name, such as tpp.example'],
  tls_client_auth_san_uri: [(name) => URL.canParse(name) && !/[\s,]/.test(name), 'a URI, such as https://tpp.example/'],
  tls_client_auth_san_ip: [(name) => isIP(name) !== 0, 'an IP address, such as 192.0.2.1'],
  tls_client_auth_san_email: [(name) => /^[^\s,:@]+@[^\s,:@]+$/.test(name), 'an email address, such as it@tpp.example'],
};
/** Members whose value is one URL. */
const urlMembers = ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri', 'jwks_uri'];
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

export interface MetadataFault {
  /** The error codes of RFC 7591, section 3.2.2. */
  readonly error: 'invalid_client_metadata' | 'invalid_redirect_uri';
  /** Begins with the name of the member at fault, if any. */
  readonly description: string;
}

/** The token of the {@link MetadataTerms} that hold here. */
export const METADATA_TERMS = Symbol('METADATA_TERMS');

export interface MetadataTerms {
  /** Whether gateway and customers' browsers are on the same machine, where a TPP may be as well. */
  readonly sandbox: boolean;
  /** Whether a URL is one of the configured directory: it may be without TLS, where that is on this machine. */
  readonly isDirectoryUrl: (url: string) => boolean;
}

export function metadataFault(
  metadata: Readonly<Record<string, unknown>>,
  { sandbox, isDirectoryUrl }: MetadataTerms,
): MetadataFault | undefined {
  const invalid = (description: string): MetadataFault => ({ error: 'invalid_client_metadata', description });
  const unknown = Object.keys(metadata).find((member) => !members.has(member));
  if (unknown !== undefined) return invalid(`${unknown} is not a member that can be registered`);
  const { application_type: type, redirect_uris: redirectUris, jwks_uri: jwksUri } = metadata;
  if (metadata['scope'] !== undefined && !isScope(metadata['scope']))
    return invalid(`scope must be a text of ${Object.keys(scopes).join(', ')}`);
  // A native application's loopback redirect URIs match on any port: ours match exactly.
  if (type !== undefined && type !== 'web') return invalid('application_type must be web');
  if (!Array.isArray(redirectUris) || redirectUris.length === 0)
    return { error: 'invalid_redirect_uri', description: 'redirect_uris must be a list of one URI or more' };
  const wrong = redirectUris.findIndex((uri) => !isRedirectUri(uri, sandbox));
  if (wrong >= 0)
    return {
      error: 'invalid_redirect_uri',
      description: `redirect_uris[${wrong}] must be an https URI without user name and fragment, of one host and without wildcards`,
    };
  if (jwksUri !== undefined && !isHttpsUrl(jwksUri) && !(typeof jwksUri === 'string' && isDirectoryUrl(jwksUri)))
    return invalid('jwks_uri must be an https URL of one host');
  for (const [member, [isOne, form]] of Object.entries(certificateNames)) {
    const name = metadata[member];
    if (name !== undefined && !(typeof name === 'string' && isOne(name))) return invalid(`${member} must be ${form}`);
  }
  const ofProfile = profileFault(metadata);
  if (ofProfile !== undefined) return invalid(ofProfile);
  const notOne = urlMembers.find(
    (member) => metadata[member] !== undefined && strictOrigin(metadata[member]) === undefined,
  );
  return notOne === undefined ? undefined : invalid(`${notOne} must be an http or https URL of one host`);
}

/**
 * The usable part of stored metadata. The registry refuses an invalid redirect URI, but a plain one of this machine is valid
 * only while browsers are on this machine, and a row may come from elsewhere. No customer is sent to such a URI.
 * `undefined` where no redirect URI is left.
 */
export function usableMetadata<Metadata extends { readonly redirect_uris?: readonly unknown[] | undefined }>(
  metadata: Metadata,
  { sandbox }: Pick<MetadataTerms, 'sandbox'>,
): Metadata | undefined {
  const { redirect_uris: stored = [] } = metadata;
  const usable = stored.filter((uri) => isRedirectUri(uri, sandbox));
  if (usable.length === 0) return undefined;
  return usable.length === stored.length ? metadata : { ...metadata, redirect_uris: usable };
}

function isScope(text: unknown): boolean {
  return apiScopesIn(text).length > 0 && (text as string).split(' ').every((scope) => Object.hasOwn(scopes, scope));
}

function isRedirectUri(uri: unknown, sandbox: boolean): boolean {
  const origin = strictOrigin(uri);
  if (origin === undefined || /[#*]/.test(uri as string)) return false;
  return origin.startsWith('https:') || (sandbox && isLoopback(origin));
}

/**
 * The metadata with how the client must send authorization requests, which no registration can change: by FAPI 1.0 Advanced,
 * section 5.2.2, in a signed request object, by FAPI 2.0 Security Profile, section 5.3.2.2, pushed. Only the
 * client can make such a request: a person who knows a client id and a ConsentId cannot begin a journey for the consent.
 * Response types and modes are those of the profile. The library accepts no scope of an API in `scope`.
 */
export function withRequestRules({ scope: _ofApi, ...metadata }: ClientMetadata): ClientMetadata {
  const { algorithms, responseTypes, responseModes } = termsOf(metadata);
  const { response_types: types = responseTypes, token_endpoint_auth_method: method = 'private_key_jwt' } = metadata;
  const [only, ...others] = algorithms;
  return {
    // Without it a client that registered no algorithm could sign with any.
    ...(others.length === 0 && {
      request_object_signing_alg: only,
      ...(method === 'private_key_jwt' && { token_endpoint_auth_signing_alg: only }),
    }),
    ...metadata,
    response_types: types.filter((type) => responseTypes.includes(type)),
    response_modes: [...responseModes],
    ...(isFapi2(metadata) ? { require_pushed_authorization_requests: true } : { require_signed_request_object: true }),
  };
}

/** Whether an origin leads to the caller's own machine. */
export function isLoopback(origin: string): boolean {
  return loopback.has(new URL(origin).hostname);
}
