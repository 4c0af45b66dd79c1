import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RowFault } from './core-rows.js';
import { minorUnitDigits } from './currencies.js';
import { minorUnitsOf, moneyOf } from './minor-units.js';

describe('minorUnitsOf', () => {
  it.each([
    ['12.34', 'GBP', 1234n],
    ['12.3400', 'GBP', 1234n],
    ['12.3', 'GBP', 1230n],
    ['12', 'GBP', 1200n],
    ['-0.01', 'GBP', -1n],
    ['-0.00', 'GBP', 0n],
    ['0000012.34', 'GBP', 1234n],
    ['1234', 'JPY', 1234n],
    ['1234.000', 'JPY', 1234n],
    ['1.234', 'BHD', 1234n],
    ['1.2345', 'CLF', 12345n],
    ['99999999999999999999999999999999999999.99', 'GBP', 9999999999999999999999999999999999999999n],
  ])('reads %s %s as %s', (decimal, currency, minorUnits) => {
    expect(minorUnitsOf(decimal, currency, 'amount')).toBe(minorUnits);
  });

  it.each([
    ['12.3456', 'GBP'],
    ['12.340000001', 'GBP'],
    ['0.1', 'JPY'],
    ['1.2345', 'BHD'],
    ['1.00001', 'CLF'],
  ])('refuses %s %s, which is finer than the minor unit, in place of rounding it', (decimal, currency) => {
    expect(() => minorUnitsOf(decimal, currency, 'amount')).toThrow(
      new RowFault('amount', 'finer than the minor unit of its currency'),
    );
  });

  it.each([
    '',
    ' ',
    ' 12.34',
    '12.34 ',
    '12.34\n',
    '+12.34',
    '--1',
    '-',
    '.',
    '.5',
    '5.',
    '1,000.00',
    '1.000,00',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '١٢',
    '1'.repeat(39),
    12.34,
    12n,
    null,
    undefined,
  ])('refuses %p, which is not a plain decimal', (decimal) => {
    expect(() => minorUnitsOf(decimal, 'GBP', 'amount')).toThrow(new RowFault('amount', 'not a decimal'));
  });

  it.each(['', 'gbp', 'ABC', 'XXX', 'XAU', '__proto__', 'constructor'])('refuses the currency %p', (currency) => {
    expect(() => minorUnitsOf('1.00', currency, 'amount')).toThrow(
      new RowFault('amount', 'not in a currency with a minor unit'),
    );
  });

  it('reads every amount back that is written with the digits of its currency, and more zeros', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
        fc.constantFrom('GBP', 'JPY', 'BHD', 'CLF'),
        fc.nat({ max: 6 }),
        (minorUnits, currency, zeros) => {
          const digits = minorUnitDigits(currency) ?? 0;
          const text = String(minorUnits < 0n ? -minorUnits : minorUnits).padStart(digits + 1, '0');
          const point = text.length - digits;
          const fraction = text.slice(point) + '0'.repeat(zeros);
          const decimal = `${minorUnits < 0n ? '-' : ''}${text.slice(0, point)}${fraction && `.${fraction}`}`;
          expect(minorUnitsOf(decimal, currency, 'amount')).toBe(minorUnits);
        },
      ),
    );
  });
});

describe('moneyOf', () => {
  it('gives the minor units with their currency', () => {
    expect(moneyOf('-12.34', 'GBP', 'amount')).toEqual({ minorUnits: -1234n, currency: 'GBP' });
  });
});
