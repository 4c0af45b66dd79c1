/* eslint-disable no-console -- the library can only be silenced here. */

/** oidc-provider says on every import, of Node 20, that it would rather have a later one; it is tested here on both. */
const known = 'oidc-provider WARNING: Unsupported runtime';

const { warn } = console;
console.warn = (...words: unknown[]): void => {
  if (!String(words[0]).startsWith(known)) warn(...words);
};

export {};
