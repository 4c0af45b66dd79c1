import type { IncomingMessage } from 'node:http';
import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import type Provider from 'oidc-provider';
import { authorisationPaths as paths } from '../../open-banking/authorisation-paths.js';
import type { RequestLimits, TooMany } from '../listeners/request-limits.js';
import { hashed } from '../sealing.js';
import { afterClientAuthentication, pushedAs } from './library-internals.js';
import type { Interaction, ProviderParts } from './provider-parts.js';

const ofTpps: readonly string[] = [
  paths.token,
  paths.pushed_authorization_request,
  paths.introspection,
  paths.revocation,
];
/** For a server that cannot take a request now: RFC 6749, section 4.1.2.1. */
export const overLimit = 'temporarily_unavailable';

/** The library turns it into the endpoint's error format. RFC 6585, section 4. */
class TooManyRequests extends errors.CustomOIDCProviderError {
  override readonly status = 429;
  override readonly statusCode = 429;

  constructor({ description }: TooMany) {
    super(overLimit, description);
  }
}

interface Door {
  readonly enter: (request: IncomingMessage) => TooMany | undefined;
  readonly leave: (request: IncomingMessage) => void;
  readonly isBrowsers: boolean;
}

/** Puts the limits round the endpoints that authenticate a caller. The published documents have no limit. */
export function limitRequests(provider: Provider, { limits, renderError, onProof, onRefusal }: ProviderParts): void {
  provider.use(async (ctx, next): Promise<void> => {
    const door = doorOf(limits, ctx.method, ctx.path);
    if (door === undefined) return void (await next());
    const refusal = door.enter(ctx.req);
    if (refusal === undefined)
      try {
        return void (await next());
      } finally {
        door.leave(ctx.req);
      }
    ctx.status = 429;
    setHeaders(ctx, refusal);
    const body = { error: overLimit, error_description: refusal.description };
    onRefusal(ctx.req, body);
    if (door.isBrowsers) renderError(ctx, 'too-many-requests');
    else ctx.body = body;
  });
  afterClientAuthentication(provider, (ctx) => {
    const { client, params, route } = ctx.oidc;
    if (client?.clientAuthMethod === undefined) throw new Error('a client that has proven itself is not known');
    onProof(ctx.req, client.clientAuthMethod, params?.['grant_type']);
    const refusal = limits.authenticated(ctx.req, client.clientId, route === 'pushed_authorization_request');
    if (refusal === undefined) return;
    setHeaders(ctx, refusal);
    throw new TooManyRequests(refusal);
  });
}

function setHeaders(ctx: Pick<KoaContextWithOIDC, 'set'>, { retryAfterSeconds }: TooMany): void {
  ctx.set({ 'retry-after': String(retryAfterSeconds), 'cache-control': 'no-store' });
}

function doorOf(limits: RequestLimits, method: string, path: string): Door | undefined {
  if (path === paths.authorization)
    return {
      enter: (request) => limits.enterBrowser(request),
      leave: (request) => limits.leaveBrowser(request),
      isBrowsers: true,
    };
  if (method !== 'POST' || !ofTpps.includes(path)) return undefined;
  return {
    enter: (request) => limits.enterTpp(request),
    leave: (request) => limits.leaveTpp(request),
    isBrowsers: false,
  };
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
  throw new errors.TemporarilyUnavailable(refusal.description);
}
