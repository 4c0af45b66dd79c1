import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * Gives where a browser comes from, as far as it can be known: the peer of the connection or, where that is a configured
 * proxy, the last address of `X-Forwarded-For` that is none. Of IPv6 the /64, which is what one customer of a network has.
 */
export function sourceAddresses(proxies: readonly string[]): (request: IncomingMessage) => string | undefined {
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
      // The proxy writes addresses only: neither another text nor the entries before it prove anything.
      if (isIP(address) === 0) return networkOf(peer);
      if (!trusted.check(address, family(address))) return networkOf(address);
    }
    return networkOf(peer);
  };
}

const family = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** An IPv4 address that came as IPv6, as what it is. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Of the other end of a connection. */
export const networkOfPeer = (address = ''): string | undefined => networkOf(plain(address));

/** The /48 around the /64 of an IPv6 address, which one customer of a network can have whole; IPv4 has none. */
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
