import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import type Provider from 'oidc-provider';
import { authorisationPaths as paths } from '../../open-banking/authorisation-paths.js';
import { because } from '../listeners/refusal-reasons.js';
import type { Caller, TooMany } from '../listeners/request-limits.js';
import { proven, refused } from '../listeners/request-records.js';
import { hashed } from '../sealing.js';
import { afterClientAuthentication, pushedAs } from './library-internals.js';
import { renderNotice, type Interaction, type ProviderParts } from './provider-parts.js';

const ofTpps: readonly string[] = [paths.token, paths.pushed_authorization_request, paths.revocation];
/** For a server that cannot take a request now: RFC 6749, section 4.1.2.1. */
const overLimit = 'temporarily_unavailable';

/** The library turns it into the endpoint's error format. RFC 6585, section 4. */
class TooManyRequests extends errors.CustomOIDCProviderError {
  override readonly status = 429;
  override readonly statusCode = 429;

  constructor({ description }: TooMany) {
    super(overLimit, description);
  }
}

/** Puts the limits round the endpoints that authenticate a caller. The published documents have no limit. */
export function limitRequests(provider: Provider, { limits, pages }: ProviderParts): void {
  provider.use(async (ctx, next): Promise<void> => {
    const caller = callerAt(ctx.method, ctx.path);
    if (caller === undefined) return void (await next());
    const refusal = limits.enter(ctx.req, caller);
    if (refusal === undefined)
      try {
        return void (await next());
      } finally {
        limits.leave(ctx.req, caller);
      }
    ctx.status = 429;
    setHeaders(ctx, refusal);
    const body = { error: overLimit, error_description: refusal.description };
    refused(ctx.req, { ...body, reason: refusal.reason });
    if (caller === 'browser') renderNotice(pages, ctx, 'too-many-requests');
    else ctx.body = body;
  });
  afterClientAuthentication(provider, (ctx) => {
    const { client, params, route } = ctx.oidc;
    if (client?.clientAuthMethod === undefined) throw new Error('a client that has proven itself is not known');
    proven(ctx.req, client.clientAuthMethod, params?.['grant_type']);
    const refusal = limits.authenticated(ctx.req, client.clientId, route === 'pushed_authorization_request');
    if (refusal === undefined) return;
    setHeaders(ctx, refusal);
    throw because(refusal.reason, new TooManyRequests(refusal));
  });
}

function setHeaders(ctx: Pick<KoaContextWithOIDC, 'set'>, { retryAfterSeconds }: TooMany): void {
  ctx.set({ 'retry-after': String(retryAfterSeconds), 'cache-control': 'no-store' });
}

function callerAt(method: string, path: string): Caller | undefined {
  if (path === paths.authorization) return 'browser';
  return method === 'POST' && ofTpps.includes(path) ? 'tpp' : undefined;
}

/** Refuses a good authorization request of a client that begins too many. The TPP gets the error in the redirect. */
export async function admit(
  { limits }: ProviderParts,
  { req }: KoaContextWithOIDC,
  interaction: Interaction,
): Promise<void> {
  const pushed = pushedAs(interaction);
  const name = pushed ?? JSON.stringify(interaction.params);
  const clientId = pushed === undefined ? String(interaction.params['client_id']) : undefined;
  const refusal = limits.openedAuthorization(req, hashed('opened', name), clientId);
  if (refusal === undefined) return;
  await interaction.destroy();
  throw because(refusal.reason, new errors.TemporarilyUnavailable(refusal.description));
}
