import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { freeText, maskedCard, transactionInformation } from './free-text.js';

function isLuhnValid(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** `body` with the check digit that makes it Luhn-valid. */
function withCheckDigit(body: string): string {
  return `0123456789`
    .split('')
    .map((digit) => body + digit)
    .find(isLuhnValid) as string;
}

const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max });
const cardNumber = digits(12, 18).map(withCheckDigit);
const separator = fc.constantFrom('', ' ', '-', '\u00a0', '\u2009', '\u2013');

describe('freeText', () => {
  it.each([
    ['TESCO STORES 3021', 'TESCO STORES 3021'],
    ['  Café  Zoë  ', 'Café  Zoë'],
    ['', ''],
    [' \t\r\n ', ''],
    ['RENT\r\nJULY\tFLAT', 'RENT JULY FLAT'],
    ['A\u0000B\u0007C\u007fD\u0085E\u009bF', 'ABCD EF'],
    ['C1 only\u009f', 'C1 only'],
    ['DEL\u007f only', 'DEL only'],
    ['line\u2028end', 'line end'],
    ['ünïcode 漢字 👩‍👩‍👧 ok', 'ünïcode 漢字 👩‍👩‍👧 ok'],
    ['half \ud83d pair', 'half \ufffd pair'],
  ])('cleans %j to %j', (text, clean) => {
    expect(freeText(text)).toBe(clean);
  });

  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcde'],
    ['abc def', 4, 'abc'],
    ['ab👍cd', 3, 'ab'],
    ['ab👍cd', 4, 'ab👍'],
    ['abcdef', 0, ''],
  ])('cuts %j to %d as %j', (text, length, short) => {
    expect(freeText(text, length)).toBe(short);
  });

  it('never leaves part of a number or of a mask at the cut', () => {
    const text = 'Paid 4111111111111111 thanks';
    for (let length = 0; length < 21; length++) {
      expect(freeText(text, length)).toBe('Paid'.slice(0, length));
    }
    expect(freeText(text, 21)).toBe('Paid xxxxxxxxxxxx1111');
    expect(freeText(text, 23)).toBe('Paid xxxxxxxxxxxx1111 t');
  });

  it('masks the rest of a long reference after a cut', () => {
    const reference = '0000000000000777777777';
    expect(freeText(reference)).toBe(reference);
    expect(freeText(reference, 16)).toBe('0000000000000777');
    expect(freeText(`a ${reference}`, 15)).toBe('a');
  });

  it('masks any Luhn-valid number of 13 to 19 digits, plain, spaced or dashed, between other words', () => {
    fc.assert(
      fc.property(cardNumber, separator, fc.integer({ min: 1, max: 6 }), (number, between, size) => {
        const groups = number.match(new RegExp(`\\d{1,${size}}`, 'g')) as string[];
        expect(freeText(`to ${groups.join(between)}, J SMITH`)).toBe(`to xxxxxxxxxxxx${number.slice(-4)}, J SMITH`);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps a number of 13 to 19 digits that is not Luhn-valid and cannot contain a card number', () => {
    const noNetwork = fc.string({ unit: fc.constantFrom(...'01789'), minLength: 13, maxLength: 19 });
    fc.assert(
      fc.property(noNetwork, (number) => {
        fc.pre(!isLuhnValid(number));
        expect(freeText(`REF ${number}`)).toBe(`REF ${number}`);
      }),
    );
  });

  it('leaves no Luhn-valid group of 13 to 19 digits in its result, for any digits and separators', () => {
    const piece = fc.oneof(cardNumber, digits(1, 25), fc.constantFrom('4111111111111111', '378282246310005'));
    const link = fc.constantFrom('', ' ', '-', '\u2013', '  ', '.', '/', 'x', '\u200b', '\n');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(piece, link), { maxLength: 6 }),
        fc.integer({ min: 0, max: 120 }),
        (pieces, length) => {
          const text = freeText(pieces.flat().join(''), length);
          for (const [run] of text.matchAll(/\d+/g)) {
            expect(run.length < 13 || run.length > 19 || !isLuhnValid(run)).toBe(true);
          }
          for (const [run] of text.matchAll(/\d+(?:[ \u2013-]\d+)*/g)) {
            const joined = run.replace(/\D/g, '');
            expect(joined.length < 13 || joined.length > 19 || !isLuhnValid(joined)).toBe(true);
          }
          // The x of a mask stays: the digits before and after a mask are not a number.
          expect(text.replace(/[^\dx]/g, '')).not.toContain('4111111111111111');
          expect(text.length).toBeLessThanOrEqual(length);
          expect(text).toBe(text.trim());
          expect(freeText(text, length)).toBe(text);
        },
      ),
      {
        numRuns: 600,
        examples: [[[['41', ''], ...Array.from({ length: 4 }, (): [string, string] => ['4111111111111111', ''])], 66]],
      },
    );
  });

  it('is quick with hostile texts of 100,000 characters', () => {
    const hostile = [
      '1',
      '0',
      '4',
      '1 ',
      '1-',
      '4111111111111111',
      '1.',
      '1   ',
      '1\u200b',
      '\u200b',
      '1    ',
      '411111111 ',
      '٤',
    ];
    for (const unit of hostile) {
      const text = unit.repeat(Math.ceil(100_000 / unit.length));
      const started = process.cpuUsage();
      const clean = freeText(text, 500);
      // Takes tens of milliseconds. A quadratic rule would take minutes.
      expect(process.cpuUsage(started).user).toBeLessThan(10_000_000);
      expect(clean.length).toBeLessThanOrEqual(500);
    }
  });
});

describe('maskedCard', () => {
  it('shows the last four digits only', () => {
    expect(maskedCard('1234')).toBe('xxxxxxxxxxxx1234');
  });

  it.each(['', '123', '12345', '4111111111111111', '12a4', '1234\n', '١٢٣٤'])('refuses %j', (lastFour) => {
    expect(() => maskedCard(lastFour)).toThrow(RangeError);
  });
});

describe('transactionInformation', () => {
  it.each([
    ['TESCO', '2024-02-29', 'TESCO 2024-02-29'],
    [undefined, '2024-02-29', '2024-02-29'],
    ['  ', '2024-02-29', '2024-02-29'],
    ['TESCO', undefined, 'TESCO'],
    [undefined, undefined, undefined],
    ['\u0007 ', undefined, undefined],
    ['CARD 4111 1111 1111 1111', '2024-02-29', 'CARD xxxxxxxxxxxx1111 2024-02-29'],
  ])('joins %j and %j to %j', (description, day, text) => {
    expect(transactionInformation(description, day)).toBe(text);
  });

  it('cuts the description to 500 characters in all, never the day', () => {
    expect(transactionInformation('a'.repeat(489), '2024-02-29')).toBe(`${'a'.repeat(489)} 2024-02-29`);
    expect(transactionInformation('a'.repeat(490), '2024-02-29')).toBe(`${'a'.repeat(489)} 2024-02-29`);
    expect(transactionInformation(`${'a'.repeat(488)}👍`, '2024-02-29')).toBe(`${'a'.repeat(488)} 2024-02-29`);
    expect(transactionInformation('a'.repeat(501), undefined)).toBe('a'.repeat(500));
  });
});
