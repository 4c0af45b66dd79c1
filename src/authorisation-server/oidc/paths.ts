/** Where the endpoints of the library are, below `mountPath`. */
export const paths = {
  authorization: '/authorize',
  token: '/token',
  pushed_authorization_request: '/par',
  introspection: '/introspect',
  revocation: '/revoke',
  jwks: '/jwks',
} as const;
