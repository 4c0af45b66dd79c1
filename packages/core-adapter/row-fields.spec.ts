import { describe, expect, it } from '@jest/globals';
import { RowFault, type Row } from './core-rows.js';
import { currencyOf, optionalMatchOf, optionalTextOf, optionalWholeOf, partOf, textOf, wholeOf } from './row-fields.js';

const absent: readonly Row[] = [{}, { a: undefined }, { a: null }, { a: '' }, { a: '  ' }];

describe('the readers of a field', () => {
  it.each(absent)('take %p for absent', (row) => {
    expect([optionalTextOf(row, 'a'), optionalMatchOf(row, 'a', /x/), optionalWholeOf(row, 'a')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const missing = new RowFault('a', 'missing');
    expect(() => textOf(row, 'a')).toThrow(missing);
    expect(() => wholeOf(row, 'a')).toThrow(missing);
    expect(() => currencyOf(row, 'a')).toThrow(missing);
  });

  it('read a text without the blanks around it', () => {
    expect(textOf({ a: ' x y  ' }, 'a')).toBe('x y');
  });

  it.each([[1], [true], [{}], [['x']]])('do not take %p for a text', (a) => {
    expect(() => optionalTextOf({ a }, 'a')).toThrow(new RowFault('a', 'not a text'));
  });

  it('read a text of a form, and refuse one of another form', () => {
    expect(optionalMatchOf({ a: '123456 ' }, 'a', /^\d{6}$/)).toBe('123456');
    expect(() => optionalMatchOf({ a: '12345' }, 'a', /^\d{6}$/)).toThrow(new RowFault('a', 'not of its form'));
  });

  it('read a currency, and refuse one that is not in ISO 4217', () => {
    expect(currencyOf({ a: 'GBP' }, 'a')).toBe('GBP');
    expect(() => currencyOf({ a: 'GBX' }, 'a')).toThrow(new RowFault('a', 'not a currency with a minor unit'));
  });

  it.each([
    [-1234, -1234n],
    [0, 0n],
    [Number.MAX_SAFE_INTEGER, 9007199254740991n],
    [12n, 12n],
    ['9007199254740993', 9007199254740993n],
    ['-5', -5n],
  ])('read %p as a whole number', (a, whole) => {
    expect(wholeOf({ a }, 'a')).toBe(whole);
  });

  it.each([1.5, 2 ** 53, Number.NaN, '1.0', '1e3', '+1', 'x'])('do not take %p for a whole number', (a) => {
    expect(() => wholeOf({ a }, 'a')).toThrow(new RowFault('a', 'not a whole number'));
  });
});

describe('partOf', () => {
  const payee = (part: Row): string => textOf(part, 'id');

  it('reads a record inside the record', () => {
    expect(partOf({ payee: { id: '7' } }, 'payee', payee)).toBe('7');
  });

  it('names both records in a fault', () => {
    expect(() => partOf({ payee: {} }, 'payee', payee)).toThrow(new RowFault('payee.id', 'missing'));
  });

  it.each([undefined, null, 'x', []])('refuses %p', (part) => {
    expect(() => partOf({ payee: part }, 'payee', payee)).toThrow(new RowFault('payee', 'not a record'));
  });

  it('lets every other error through', () => {
    const defect = new TypeError('a defect');
    const read = () => {
      throw defect;
    };
    expect(() => partOf({ payee: {} }, 'payee', read)).toThrow(defect);
  });
});
