import { describe, expect, it } from '@jest/globals';
import { nameFault } from './tpp-name.policy.js';

describe('the name of a TPP', () => {
  it.each([
    'Moneyview',
    'Penny & Co. (UK)',
    '1',
    'Łódź Finanse',
    'نامه\u200cای',
    'क्\u200dष',
    'e\u0301conomie',
    '貯金アプリ',
    'Heart ❤️ Budget',
    'Your bankers',
  ])('may be %s', (name) => {
    expect(nameFault(name, 'Your bank')).toBeUndefined();
  });

  it.each<[string, string, RegExp]>([
    ['zero-width spaces', '\u200b\u200b', /format character/],
    ['a soft hyphen', '\u00ad', /format character/],
    ['a text that runs backwards', 'Money\u202eview', /format character/],
    ['a byte-order mark before it', '\ufeffMoneyview', /format character/],
    ['a joiner that joins nothing', 'Money \u200dview', /format character/],
    ['a control character of C0', 'Money\u0007view', /control/],
    ['a control character of C1', 'Money\u009bview', /control/],
    ['a line break of Unicode', 'Money\u2028view', /control/],
    ['half a character', 'Money\ud800', /control/],
    ['a letter without a picture', '\u3164', /a letter or a digit/],
    ['punctuation', '— & —', /a letter or a digit/],
    ['nothing', '', /a letter or a digit/],
    ['spaces', '   ', /a letter or a digit/],
    ['more than a page can show', 'x'.repeat(101), /at most 100/],
    ['the name of the bank', 'Straße Bank', /name of the bank/],
    ['the name of the bank in capitals', 'STRASSE BANK', /name of the bank/],
    ['the name of the bank with other blanks and signs', ' Straße\u00a0-\u2002Bank. ', /name of the bank/],
    ['the name of the bank in wide letters', 'ＳＴＲＡＳＳＥ Ｂａｎｋ', /name of the bank/],
    ['the name of the bank with an invisible letter', 'Straße\u3164Bank', /name of the bank/],
  ])('is not %s', (_what, name, fault) => {
    expect(nameFault(name, 'Straße Bank')).toMatch(fault);
  });
});
