/** Not in the library's types, as it is not meant for its users. */
declare module 'oidc-provider/lib/helpers/als.js' {
  const context: {
    run(request: unknown, next: () => unknown): unknown;
  };
  export default context;
}
