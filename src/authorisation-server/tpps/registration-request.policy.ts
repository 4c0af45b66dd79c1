import type { JWTPayload } from 'jose';
import type { X509Certificate } from 'node:crypto';
import { apiScopesIn } from '../../open-banking/scopes.js';
import { termsOf } from './fapi-profiles.policy.js';
import { scopesAllowedBy } from './qc-statements.js';
import type { RegistrationFault, SoftwareStatement } from './software-statement.policy.js';
import { isDistinguishedName, isSubject, subjectForm } from './subject-dn.js';

/** The members that a TPP chooses freely. All others are ignored (RFC 7591, section 2). */
const asAsked = [
  'token_endpoint_auth_method',
  'token_endpoint_auth_signing_alg',
  'grant_types',
  'response_types',
  'id_token_signed_response_alg',
  'request_object_signing_alg',
  'tls_client_auth_subject_dn',
  'fapi_profile',
] as const;

/**
 * The client metadata that a registration request asks for (Open Banking Dynamic Client Registration 3.3, data model), as
 * far as the statement allows it.
 * @param certificate with which it came
 */
export function requestedMetadata(
  request: JWTPayload,
  statement: SoftwareStatement,
  clientId: string,
  certificate: X509Certificate,
): { readonly metadata: Readonly<Record<string, unknown>> } | RegistrationFault {
  const invalid = (description: string): RegistrationFault => ({ error: 'invalid_client_metadata', description });
  const { redirect_uris: redirectUris = statement.redirectUris } = request;
  const stranger = identityFault(request, statement, clientId);
  if (stranger !== undefined) return invalid(stranger);
  if (!Array.isArray(redirectUris) || !redirectUris.every((uri) => statement.redirectUris.includes(uri as string)))
    return {
      error: 'invalid_redirect_uri',
      description: 'redirect_uris must be a list of URIs that the software statement has',
    };
  const allowed = scopesAllowedBy(certificate.raw).filter((scope) => statement.scopes.includes(scope));
  const { scope: asked = allowed.join(' ') } = request;
  const scopes = apiScopesIn(asked).filter((scope) => allowed.includes(scope));
  if (scopes.length === 0) return invalid(`scope must contain ${allowed.join(' or ')}`);
  const fault = memberFault(request, certificate.subject);
  if (fault !== undefined) return invalid(fault);
  return {
    metadata: {
      client_id: clientId,
      client_name: statement.name,
      redirect_uris: redirectUris,
      scope: ['openid', ...scopes].join(' '),
      jwks_uri: statement.keysUrl,
      response_types: termsOf(request).responseTypes,
      id_token_signed_response_alg: 'PS256',
      request_object_signing_alg: 'PS256',
      ...Object.fromEntries(asAsked.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]]]))),
    },
  };
}

/** Whether the request is of the software and of the client that it came for. */
function identityFault(request: JWTPayload, { softwareId }: SoftwareStatement, clientId: string): string | undefined {
  if (request['software_id'] !== undefined && request['software_id'] !== softwareId)
    return 'software_id must be the one of the software statement';
  if (request['client_id'] !== undefined && request['client_id'] !== clientId)
    return 'client_id must be the one that was issued';
  return undefined;
}

function memberFault(request: JWTPayload, subject: string): string | undefined {
  const { application_type: type = 'web', tls_client_auth_subject_dn: dn } = request;
  // Either kind is registered by its https redirect URIs; versions before 3.4 call a native application "mobile".
  if (type !== 'web' && type !== 'native' && type !== 'mobile') return 'application_type must be web or native';
  for (const name of ['token_endpoint_auth_method', 'grant_types'])
    if (request[name] === undefined) return `${name} is required`;
  if (
    request['token_endpoint_auth_method'] === 'private_key_jwt' &&
    request['token_endpoint_auth_signing_alg'] === undefined
  )
    return 'token_endpoint_auth_signing_alg is required';
  if (dn !== undefined && !(typeof dn === 'string' && isDistinguishedName(dn)))
    return `tls_client_auth_subject_dn must be ${subjectForm}`;
  if (dn !== undefined && !isSubject(subject, dn))
    return 'tls_client_auth_subject_dn must be the subject of the certificate of this connection';
  return undefined;
}
