import { describe, expect, it } from '@jest/globals';
import { freeText } from './free-text.js';

/** Published test numbers of the card networks, none of them a real card. */
const cards = {
  'Visa, 16 digits': '4111111111111111',
  'Visa, 16 digits, another': '4012888888881881',
  'Visa, 13 digits': '4222222222222',
  'Visa, 19 digits': '4000000000000000006',
  Mastercard: '5555555555554444',
  'Mastercard, 2-series': '2223003122003222',
  'American Express': '378282246310005',
  'Diners, 14 digits': '30569309025904',
  Discover: '6011111111111117',
  JCB: '3530111333300000',
  Maestro: '6759649826438453',
  'UnionPay, 19 digits': '6205500000000000004',
};

const mask = (number: string): string => `xxxxxxxxxxxx${number.slice(-4)}`;
const grouped = (number: string, between: string): string => (number.match(/\d{1,4}/g) as string[]).join(between);
const fullWidth = (number: string): string =>
  number.replace(/\d/g, (digit) => '０１２３４５６７８９'.charAt(Number(digit)));
const arabic = (number: string): string => number.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)));
const bold = (number: string): string =>
  number.replace(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit)));
const monospace = (number: string): string =>
  number.replace(/\d/g, (digit) => String.fromCodePoint(0x1d7f6 + Number(digit)));
const keycaps = (number: string): string => number.replace(/\d/g, '$&\ufe0f\u20e3');

describe.each(Object.entries(cards))('a number of %s in free text', (_network, number) => {
  it.each<[string, string, string]>([
    ['alone', number, mask(number)],
    ['in a sentence', `Refund to card ${number}, thank you.`, `Refund to card ${mask(number)}, thank you.`],
    ['between letters', `CARD${number}GBP`, `CARD${mask(number)}GBP`],
    ['in brackets', `(${number})`, `(${mask(number)})`],
    ['spaced', `to ${grouped(number, ' ')} now`, `to ${mask(number)} now`],
    ['dashed', `to ${grouped(number, '-')} now`, `to ${mask(number)} now`],
    ['with no-break spaces', grouped(number, '\u00a0'), mask(number)],
    ['with thin spaces', grouped(number, '\u2009'), mask(number)],
    ['with en dashes', grouped(number, '\u2013'), mask(number)],
    ['with non-breaking hyphens', grouped(number, '\u2011'), mask(number)],
    ['with minus signs', grouped(number, '\u2212'), mask(number)],
    ['with double spaces', grouped(number, '  '), mask(number)],
    ['with spaced dashes', grouped(number, ' - '), mask(number)],
    ['with dots', grouped(number, '.'), mask(number)],
    ['with slashes', grouped(number, '/'), mask(number)],
    ['over two lines', grouped(number, '\r\n'), mask(number)],
    ['split by control characters', grouped(number, '\u0000'), mask(number)],
    ['split by zero-width spaces', grouped(number, '\u200b'), mask(number)],
    ['in full-width digits', fullWidth(number), mask(number)],
    ['in Arabic-Indic digits', arabic(number), mask(number)],
    ['in mathematical bold digits', bold(number), mask(number)],
    ['in mathematical monospace digits', monospace(number), mask(number)],
    ['in JSON', `{"pan":"${number}","n":1}`, `{"pan":"${mask(number)}","n":1}`],
  ])('is masked %s', (_where, text, expected) => {
    expect(freeText(text)).toBe(expected);
  });

  it.each([
    ['a country code before it', `+44 ${number}`],
    ['itself', `${number} ${number}`],
    ['itself without a gap', `${number}${number}`],
    ['a date', `${number} 01-02-2024`],
    ['a date before it', `2024-02-01 ${grouped(number, ' ')}`],
    ['its expiry date and code', `${grouped(number, ' ')} 12/26 123`],
    ['an account number', `20-00-00 55779911 ${number} 20-00-00 55779911`],
    ['other digits around it', `9${number}9`],
    ['many other digits around it', `99999999${number}999999999999`],
  ])('is masked with %s, even where that also masks other digits', (_beside, text) => {
    const shown = freeText(text).replace(/[^\dx]/g, '');
    for (let from = 0; from + 8 <= number.length; from++) {
      expect(shown).not.toContain(number.slice(from, from + 8));
    }
  });
});

describe('free text with several numbers', () => {
  const [visa, mastercard, amex] = ['4111111111111111', '5555555555554444', '378282246310005'];

  it.each([
    [`${visa} ${mastercard}`, `${mask(visa)} ${mask(mastercard)}`],
    [`${visa}${mastercard}`, `${mask(visa)}${mask(mastercard)}`],
    [`${grouped(visa, ' ')} ${grouped(mastercard, ' ')}`, `${mask(visa)} ${mask(mastercard)}`],
    [`${visa}, ${amex} and ${mastercard}`, `${mask(visa)}, ${mask(amex)} and ${mask(mastercard)}`],
    [`${visa} 01-02-2024`, `${mask(visa)} 01-02-2024`],
    [`${visa} 12345678`, `${mask(visa)} 12345678`],
    [`exp 12/26 ${visa} cvv 123`, `exp 12/26 ${mask(visa)} cvv 123`],
    // Joined to other digits: in 20 digits and more, and in fewer.
    [`99${visa}99`, `99${mask(visa)}99`],
    [`${visa}0126`, `${mask(visa)}0126`],
    [`+44${visa}`, `+44${mask(visa)}`],
    [`0000${grouped(visa, ' ')}`, `0000${mask(visa)}`],
    [keycaps(visa), `${mask(visa)}\ufe0f\u20e3`],
  ])('%j becomes %j', (text, expected) => {
    expect(freeText(text)).toBe(expected);
  });
});

describe('free text without a card number', () => {
  it.each([
    'Call 020 7946 0018 or +44 7911 123456',
    'FPS 1234567890123456 RENT',
    'INVOICE 2024-000123 OF 2024-01-31',
    '31/01/2024 12:30:45 TILL 7',
    '20240131123045',
    '20-00-00 55779911',
    '123456789012',
    'ISIN GB0002634946',
    'GB29 NWBK 6016 1331 9268 19',
    'GB29NWBK60161331926819',
    'DE89 3704 0044 0532 0130 00',
    'order 4111111111111112',
    'a1b2c3d4e5f6a7b8c9d0',
    'xxxxxxxxxxxx1234',
    'Δόξα 12,345.67 EUR',
  ])('stays unchanged: %j', (text) => {
    expect(freeText(text)).toBe(text);
  });

  it('has masks only for Luhn-valid digits of an IBAN or a reference, which look like a card number', () => {
    expect(freeText('GB33BUKB20201555555556')).toBe('GB33BUKBxxxxxxxxxxxx5556');
    expect(freeText('REF 1234567890123452')).toBe('REF xxxxxxxxxxxx3452');
  });
});
