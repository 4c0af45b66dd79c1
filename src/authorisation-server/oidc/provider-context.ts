import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import context from 'oidc-provider/lib/helpers/als.js';

type OidcContext = KoaContextWithOIDC['oidc'];

/*
 * The library keeps the request that it is at in an AsyncLocalStorage. Before Node 24 one that was ever used makes each
 * promise of the process dearer: a read of the API by a fifth, and by a tenth after it was disabled again. So it is never
 * used: what our configuration asks the request for it asks with a token in hand, and the request is found by the token.
 */
context.run = (_request: unknown, next: () => unknown) => next();

const contexts = new WeakMap<object, OidcContext>();

/** Remembers of which request each token is that the library names as one of its request. */
export function rememberContexts(provider: Provider): void {
  const { prototype } = (provider as unknown as { OIDCContext: { prototype: OidcContext } }).OIDCContext;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the context that it belongs to.
  const { entity } = prototype;
  prototype.entity = function remembered(this: OidcContext, key: string, value: object) {
    contexts.set(value, this);
    entity.call(this, key, value);
  };
}

/** The request that a token is issued or used at. */
export function contextOf(token: object): OidcContext {
  const known = contexts.get(token);
  if (known === undefined) throw new Error('the library did not name the token as one of its request');
  return known;
}
