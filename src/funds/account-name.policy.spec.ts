import { describe, expect, it } from '@jest/globals';
import { isNameOfAccount } from './account-name.policy.js';

describe('the name of an account', () => {
  it.each<[string, readonly string[]]>([
    ['Kate Example', ['Kate Example']],
    ['KATE-EXAMPLE.', ['Kate  Example']],
    ['Zoë Łukasz', ['ZOË ŁUKASZ']],
    ['李小龙', ['李 小龙']],
    ['Sam Okafor', ['Kate Example', 'Sam Okafor']],
    ['Kate Example & Sam Okafor', ['Kate Example', 'Sam Okafor']],
  ])('%j is known of %j', (stated, holders) => expect(isNameOfAccount(stated, holders)).toBe(true));

  it.each<[string, readonly string[]]>([
    ['Kate', ['Kate Example']],
    ['Kate Example Jr', ['Kate Example']],
    ['Zoe Lukasz', ['Zoë Łukasz']],
    ['Sam Okafor & Kate Example', ['Kate Example', 'Sam Okafor']],
    ['Kate Example', []],
    ['-', ['.']],
    ['', []],
  ])('%j is not known of %j', (stated, holders) => expect(isNameOfAccount(stated, holders)).toBe(false));
});
