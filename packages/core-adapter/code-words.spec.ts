import { describe, expect, it } from '@jest/globals';
import { wordOf } from './code-words.js';
import { RowFault } from './core-rows.js';

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
