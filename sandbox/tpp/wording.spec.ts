import { describe, expect, it } from '@jest/globals';
import { accountNumber, moment, money, rhythm, weekday, words } from './wording.js';

describe('the TPP’s wording', () => {
  it.each<[unknown, unknown, string]>([
    [{ Amount: '1696.47', Currency: 'GBP' }, 'Credit', '£1,696.47'],
    [{ Amount: '1696.47', Currency: 'GBP' }, undefined, '£1,696.47'],
    [{ Amount: '4.80', Currency: 'GBP' }, 'Debit', '−£4.80'],
    [{ Amount: '-612.44', Currency: 'GBP' }, 'Debit', '−£612.44'],
    [{ Amount: '0.00', Currency: 'GBP' }, 'Debit', '£0.00'],
    [{ Amount: '5000', Currency: 'JPY' }, 'Debit', '−JP¥5,000'],
    [{ Amount: '1.500', Currency: 'BHD' }, 'Credit', 'BHD\u00a01.500'],
    [{ Amount: '9007199254740993.01', Currency: 'GBP' }, 'Credit', '£9,007,199,254,740,993.01'],
    [{ Amount: 7, Currency: 'GBP' }, 'Credit', ''],
    [undefined, 'Credit', ''],
  ])('of the amount %j, %s', (amount, indicator, expected) => {
    expect(money(amount, indicator)).toBe(expected);
  });

  it('writes days as in the United Kingdom, with a time only if the bank gives one', () => {
    expect(weekday('2026-06-14T23:30:00+00:00')).toBe('Monday 15 June 2026');
    expect(moment('2026-12-03T00:00:00+00:00')).toBe('3 December 2026');
    expect(moment('2026-11-21T07:35:23.809+00:00')).toBe('21 November 2026, 07:35');
  });

  it.each([
    ['UK.OBIE.SortCodeAccountNumber', '08999910010010', '08-99-99 10010010'],
    ['UK.OBIE.IBAN', 'GB54SBOX08999910010010', 'GB54 SBOX 0899 9910 0100 10'],
    ['UK.OBIE.PAN', 'xxxxxxxxxxxx7897', 'xxxxxxxxxxxx7897'],
    [undefined, '1', '1'],
  ])('of an account by %s', (scheme, number, expected) => {
    expect(accountNumber(scheme, number)).toBe(expected);
  });

  it.each([
    ['EvryDay', 'Every day'],
    ['EvryWorkgDay', 'Every working day'],
    ['IntrvlDay:15', 'Every 15 days'],
    ['IntrvlWkDay:01:03', 'Every week, on Wednesday'],
    ['IntrvlWkDay:02:05', 'Every 2 weeks, on Friday'],
    ['WkInMnthDay:02:03', 'Every month, on Wednesday of week 2'],
    ['IntrvlMnthDay:01:01', 'Every month, on day 1'],
    ['IntrvlMnthDay:06:15', 'Every 6 months, on day 15'],
    ['IntrvlMnthDay:01:-01', 'Every month, on day 1 counted from its end'],
    ['QtrDay:ENGLISH', 'Every quarter'],
    ['NotKnown', 'Not known'],
    [{ Type: 'NONE' }, 'Not known'],
    [{ Type: 'DAIL' }, 'Every day'],
    [{ Type: 'DAIL', PointInTime: '15' }, 'Every 15 days'],
    [{ Type: 'WODL' }, 'Every working day'],
    [{ Type: 'FRTN', PointInTime: '05' }, 'Every 2 weeks, on Friday'],
    [{ Type: 'MIAN', PointInTime: '-1' }, 'Every 6 months, on day 1 counted from its end'],
    [{ Type: 'QtrDay:ENGLISH' }, 'Every quarter'],
  ])('of the rhythm %j', (code, expected) => {
    expect(rhythm(code)).toBe(expected);
  });

  it('writes codes as words of a sentence', () => {
    expect(['UK.OBIE.InterimAvailable', 'ITAV', 'Active', 'ACTV', 'SUPP', ''].map(words)).toEqual([
      'Interim available',
      'Interim available',
      'Active',
      'Active',
      'SUPP',
      '',
    ]);
  });
});
