import { describe, expect, it } from '@jest/globals';
import { RowFault } from '../../packages/core-adapter/core-rows.js';
import { creditorAccount } from './creditor-account.js';

describe('a creditor account', () => {
  it.each([
    ['sort-code', 'UK.OBIE.SortCodeAccountNumber', '04-00-04 00123456', '04000400123456'],
    ['iban', 'UK.OBIE.IBAN', 'gb33 bukb 2020 1555 5555 55', 'GB33BUKB20201555555555'],
    ['bban', 'UK.OBIE.BBAN', '0001234567', '0001234567'],
    ['card', 'UK.OBIE.PAN', '4929421234567897', 'xxxxxxxxxxxx7897'],
    ['card', 'UK.OBIE.PAN', '7897', 'xxxxxxxxxxxx7897'],
  ] as const)('of the scheme %s is %s: %s becomes %s', (scheme, SchemeName, identification, Identification) => {
    const account = creditorAccount({ scheme, identification, name: 'Sam' });
    expect(account).toEqual({ SchemeName, Identification, Name: 'Sam' });
  });

  it.each([
    ['sort-code', '4000400123456'],
    ['iban', 'GB34BUKB20201555555555'],
    ['bban', ''],
    ['card', '492942'],
  ] as const)('of the scheme %s has no other number: %j is refused', (scheme, identification) => {
    expect(() => creditorAccount({ scheme, identification })).toThrow(
      new RowFault('creditor.identification', 'not a number of its scheme'),
    );
  });

  it('keeps the number of an account, even a Luhn-valid one, and masks a card number in its name', () => {
    expect(
      creditorAccount({ scheme: 'bban', identification: '4929421234567897', name: 'Sam 4929421234567897 ' }),
    ).toEqual({ SchemeName: 'UK.OBIE.BBAN', Identification: '4929421234567897', Name: 'Sam xxxxxxxxxxxx7897' });
  });

  it('has at most 350 characters of a name, or no name', () => {
    const named = (name?: string): string | undefined =>
      creditorAccount({ scheme: 'bban', identification: 'X', ...(name !== undefined && { name }) }).Name;
    expect([named(), named(''), named('   ')]).toEqual([undefined, undefined, undefined]);
    expect(named('é'.repeat(400))).toHaveLength(350);
  });
});
