import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { isPublicAddress, publicFetch } from './public-fetch.client.js';

describe('fetching what others name', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each([
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    'fe80::1',
    'fc00::1',
    '64:ff9b::7f00:1',
    '2001:db8::1',
    '2002:7f00:1::',
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each(['8.8.8.8', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])('%s is public', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );

  it.each(['127.0.0.1', 'localhost', '[::1]', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]'])(
    'nothing connects to our own machine as %s',
    async (host) => {
      let connections = 0;
      const inside = createServer((socket) => {
        connections++;
        socket.destroy();
      }).listen(0);
      await once(inside, 'listening');
      const { port } = inside.address() as AddressInfo;
      const failed = await publicFetch(`http://${host}:${port}/`, undefined).catch((error: Error) => error);
      inside.close();
      expect([(failed as Error).cause, connections]).toEqual([expect.objectContaining({ name: 'NotPublic' }), 0]);
    },
  );
});
