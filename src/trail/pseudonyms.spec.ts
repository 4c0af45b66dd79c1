import { describe, expect, it } from '@jest/globals';
import { pseudonymKeyId, pseudonymOfAccount, pseudonymOfCustomer } from './pseudonyms.js';

const [key, former] = ['a key of pseudonyms in a test, of some length', 'another key of pseudonyms in the same test'];

describe('a pseudonym', () => {
  it('is the same for the same subject and key, and begins with the name of the key', () => {
    expect(pseudonymOfCustomer(key, 'C1001')).toMatch(/^[\w-]{4}\.[\w-]{22}$/);
    expect(pseudonymOfCustomer(key, 'C1001')).toBe(pseudonymOfCustomer(key, 'C1001'));
    expect(pseudonymOfCustomer(key, 'C1001').split('.')[0]).toBe(pseudonymKeyId(key));
  });

  it('differs by subject, kind, core and key', () => {
    const all = [
      pseudonymOfCustomer(key, 'C1001'),
      pseudonymOfCustomer(key, 'C1002'),
      pseudonymOfCustomer(former, 'C1001'),
      pseudonymOfAccount(key, undefined, 'C1001'),
      pseudonymOfAccount(key, 'cards', 'C1001'),
      pseudonymOfAccount(key, 'loans', 'C1001'),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it('holds no part of the subject', () => {
    expect(pseudonymOfCustomer(key, 'C1001')).not.toContain('C1001');
  });
});
