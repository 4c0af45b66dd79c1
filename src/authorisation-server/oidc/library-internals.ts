/*
 * Everything here relies on internals of oidc-provider that it does not promise to its users. Each link shows the place.
 * library-internals.spec.ts fails when the installed version has another text there. Check all of them at each upgrade.
 */
import type { EventEmitter } from 'node:events';
import authorization from 'oidc-provider/lib/actions/authorization/index.js';
import revocation from 'oidc-provider/lib/actions/revocation.js';
import token from 'oidc-provider/lib/actions/token.js';
import clientAuthentication from 'oidc-provider/lib/shared/client_auth.js';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type Provider from 'oidc-provider';
import type { Interaction } from './provider-parts.js';

type AfterAuthentication = (ctx: KoaContextWithOIDC) => void;
const afterAuthentication = new WeakMap<Provider, AfterAuthentication>();

/**
 * Calls `act` at each endpoint of TPPs as soon as the client has proven itself, and before anything of its request is done.
 * The library has no such hook: the step is put after its last step of client authentication, for all its instances.
 * https://github.com/panva/node-oidc-provider/blob/v9.13.3/lib/shared/client_auth.js#L334
 * https://github.com/panva/node-oidc-provider/blob/v9.13.3/lib/actions/token.js#L30
 * https://github.com/panva/node-oidc-provider/blob/v9.13.3/lib/actions/revocation.js#L21
 * https://github.com/panva/node-oidc-provider/blob/v9.13.3/lib/actions/authorization/index.js#L98
 */
export function afterClientAuthentication(provider: Provider, act: AfterAuthentication): void {
  afterAuthentication.set(provider, act);
}

const last = clientAuthentication.at(-1);
for (const steps of [token, revocation, authorization('pushed_authorization_request')]) {
  const at = steps.indexOf(last);
  if (at < 0) throw new Error('oidc-provider authenticates clients in another way than it did');
  steps.splice(at + 1, 0, (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
    afterAuthentication.get(ctx.oidc.provider)?.(ctx);
    return next();
  });
}

/**
 * The library's cookies hold the same secrets as its URLs, so a person who sees a URL would have the cookie. No browser gets
 * the library's cookies. The journey's cookie replaces them.
 * https://github.com/panva/node-oidc-provider/blob/v9.13.3/lib/provider.js#L195
 */
export function keepCookies(provider: Provider): void {
  const names = (['interaction', 'resume', 'session'] as const).map((cookie) => provider.cookieName(cookie));
  provider.use(async (ctx, next) => {
    await next();
    const lines = [ctx.res.getHeader('set-cookie') ?? []].flat().map(String);
    const own = lines.filter((line) => !names.some((name) => line.startsWith(`${name}=`)));
    ctx.res.removeHeader('set-cookie');
    if (own.length > 0) ctx.res.setHeader('set-cookie', own);
  });
}

/**
 * The header `Cookie` by which the library finds the authorization request that it resumes.
 * @param uid the library's name of that request
 * https://github.com/panva/node-oidc-provider/blob/v9.13.3/lib/actions/authorization/resume.js#L18
 */
export function resumeCookie(provider: Provider, uid: string): string {
  return `${provider.cookieName('resume')}=${uid}`;
}

/**
 * The name under which the authorization request was pushed; `undefined` for one that was not pushed.
 * https://github.com/panva/node-oidc-provider/blob/v9.13.3/lib/models/interaction.js#L68
 */
export function pushedAs(interaction: Interaction): string | undefined {
  return (interaction as Interaction & { parJti?: string }).parJti;
}

/**
 * Adds the issuer to the hybrid answer, as discovery promises for every answer (RFC 9207, section 2). The library leaves it to
 * the id token there, but sends the parameters after its event's listeners have changed them.
 * https://github.com/panva/node-oidc-provider/blob/v9.13.3/lib/actions/authorization/respond.js#L39
 * https://github.com/panva/node-oidc-provider/blob/v9.13.3/lib/actions/authorization/respond.js#L43
 */
export function nameIssuer(provider: Provider): void {
  (provider as EventEmitter).on('authorization.success', (ctx: KoaContextWithOIDC, answer: Record<string, unknown>) => {
    if (ctx.oidc.responseMode?.includes('jwt') !== true) answer['iss'] = provider.issuer;
  });
}
