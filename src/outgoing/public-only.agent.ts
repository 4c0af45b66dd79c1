import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import type { Agent } from 'node:http';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.policy.js';
import { SystemUnreachable } from './system-unreachable.js';

/** The address behind the URL is outside the public internet. The message names no address. */
export class NotPublic extends SystemUnreachable {
  override readonly name = 'NotPublic';
}

type Connect = (options: { readonly host?: string }, done: (error: Error) => void) => unknown;

/**
 * Makes the agent connect to the public internet only, so that no TPP can make the gateway read the bank's network. The
 * address is checked at the connection, because the next DNS answer for the same name may differ.
 */
export function connectToPublicOnly(agent: Agent): void {
  const guarded = agent as unknown as { createConnection: Connect; options: { lookup?: typeof publicLookup } };
  guarded.options.lookup = publicLookup;
  const connect = guarded.createConnection.bind(agent);
  guarded.createConnection = (options, done) => {
    const { host = '' } = options;
    // Node does not look a literal address up.
    if (isIP(host) !== 0 && !isPublicAddress(host)) return done(new NotPublic('a special-purpose address'));
    return connect(options, done);
  };
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

function publicLookup(hostname: string, options: LookupOptions, found: LookupCallback): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error !== null) found(error, []);
    else if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
      found(new NotPublic('the name leads to a special-purpose address'), []);
    else if (options.all === true) found(null, addresses);
    else found(null, first.address, first.family);
  });
}
