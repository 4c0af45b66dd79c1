import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isCurrency } from '../../../../packages/core-adapter/currencies.js';
import { formatAmount } from '../../../open-banking/money.js';
import { toMinorUnits } from './fineract.money.js';

describe('toMinorUnits', () => {
  it.each([
    ['1000.000000', 'GBP', 100000n],
    ['-0.010000', 'GBP', -1n],
    ['-0.000000', 'GBP', 0n],
    ['12', 'GBP', 1200n],
    ['1E+3', 'GBP', 100000n],
    ['0E-7', 'GBP', 0n],
    ['1.5e1', 'GBP', 1500n],
    ['1234.000000', 'JPY', 1234n],
    ['1.234000', 'BHD', 1234n],
    ['1.234500', 'CLF', 12345n],
    ['1.001000', 'GBP', undefined],
    ['1.500000', 'JPY', undefined],
    ['1e-3', 'GBP', undefined],
    ['1e999', 'GBP', undefined],
    ['NaN', 'GBP', undefined],
    ['', 'GBP', undefined],
    ['1,000.00', 'GBP', undefined],
  ])('%s %s is %s', (decimal, currency, minorUnits) => {
    expect(toMinorUnits(decimal, currency)).toBe(minorUnits);
  });

  it('agrees with the gateway’s own amounts in every currency', () => {
    const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c))).filter(isCurrency);
    expect(codes.length).toBeGreaterThan(150);
    fc.assert(
      fc.property(
        fc.constantFrom(...codes),
        fc.bigInt({ min: 0n, max: 9_999_999_999_999n }),
        (currency, minorUnits) => {
          expect(toMinorUnits(formatAmount(minorUnits, currency), currency)).toBe(minorUnits);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
