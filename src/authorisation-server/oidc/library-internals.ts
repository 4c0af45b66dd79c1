/*
 * Everything here relies on internals of oidc-provider that it does not promise to its users. Each link shows the place.
 * library-internals.spec.ts fails when the installed version has another text there. Check all of them at each upgrade.
 */
import type { EventEmitter } from 'node:events';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type Provider from 'oidc-provider';
import type { Interaction } from './provider-parts.js';

/**
 * No browser gets the library's cookies. The journey's cookie, which has a new value after each step that proves something, is
 * the only one that shows which browser may go on. The library's would be a second one, and its session's outlives the journey.
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
