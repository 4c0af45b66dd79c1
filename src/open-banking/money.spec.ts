import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { amount, creditDebit, formatAmount, isCurrency, signedAmount } from './money.js';

/** The standard's amount type since 3.1.5, and the stricter one of 3.1.1: unsigned, one to five fraction digits. */
const amountPattern = /^\d{1,13}\.\d{1,5}$/;

describe('formatAmount', () => {
  it.each([
    [0n, 'GBP', '0.00'],
    [1n, 'GBP', '0.01'],
    [99n, 'GBP', '0.99'],
    [100n, 'GBP', '1.00'],
    [123456n, 'GBP', '1234.56'],
    [-123456n, 'GBP', '1234.56'],
    [-5n, 'EUR', '0.05'],
    [1234n, 'BHD', '1.234'],
    [4n, 'KWD', '0.004'],
    [1234n, 'JPY', '1234.00'],
    [0n, 'JPY', '0.00'],
    [1234n, 'CLF', '0.1234'],
    [12345n, 'UYW', '1.2345'],
  ])('writes %s minor units of %s as %s', (minorUnits, currency, text) => {
    expect(formatAmount(minorUnits, currency)).toBe(text);
  });

  it.each([
    ['GBP', 2n],
    ['JPY', 0n],
    ['OMR', 3n],
  ])('writes thirteen digits before the point in %s and refuses fourteen', (currency, digits) => {
    const tooMany = 10n ** (13n + digits);
    expect(formatAmount(tooMany - 1n, currency)).toMatch(/^9{13}\.\d\d/);
    expect(formatAmount(1n - tooMany, currency)).toMatch(/^9{13}\.\d\d/);
    expect(() => formatAmount(tooMany, currency)).toThrow(RangeError);
    expect(() => formatAmount(-tooMany, currency)).toThrow(RangeError);
  });

  it.each(['', 'gbp', 'GB', 'GBPX', 'ABC', 'XXX', 'XTS', 'XAU', ' GBP', '__proto__'])(
    'refuses %j, which is no currency with a minor unit',
    (currency) => {
      expect(() => formatAmount(1n, currency)).toThrow(RangeError);
    },
  );

  it('always fits the amount pattern of the standard and keeps the value', () => {
    const scales = { GBP: 2, JPY: 0, BHD: 3, CLF: 4 } as const;
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 13n) + 1n, max: 10n ** 13n - 1n }),
        fc.constantFrom('GBP', 'JPY', 'BHD', 'CLF'),
        (minorUnits, currency) => {
          const text = formatAmount(minorUnits, currency);
          expect(text).toMatch(amountPattern);
          const written = BigInt(text.replace('.', ''));
          const scale = currency === 'JPY' ? 100n : 1n;
          expect(text.split('.')[1]).toHaveLength(Math.max(2, scales[currency]));
          expect(written).toBe((minorUnits < 0n ? -minorUnits : minorUnits) * scale);
        },
      ),
    );
  });
});

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
    const digitsOf = (code: string): number => {
      const text = formatAmount(1n, code);
      return text === '1.00' ? 0 : text.length - '0.'.length;
    };
    const byDigits = new Map<number, number>();
    for (const code of known) {
      byDigits.set(digitsOf(code), (byDigits.get(digitsOf(code)) ?? 0) + 1);
    }
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

describe('amount objects', () => {
  it('carry the magnitude and the currency', () => {
    expect(amount(-1234n, 'GBP')).toEqual({ Amount: '12.34', Currency: 'GBP' });
  });

  it('carry a minus sign only where they are signed and negative', () => {
    expect(signedAmount(-1234n, 'GBP')).toEqual({ Amount: '-12.34', Currency: 'GBP' });
    expect(signedAmount(-5n, 'JPY')).toEqual({ Amount: '-5.00', Currency: 'JPY' });
    expect(signedAmount(1234n, 'GBP')).toEqual({ Amount: '12.34', Currency: 'GBP' });
    expect(signedAmount(0n, 'GBP')).toEqual({ Amount: '0.00', Currency: 'GBP' });
  });

  it('count zero as credit', () => {
    expect([creditDebit(-1n), creditDebit(0n), creditDebit(1n)]).toEqual(['Debit', 'Credit', 'Credit']);
  });
});
