/** Below this path is the embedded authorization server, on both of its listeners. */
export const mountPath = '/as';

/** Its endpoints, below {@link mountPath}. */
export const authorisationPaths = {
  authorization: '/authorize',
  token: '/token',
  pushed_authorization_request: '/par',
  introspection: '/introspect',
  revocation: '/revoke',
  jwks: '/jwks',
} as const;

/** The endpoint at which TPPs register themselves, below {@link mountPath}. */
export const registrationPath = '/register';

export const discoveryPath = '/.well-known/openid-configuration';
