import { errors, type Client, type ResourceServer } from 'oidc-provider';
import { type ApiScope, apiScopesIn } from '../../open-banking/scopes.js';
import { servedScopes } from '../../profiles/profile.js';
import { apiScopes } from './client.store.js';
import { accessTokenSeconds, type ProviderParts } from './provider-parts.js';

/** The scopes of the API that the client may ask for. */
export function permittedScopes(client: Client | undefined): readonly ApiScope[] {
  return (client?.[apiScopes] ?? []) as readonly ApiScope[];
}

/** The one resource that tokens are for. A TPP that lost a role gets no token of its scope, also by an earlier refresh token. */
export function apiOf({ settings }: ProviderParts, resource: string, client: Client | undefined): ResourceServer {
  const audience = settings.config.tpp.url;
  if (resource !== audience) throw new errors.InvalidTarget();
  const served = servedScopes(settings.profile);
  return {
    scope: permittedScopes(client)
      .filter((scope) => served.includes(scope))
      .join(' '),
    audience,
    accessTokenFormat: 'jwt',
    accessTokenTTL: accessTokenSeconds,
    // The gateway alone reads it. A signature by PS256 takes six times as much of the processor.
    jwt: { sign: { alg: 'ES256' } },
  };
}

/**
 * Why the server refuses the scope that a TPP asks for (`invalid_scope`), in words that repeat nothing of the request.
 * @param served the scopes of the API at this bank
 * @param permitted those that the TPP may ask for
 */
export function scopeFault(
  asked: unknown,
  served: readonly ApiScope[],
  permitted: readonly ApiScope[],
): string | undefined {
  const scopes = typeof asked === 'string' ? asked.split(' ') : [];
  const known: readonly string[] = ['openid', ...served];
  if (scopes.some((scope) => scope !== '' && !known.includes(scope)))
    return `the request has an unknown scope: this server knows ${known.join(' and ')}`;
  const ofApi = apiScopesIn(asked);
  if (ofApi.length === 0) return `the request lacks the scope ${served.join(' or ')}`;
  const refused = ofApi.find((scope) => !permitted.includes(scope));
  return refused && `the client is not registered for the scope ${refused}`;
}
