import { describe, expect, it } from '@jest/globals';
import { isCurrency, minorUnitDigits } from './currencies.js';

describe('isCurrency', () => {
  it('knows every currency of the runtime except the two without a minor unit', () => {
    const withoutMinorUnit = ['XDR', 'XSU'];
    const unknown = Intl.supportedValuesOf('currency').filter((code) => !isCurrency(code));
    expect(unknown.filter((code) => !withoutMinorUnit.includes(code))).toEqual([]);
  });

  it('agrees with ISO 4217 on the number of codes by digits of the minor unit', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const known = letters
      .flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
      .filter((code) => isCurrency(code));
    const byDigits = new Map<number | undefined, number>();
    for (const code of known) byDigits.set(minorUnitDigits(code), (byDigits.get(minorUnitDigits(code)) ?? 0) + 1);
    // 165 current ones (the 178 of list one but for 13 without a minor unit) and the nine withdrawn.
    expect(Object.fromEntries(byDigits)).toEqual({ 0: 17, 2: 148, 3: 7, 4: 2 });
  });

  it.each(['GBP', 'VED', 'XAD', 'XCG', 'ZWG', 'SLE', 'CHE', 'HRK'])('knows %s', (code) => {
    expect(isCurrency(code)).toBe(true);
  });

  it.each(['XXX', 'XAU', 'XDR', 'DEM', 'gbp', '', undefined, null, 826])('does not know %j', (code) => {
    expect(isCurrency(code)).toBe(false);
  });
});

describe('minorUnitDigits', () => {
  it.each([
    ['JPY', 0],
    ['GBP', 2],
    ['BHD', 3],
    ['CLF', 4],
    ['XXX', undefined],
    ['__proto__', undefined],
  ])('of %s is %s', (code, digits) => {
    expect(minorUnitDigits(code)).toBe(digits);
  });
});
