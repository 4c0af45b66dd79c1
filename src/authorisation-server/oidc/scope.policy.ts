import { accountsScope, scopeNames } from '../../open-banking/scopes.js';

/**
 * Why the server refuses the scope that a TPP asks for (`invalid_scope`), in words that repeat nothing of the request.
 * @param registered the scopes that the TPP registered; `undefined` where it registered none and may ask for each
 */
export function scopeFault(asked: unknown, registered: string | undefined): string | undefined {
  const scopes = typeof asked === 'string' ? asked.split(' ') : [];
  if (scopes.some((scope) => scope !== '' && !scopeNames.includes(scope)))
    return `the request has an unknown scope: this server knows ${scopeNames.join(' and ')}`;
  if (!scopes.includes(accountsScope)) return `the request lacks the scope ${accountsScope}`;
  if (registered !== undefined && !registered.split(' ').includes(accountsScope))
    return `the client is not registered for the scope ${accountsScope}`;
  return undefined;
}
