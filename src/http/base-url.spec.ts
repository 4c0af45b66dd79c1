import { describe, expect, it } from '@jest/globals';
import type { AuthorisationServerConfig } from '../config/config.js';
import { baseUrls } from './base-url.js';

const baseUrl = 'http://gateway.example:3000';
const authorisationServer = { tpp: { url: 'https://tpps.example:3004' } } as AuthorisationServerConfig;

describe('the URL that links are built on', () => {
  it.each([
    ['tpps.example:3004', 'https://tpps.example:3004'],
    ['TPPS.example:3004', 'https://tpps.example:3004'],
    ['gateway.example:3000', baseUrl],
    ['tpps.example', baseUrl],
    ['tpps.example:3004.evil.example', baseUrl],
    ['evil.example', baseUrl],
    [undefined, baseUrl],
  ])('is for the host %s: %s', (host, expected) => {
    expect(baseUrls({ baseUrl, authorisationServer })({ headers: { host } })).toBe(expected);
  });

  it('is always the same where TPPs come to one port', () => {
    expect(baseUrls({ baseUrl })({ headers: { host: 'tpps.example:3004' } })).toBe(baseUrl);
  });
});
