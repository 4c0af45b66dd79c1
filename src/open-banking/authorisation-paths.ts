/** Below this path is the embedded authorization server, on both of its listeners. */
export const mountPath = '/as';

/** Its endpoints, below {@link mountPath}. */
export const authorisationPaths = {
  authorization: '/authorize',
  token: '/token',
  pushed_authorization_request: '/par',
  revocation: '/revoke',
  jwks: '/jwks',
} as const;

/** The endpoint at which TPPs register themselves, below {@link mountPath}. */
export const registrationPath = '/register';

/** Whether a path, with or without its query, is one of the authorization server and not of the API. */
export function isOfAuthorisationServer(target: string): boolean {
  const [path = ''] = target.split('?', 1);
  return path === mountPath || path.startsWith(`${mountPath}/`);
}

export const discoveryPath = '/.well-known/openid-configuration';
