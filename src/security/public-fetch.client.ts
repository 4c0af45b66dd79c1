import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { Agent, buildConnector, fetch, type RequestInit } from 'undici';

/** What we are told to fetch is a key set or a statement: a few KiB. */
export const maxAnswerBytes = 512 * 1024;

/** IANA's special-purpose address registries (RFC 6890): what is not the public internet. */
const special = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special.addSubnet(network, prefix, 'ipv4');
// Only what is allotted for the public internet is public, and of that not what leads elsewhere.
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special.addSubnet(network, prefix, 'ipv6');
const publicV6 = new BlockList();
publicV6.addSubnet('2000::', 3, 'ipv6');

/** The address that a URL leads to is not one of the public internet. The message names no address. */
export class NotPublic extends Error {
  override readonly name = 'NotPublic';
}

/**
 * Fetches what others have told us to fetch, from the public internet only, so that nobody can have us look into the
 * bank's own network. The address is judged when it is about to be connected to: what a name led to earlier says nothing.
 */
export function publicFetch(url: string, options: object | undefined): Promise<Response> {
  return fetch(url, { ...(options as RequestInit), dispatcher });
}

export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 6) return publicV6.check(address, 'ipv6') && !special.check(address, 'ipv6');
  return !special.check(address, 'ipv4');
}

const connect = buildConnector({ lookup: publicLookup });
const dispatcher = new Agent({
  maxResponseSize: maxAnswerBytes,
  connect: (options, callback) => {
    // A literal address is looked up nowhere.
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) !== 0 && !isPublicAddress(host)) callback(new NotPublic('a special-purpose address'), null);
    else connect(options, callback);
  },
});

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

function publicLookup(hostname: string, options: LookupOptions, found: Found): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error !== null) found(error, []);
    else if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
      found(new NotPublic('the name leads to a special-purpose address'), []);
    else if (options.all === true) found(null, addresses);
    else found(null, first.address, first.family);
  });
}
