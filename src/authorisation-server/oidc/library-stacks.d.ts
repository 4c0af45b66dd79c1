/** The library's own modules that library-internals.ts relies on. */
declare module 'oidc-provider/lib/shared/client_auth.js' {
  const steps: readonly unknown[];
  export default steps;
}
declare module 'oidc-provider/lib/actions/token.js' {
  const steps: unknown[];
  export default steps;
}
declare module 'oidc-provider/lib/actions/revocation.js' {
  const steps: unknown[];
  export default steps;
}
declare module 'oidc-provider/lib/actions/authorization/index.js' {
  export default function stepsOf(endpoint: 'pushed_authorization_request'): unknown[];
}
