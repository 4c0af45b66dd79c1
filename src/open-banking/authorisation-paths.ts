/** Below this path is the embedded authorization server, on both of its listeners. */
export const mountPath = '/as';

/** Where its endpoints are, below {@link mountPath}. */
export const authorisationPaths = {
  authorization: '/authorize',
  token: '/token',
  pushed_authorization_request: '/par',
  introspection: '/introspect',
  revocation: '/revoke',
  jwks: '/jwks',
} as const;

/** Where TPPs register themselves, below {@link mountPath}. */
export const registrationPath = '/register';

/** Its metadata, below {@link mountPath}. */
export const discoveryPath = '/.well-known/openid-configuration';
