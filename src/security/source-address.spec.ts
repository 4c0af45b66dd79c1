import { describe, expect, it } from '@jest/globals';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { siteOf, sourceAddresses } from './source-address.js';

describe('the source address of a browser', () => {
  function from(proxies: readonly string[], peer: string, ...forwarded: string[]): string | undefined {
    const socket = new Socket();
    Object.defineProperty(socket, 'remoteAddress', { value: peer });
    const request = new IncomingMessage(socket);
    Object.defineProperty(request, 'headersDistinct', { value: { 'x-forwarded-for': forwarded } });
    return sourceAddresses(proxies)(request);
  }
  const proxies = ['10.0.0.0/8', 'fd00::/8'];

  it.each([
    ['is the peer of the connection', [], '203.0.113.1', [], '203.0.113.1'],
    ['is the peer, whatever it claims, where it is not a proxy', proxies, '203.0.113.1', ['192.0.2.1'], '203.0.113.1'],
    ['is the address that the proxy reports', proxies, '10.0.0.1', ['192.0.2.1'], '192.0.2.1'],
    [
      'is the address that the last proxy adds, not the address that the browser claims',
      proxies,
      '10.0.0.1',
      ['1.2.3.4, 192.0.2.1'],
      '192.0.2.1',
    ],
    ['is found through several proxies', proxies, '10.0.0.1', ['192.0.2.1, 10.0.0.9', 'fd00::1'], '192.0.2.1'],
    ['is the proxy where that says nothing', proxies, '10.0.0.1', [], '10.0.0.1'],
    [
      'is the address of the proxy where the proxy reports a text that is not an address',
      proxies,
      '10.0.0.1',
      ['192.0.2.1, unknown'],
      '10.0.0.1',
    ],
    ['is one address in either family', proxies, '::ffff:10.0.0.1', ['::ffff:192.0.2.1'], '192.0.2.1'],
    ['is a /64 of IPv6', [], '2001:DB8:0:1:aaaa::1', [], '2001:db8:0:1'],
    ['is a /64 of IPv6 however it is written', [], '2001:0db8::0001:0:0:0:5%eth0', [], '2001:db8:0:1'],
    ['is a /64 of IPv6 with zeros in front', [], '::1', [], '0:0:0:0'],
  ] as const)('%s', (_what, trusted, peer, forwarded, address) => {
    expect(from(trusted, peer, ...forwarded)).toBe(address);
  });

  it.each([
    ['2001:db8:0:1', '2001:db8:0'],
    ['192.0.2.1', undefined],
  ])('has a /48 around it where it is an IPv6 one: %s', (network, site) => {
    expect(siteOf(network)).toBe(site);
  });
});
