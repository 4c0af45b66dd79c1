import { describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { BootError } from '../config/boot-error.js';
import { listenFault } from './listen.js';

describe('a listener that cannot open its port', () => {
  it('blames the setting of the address where that is wrong, not the port', async () => {
    const server = createServer().listen(0, '192.0.2.1');
    const [error] = (await once(server, 'error').catch((thrown: unknown) => [thrown])) as [Error];
    expect(listenFault(error, '192.0.2.1', 3003, 'BROWSER_PORT', 'HOST')).toEqual(
      new BootError('the address 192.0.2.1 is not one of this machine: set HOST'),
    );
  });

  it('is not an excuse for another fault', () => {
    const other = new TypeError('x');
    expect(listenFault(other, 'localhost', 3003, 'BROWSER_PORT', 'HOST')).toBe(other);
  });
});
