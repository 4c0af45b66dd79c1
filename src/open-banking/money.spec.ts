import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { amount, creditDebit, formatAmount, signedAmount } from './money.js';

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
    'refuses %j, which is not a currency with a minor unit',
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
