import { errors, type Client, type KoaContextWithOIDC } from 'oidc-provider';
import { withReason } from '../listeners/refusal-reasons.js';
import type { TooMany } from '../listeners/request-limits.js';
import { hashed } from '../sealing.js';
import { pushedAs } from './library-internals.js';
import type { Interaction, ProviderParts } from './provider-parts.js';

type Parts = Pick<ProviderParts, 'limits'>;

/** The library turns it into the endpoint's error format. RFC 6585, section 4; RFC 6749, section 4.1.2.1. */
class TooManyRequests extends errors.CustomOIDCProviderError {
  override readonly status = 429;
  override readonly statusCode = 429;

  constructor({ description }: TooMany) {
    super('temporarily_unavailable', description);
  }
}

/**
 * Counts a request of a client as soon as the client has proven itself, and before anything of its request is done. The library
 * has no function for that moment: the last one that it calls for each method of client authentication calls this one. A request
 * by another method would count as one that fails.
 * @throws TooManyRequests
 */
export function admitClient({ limits }: Parts, ctx: KoaContextWithOIDC, client: Client): void {
  const isPush = ctx.oidc.route === 'pushed_authorization_request';
  const refusal = limits.authenticated(ctx.req, client.clientId, isPush);
  if (refusal === undefined) return;
  ctx.set({ 'retry-after': String(refusal.retryAfterSeconds), 'cache-control': 'no-store' });
  throw withReason(refusal.reason, new TooManyRequests(refusal));
}

/** Refuses a good authorization request of a client that begins too many. The TPP gets the error in the redirect. */
export async function admitAuthorization(
  { limits }: Parts,
  { req }: KoaContextWithOIDC,
  interaction: Interaction,
): Promise<void> {
  const pushed = pushedAs(interaction);
  const name = pushed ?? JSON.stringify(interaction.params);
  const clientId = pushed === undefined ? String(interaction.params['client_id']) : undefined;
  const refusal = limits.openedAuthorization(req, hashed('opened', name), clientId);
  if (refusal === undefined) return;
  await interaction.destroy();
  throw withReason(refusal.reason, new errors.TemporarilyUnavailable(refusal.description));
}
