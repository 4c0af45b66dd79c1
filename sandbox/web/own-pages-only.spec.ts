import { describe, expect, it } from '@jest/globals';
import { foreignPageFault } from './own-pages-only.js';

const fault = (method: string, headers: Record<string, string>) => foreignPageFault({ method, headers }, 3006);

describe('a page of the sandbox', () => {
  it.each(['localhost:3006', '127.0.0.1:3006', '[::1]:3006', 'LOCALHOST:3006'])('answers at %s', (host) => {
    expect(fault('GET', { host })).toBeUndefined();
    expect(fault('POST', { host, origin: `http://${host.toLowerCase()}` })).toBeUndefined();
  });

  it.each(['evil.example', 'evil.example:3006', 'localhost', 'localhost:3000', 'localhost.evil.example:3006', ''])(
    'refuses every request to the name %s, as a rebound name of another site would send it',
    (host) => {
      expect(fault('GET', { host })).toMatch(/only/);
      expect(fault('POST', { host, origin: `http://${host}` })).toMatch(/only/);
    },
  );

  it.each([
    'http://evil.example',
    'http://localhost:3000',
    'https://localhost:3006',
    'http://127.0.0.1:3006',
    'http://localhost:3006.evil.example',
    'null',
  ])('takes no change from a page of %s', (origin) => {
    expect(fault('POST', { host: 'localhost:3006', origin })).toMatch(/own pages/);
  });

  it('takes no change without an Origin header', () => {
    expect(fault('POST', { host: 'localhost:3006' })).toMatch(/own pages/);
    expect(fault('PUT', { host: 'localhost:3006' })).toMatch(/own pages/);
  });
});
