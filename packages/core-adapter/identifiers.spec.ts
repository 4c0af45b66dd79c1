import { describe, expect, it } from '@jest/globals';
import { bic, isoCode, lei } from './identifiers.js';

describe('an LEI', () => {
  it.each(['5493001KJTIIGC8Y1R12', '213800D1EI4B9WTWWD28'])('is accepted with its check digits: %s', (text) => {
    expect(lei(text)).toBe(text);
  });

  it.each(['5493001KJTIIGC8Y1R13', '5493001KJTIIGC8Y1R1', '5493001kjtiigc8y1r12', '5493001KJTIIGC8Y1RAB', ''])(
    'is not %j',
    (text) => {
      expect(lei(text)).toBeUndefined();
    },
  );
});

describe('a BIC', () => {
  it.each(['NWBKGB2L', 'NWBKGB2LXXX'])('is %s', (text) => {
    expect(bic(text)).toBe(text);
  });

  it.each(['NWBKGB2', 'NWBKGB2LXX', 'NWBK1B2L', 'nwbkgb2l', ''])('is not %j', (text) => {
    expect(bic(text)).toBeUndefined();
  });
});

it('a code of ISO 20022 has four capital letters or digits', () => {
  expect(['SALA', 'GP2P'].map(isoCode)).toEqual(['SALA', 'GP2P']);
  expect(['sala', 'SAL', 'SALAR', 'SA A', ''].map(isoCode)).toEqual(Array(5).fill(undefined));
});
