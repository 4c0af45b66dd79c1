import { apiScopesIn, type ApiScope } from '../../open-banking/scopes.js';

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
