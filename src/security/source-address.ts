import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

type AddressOf = (request: IncomingMessage) => string | undefined;

/**
 * Gives the source address of a browser for a limit. An IPv6 address is reduced to its /64, because one customer of a
 * network has all of it.
 */
export function sourceAddresses(proxies: readonly string[]): AddressOf {
  const addressOf = fullAddresses(proxies);
  return (request) => networkOf(addressOf(request) ?? '');
}

/**
 * Gives the source address of a browser, as far as the gateway can know it: the peer of the connection or, where the peer
 * is a configured proxy, the last address of `X-Forwarded-For` that is not a configured proxy.
 */
export function fullAddresses(proxies: readonly string[]): AddressOf {
  const trusted = new BlockList();
  for (const range of proxies) {
    const [network = '', prefix] = range.split('/');
    trusted.addSubnet(network, Number(prefix), family(network));
  }
  return (request) => {
    const peer = plain(request.socket.remoteAddress ?? '');
    const way = [...(request.headersDistinct['x-forwarded-for'] ?? []).join(',').split(','), peer];
    for (const given of way.reverse()) {
      const address = plain(given.trim());
      // The proxy writes addresses only: another text, and the entries before it, prove nothing.
      if (isIP(address) === 0) return peer || undefined;
      if (!trusted.check(address, family(address))) return address;
    }
    return peer || undefined;
  };
}

const family = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** An IPv4 address that a socket reports as IPv6, in its IPv4 form. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** The network of the peer of a connection. */
export const networkOfPeer = (address = ''): string | undefined => networkOf(plain(address));

/** The /48 around the /64 of an IPv6 address: one customer of a network can have all of it. An IPv4 address has no site. */
export function siteOf(network: string): string | undefined {
  const groups = network.split(':');
  return groups.length === 4 ? groups.slice(0, 3).join(':') : undefined;
}

function networkOf(address: string): string | undefined {
  if (!isIPv6(address)) return isIP(address) === 0 ? undefined : address;
  // One spelling: small letters, no leading zeros, the longest run of zeros as `::`, no zone.
  const [head = '', tail] = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
}
