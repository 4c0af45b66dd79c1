import { describe, expect, it } from '@jest/globals';
import { plainDecimal } from './fineract.money.js';

describe('plainDecimal', () => {
  it.each([
    ['1000.000000', '1000.000000'],
    ['-0.010000', '-0.010000'],
    ['12', '12'],
    ['1E+3', '1000'],
    ['0E-7', '0.0000000'],
    ['1.5e1', '15'],
    ['1.25e1', '12.5'],
    ['12.5e-1', '1.25'],
    ['12.5e-2', '0.125'],
    ['12.5e-4', '0.00125'],
    ['-1e-3', '-0.001'],
    ['1e29', `1${'0'.repeat(29)}`],
    ['1e30', undefined],
    ['1e999', undefined],
    ['NaN', undefined],
    ['', undefined],
    ['1,000.00', undefined],
  ])('of %s is %s', (decimal, plain) => {
    expect(plainDecimal(decimal)).toBe(plain);
  });
});
