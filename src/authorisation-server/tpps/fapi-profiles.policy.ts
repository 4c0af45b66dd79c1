import type { ResponseType } from 'oidc-provider';
import type { TokenAlgorithm } from '../../config/config.js';

interface FapiTerms {
  /** The algorithms of all signatures, by its clients and for them. */
  readonly algorithms: readonly TokenAlgorithm[];
  readonly responseTypes: readonly ResponseType[];
  readonly responseModes: readonly string[];
}

/**
 * FAPI 1.0 Advanced Final as the UK has it: PS256 alone. The hybrid answer has a signed id token in the fragment or in a form;
 * every other answer is a signed JWT (FAPI 1.0 Advanced, section 5.2.2).
 */
const fapi1: FapiTerms = {
  algorithms: ['PS256'],
  responseTypes: ['code id_token', 'code'],
  responseModes: ['fragment', 'form_post', 'jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt'],
};

/** The code flow alone with PS256 or ES256: FAPI 2.0 Security Profile, section 5.3.2.2. */
const fapi2: FapiTerms = {
  algorithms: ['PS256', 'ES256'],
  responseTypes: ['code'],
  responseModes: ['query', 'form_post', 'jwt', 'query.jwt', 'form_post.jwt'],
};

/** Whether the client registered FAPI 2.0; all others speak FAPI 1.0 Advanced. */
export function isFapi2(client: Readonly<Record<string, unknown>> | undefined): boolean {
  return client?.['fapi_profile'] === '2.0';
}

export function termsOf(client: Readonly<Record<string, unknown>> | undefined): FapiTerms {
  return isFapi2(client) ? fapi2 : fapi1;
}

const algorithmMembers = [
  'token_endpoint_auth_signing_alg',
  'request_object_signing_alg',
  'id_token_signed_response_alg',
  'authorization_signed_response_alg',
];

/** The reason why a client may not register this metadata under its profile. It begins with the member's name. */
export function profileFault(metadata: Readonly<Record<string, unknown>>): string | undefined {
  const { algorithms, responseTypes } = termsOf(metadata);
  const profile = isFapi2(metadata) ? 'FAPI 2.0' : 'FAPI 1.0 in the UK';
  const wrong = algorithmMembers.find(
    (member) => metadata[member] !== undefined && !algorithms.includes(metadata[member] as TokenAlgorithm),
  );
  if (wrong !== undefined) return `${wrong} must be ${algorithms.join(' or ')} in ${profile}`;
  const { response_types: asked = [] } = metadata;
  if (Array.isArray(asked) && !asked.every((type) => responseTypes.includes(type as ResponseType)))
    return `response_types can only contain ${responseTypes.map((type) => `"${type}"`).join(' and ')} in ${profile}`;
  const { token_endpoint_auth_method: method, jwks, jwks_uri: jwksUri } = metadata;
  if (!isFapi2(metadata) && method === 'tls_client_auth' && jwks === undefined && jwksUri === undefined)
    return (
      `jwks or jwks_uri is needed in ${profile}, also with tls_client_auth: the TPP signs its authorization requests. ` +
      'Without keys register fapi_profile "2.0"'
    );
  return undefined;
}
