import { describe, expect, it } from '@jest/globals';
import { britishIban, cardNumber, isLuhnValid, mod97 } from './numbers.js';

describe('an IBAN', () => {
  it('has the check digits of published examples', () => {
    expect(britishIban('98765432', '123456', 'WEST')).toBe('GB82WEST12345698765432');
    expect(britishIban('31926819', '601613', 'NWBK')).toBe('GB29NWBK60161331926819');
  });

  it('of the sandbox bank is valid', () => {
    const iban = britishIban('10010010');
    expect(mod97(iban.slice(4) + iban.slice(0, 4))).toBe(1n);
  });
});

describe('a card number', () => {
  it.each([
    ['411111111111111', '4111111111111111'],
    ['37828224631000', '378282246310005'],
    ['555555555555444', '5555555555554444'],
  ])('made of %s is %s, a published test number', (allButLast, whole) => {
    expect(cardNumber(allButLast)).toBe(whole);
  });

  it('with one digit changed is not valid', () => {
    expect(isLuhnValid('4111111111111111')).toBe(true);
    expect(isLuhnValid('4111111111111121')).toBe(false);
  });
});
