import { describe, expect, it } from '@jest/globals';
import { isHostOf } from './published-host.js';

describe('the host of a URL of ours', () => {
  it.each([
    ['https://api.bank.example', 'api.bank.example', true],
    ['https://api.bank.example', 'API.bank.example', true],
    ['https://api.bank.example', 'api.bank.example:443', true],
    ['https://api.bank.example', 'api.bank.example:80', false],
    ['https://api.bank.example', 'api.bank.example:', false],
    ['https://api.bank.example', 'other.example:443', false],
    ['https://api.bank.example', undefined, false],
    ['https://api.bank.example:8443', 'api.bank.example:8443', true],
    ['https://api.bank.example:8443', 'api.bank.example', false],
    ['https://api.bank.example:8443', 'api.bank.example:443', false],
    ['http://localhost', 'localhost:80', true],
    ['http://localhost', 'localhost:443', false],
  ])('of %s: whether %s names it: %s', (url, header, expected) => {
    expect(isHostOf(url)(header)).toBe(expected);
  });
});
