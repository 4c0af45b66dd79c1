import { describe, expect, it } from '@jest/globals';
import { cardLastFour, iban, payeeNumber, sortCodeAccountNumber } from './account-numbers.js';

describe('a sort code with an account number', () => {
  it.each([
    ['040004', '00123456'],
    ['04-00-04', '00123456'],
    [' 04 00 04 ', '0012 3456'],
  ])('is fourteen digits: %j and %j', (sortCode, accountNumber) => {
    expect(sortCodeAccountNumber(sortCode, accountNumber)).toBe('04000400123456');
    expect(payeeNumber('sort-code', `${sortCode} ${accountNumber}`)).toBe('04000400123456');
  });

  it.each([
    ['40004', '00123456'],
    ['0400040', '0123456'],
    ['040004', ''],
    ['', '00123456'],
    ['04000a', '00123456'],
    ['04/00/04', '00123456'],
    ['٠٤٠٠٠٤', '00123456'],
  ])('is nothing else: %j and %j', (sortCode, accountNumber) => {
    expect(sortCodeAccountNumber(sortCode, accountNumber)).toBeUndefined();
  });

  it('of a payee that has lost its first zero is refused, because it would name another bank', () => {
    expect(payeeNumber('sort-code', '4000400123456')).toBeUndefined();
  });
});

describe('an IBAN', () => {
  it.each(['GB33BUKB20201555555555', 'GB33 BUKB 2020 1555 5555 55', 'gb33bukb20201555555555'])(
    'is put in order: %j',
    (text) => {
      expect([iban(text), payeeNumber('iban', text)]).toEqual(Array(2).fill('GB33BUKB20201555555555'));
    },
  );

  it.each(['NL91ABNA0417164300', 'MT84MALT011000012345MTLCAST001S', 'NO9386011117947'])(
    'of another country is one: %s',
    (text) => {
      expect(iban(text)).toBe(text);
    },
  );

  it.each([
    ['another check digit', 'GB34BUKB20201555555555'],
    ['two digits that changed places', 'GB33BUKB02201555555555'],
    ['a letter that changed', 'GB33BUKC20201555555555'],
    ['check digits beyond 98', 'GB99BUKB20201555555555'],
    ['no country', '33BUKB20201555555555'],
    ['too few characters', 'GB33BUKB20'],
    ['a letter of another alphabet', 'GB33BUKß20201555555555'],
    ['a full stop', 'GB33.BUKB.2020.1555.5555.55'],
    ['nothing', ''],
  ])('is not one with %s', (_, text) => {
    expect([iban(text), payeeNumber('iban', text)]).toEqual([undefined, undefined]);
  });
});

describe('a card number', () => {
  it.each(['4929421234567897', '4929 4212 3456 7897', '7897'])('is its last four digits: %j', (text) => {
    expect([cardLastFour(text), payeeNumber('card', text)]).toEqual(['7897', '7897']);
  });

  it.each(['', '789', '78977', '4929x21234567897', '49294212345678971234'])('is nothing else: %j', (text) => {
    expect(cardLastFour(text)).toBeUndefined();
  });
});

describe('a number that no bank but its own can check', () => {
  it('has digits and letters, at least one', () => {
    expect(['0001234567', 'nl 12-x', '', ' ', 'a/b'].map((text) => payeeNumber('bban', text))).toEqual([
      '0001234567',
      'NL12X',
      undefined,
      undefined,
      undefined,
    ]);
  });
});
