import { describe, expect, it } from '@jest/globals';
import { isSameTpp, issuerName, tppId, tppOfKey } from './tpp-id.js';

describe('a TPP', () => {
  it('differs from a TPP with another issuer or client id', () => {
    const tpp = tppId('https://one.example', 'tpp-x');
    expect(isSameTpp(tpp, tppId('https://one.example', 'tpp-x'))).toBe(true);
    for (const other of [tppId('https://two.example', 'tpp-x'), tppId('https://one.example', 'tpp-y'), undefined])
      expect(isSameTpp(tpp, other)).toBe(false);
  });

  it.each(['tpp-x', 'a b', ' ', '', 'https://one.example tpp-x', '"', 'ŵ'])(
    'with the client id %j has a unique key, from which the TPP can be read again',
    (clientId) => {
      const tpp = tppId('https://one.example', clientId);
      expect(tppOfKey(tpp.key)).toEqual(tpp);
    },
  );
});

describe('the name of an issuer', () => {
  it.each([
    [true, 'https://as.bank.example/realms/a?b=c'],
    [true, 'urn:bank:issuer'],
    [true, 'x'.repeat(1_000)],
    [false, 'x'.repeat(1_001)],
    [false, ''],
    [false, 'an issuer'],
    [false, 'https://ŵ.example'],
    [false, 'a\u0000b'],
  ])('%s: %j', (expected, name) => {
    expect(issuerName.test(name)).toBe(expected);
  });
});
