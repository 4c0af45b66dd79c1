import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decimalText, parseExactly } from './exact-json.js';

describe('parseExactly', () => {
  it.each([
    ['1000.000000', '1000.000000'],
    ['9999999999999.999999', '9999999999999.999999'],
    ['-0.000001', '-0.000001'],
    ['9223372036854775807', '9223372036854775807'],
    ['999999999999999', '999999999999999'],
    ['1E+3', '1E+3'],
    ['0E-7', '0E-7'],
    ['0', '0'],
    ['-15', '-15'],
  ])('keeps every digit of %s', (number, text) => {
    expect(decimalText((parseExactly(`{"a":[${number}]}`) as { a: unknown[] }).a[0])).toBe(text);
  });

  it('keeps small whole numbers as numbers, and knows text from numbers', () => {
    expect(parseExactly('{"id":300,"date":[2026,3,1],"text":"1.50","n":null,"b":true}')).toEqual({
      id: 300,
      date: [2026, 3, 1],
      text: '1.50',
      n: null,
      b: true,
    });
    for (const value of ['1.50', null, undefined, true, {}, []]) expect(decimalText(value)).toBeUndefined();
  });

  it('leaves numbers in texts and in names as they are, however they are quoted', () => {
    const value = { 'a "1.5" \\': 'say \\"2.5\\", then \\ and 3.25', 'é\u2028': ['4.0\n"5.5"'] };
    expect(parseExactly(JSON.stringify(value))).toEqual(value);
  });

  it.each([
    '',
    '{',
    '[01.5]',
    '[1.]',
    '[.5]',
    '[1.2.3]',
    '[+1.5]',
    '[1.5e]',
    '[--1.5]',
    '["1.5]',
    '[1.5 2.5]',
    '[NaN]',
    '[1.5"a"]',
    '{"a":1.5,}',
    '<html>1.5</html>',
    '[1.5x]',
  ])('refuses %j, as the runtime does', (text) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(() => parseExactly(text)).toThrow(SyntaxError);
  });

  it('reads whatever JSON there is as the runtime does, but for the digits', () => {
    const plain = (value: unknown): unknown => {
      const decimal = decimalText(value);
      if (decimal !== undefined) return Number(decimal);
      if (Array.isArray(value)) return value.map(plain);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
    };
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(plain(parseExactly(json))).toEqual(plain(JSON.parse(json)));
      }),
    );
  });
});
