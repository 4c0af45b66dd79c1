import { describe, expect, it } from '@jest/globals';
import { RowFault, type Row } from './core-rows.js';
import {
  currencyOf,
  notNegative,
  optionalMatchOf,
  optionalTextOf,
  optionalIntegerOf,
  partOf,
  textOf,
  integerOf,
  wordOf,
} from './row-fields.js';

const absent: readonly Row[] = [{}, { a: undefined }, { a: null }, { a: '' }, { a: '  ' }];

describe('the readers of a field', () => {
  it.each(absent)('take %p for absent', (row) => {
    expect([optionalTextOf(row, 'a'), optionalMatchOf(row, 'a', /x/), optionalIntegerOf(row, 'a')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const missing = new RowFault('a', 'missing');
    expect(() => textOf(row, 'a')).toThrow(missing);
    expect(() => integerOf(row, 'a')).toThrow(missing);
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
    expect(integerOf({ a }, 'a')).toBe(whole);
  });

  it.each([1.5, 2 ** 53, Number.NaN, '1.0', '1e3', '+1', 'x'])('do not take %p for a whole number', (a) => {
    expect(() => integerOf({ a }, 'a')).toThrow(new RowFault('a', 'not a whole number'));
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

describe('notNegative', () => {
  it('gives zero and more back, and refuses less', () => {
    expect([notNegative(0n, 'fee'), notNegative(1n, 'fee')]).toEqual([0n, 1n]);
    expect(() => notNegative(-1n, 'fee')).toThrow(new RowFault('fee', 'negative'));
  });
});

const permitted = { OPEN: true, BLOCKED: false };

describe('wordOf', () => {
  it('gives the meaning of a word, also one that means no', () => {
    expect(wordOf({ state: 'OPEN' }, 'state', permitted)).toBe(true);
    expect(wordOf({ state: 'BLOCKED' }, 'state', permitted)).toBe(false);
  });

  it('gives the meaning of a whole number by its digits', () => {
    const forms = { 1: 'personal', 2: 'business', '-1': 'none' };
    expect(wordOf({ form: 1 }, 'form', forms)).toBe('personal');
    expect(wordOf({ form: -1 }, 'form', forms)).toBe('none');
  });

  it('gives the type of the meanings without a statement of it', () => {
    const holder: 'personal' | 'business' = wordOf({ of: 'P' }, 'of', { P: 'personal', B: 'business' });
    expect(holder).toBe('personal');
  });

  it.each([
    'open',
    ' OPEN',
    'OPEN ',
    '',
    '__proto__',
    'constructor',
    'toString',
    true,
    null,
    undefined,
    ['OPEN'],
    1.5,
    3,
  ])('takes %p, which the list lacks, for a bad record', (state) => {
    expect(() => wordOf({ state }, 'state', permitted)).toThrow(new RowFault('state', 'not a known word'));
  });
});
