import { describe, expect, it } from '@jest/globals';
import { exposure } from './greeting.js';

describe('the greeting of the sandbox', () => {
  it.each(['0.0.0.0', '::', '192.168.1.7', 'sandbox.bank.example', '127.example'])(
    'says aloud what others can read where SANDBOX_HOST is %s',
    (host) => {
      expect(exposure(host)).toMatch(new RegExp(`SANDBOX_HOST=${host}: .*can read all customers`));
      expect(exposure(host)).toContain('the one-time codes');
    },
  );

  it.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost'])('says nothing of others where it is %s', (host) => {
    expect(exposure(host)).toBe('');
  });
});
