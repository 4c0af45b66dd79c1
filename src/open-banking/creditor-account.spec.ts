import { describe, expect, it } from '@jest/globals';
import { creditorAccount } from './creditor-account.js';

describe('a creditor account', () => {
  it.each([
    ['sort-code', 'UK.OBIE.SortCodeAccountNumber'],
    ['iban', 'UK.OBIE.IBAN'],
    ['bban', 'UK.OBIE.BBAN'],
  ] as const)('of the scheme %s is %s', (scheme, SchemeName) => {
    expect(creditorAccount({ scheme, identification: '123', name: 'Sam' })).toEqual({
      SchemeName,
      Identification: '123',
      Name: 'Sam',
    });
  });

  it('keeps its identification, even a Luhn-valid one, and masks a card number in its name', () => {
    expect(
      creditorAccount({ scheme: 'bban', identification: '4929421234567897', name: 'Sam 4929421234567897 ' }),
    ).toEqual({ SchemeName: 'UK.OBIE.BBAN', Identification: '4929421234567897', Name: 'Sam xxxxxxxxxxxx7897' });
  });

  it('has at most 350 characters of a name, or no name', () => {
    const named = (name?: string): string | undefined =>
      creditorAccount({ scheme: 'iban', identification: 'X', ...(name !== undefined && { name }) }).Name;
    expect([named(), named(''), named('   ')]).toEqual([undefined, undefined, undefined]);
    expect(named('é'.repeat(400))).toHaveLength(350);
  });
});
