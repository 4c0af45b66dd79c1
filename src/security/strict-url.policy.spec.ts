import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pageHeaders } from '../authorisation-server/listeners/page-answer.js';
import { isHttpsUrl, strictOrigin } from './strict-url.policy.js';

describe('a URL that a TPP gave', () => {
  it.each([
    ['https://tpp.example', 'https://tpp.example'],
    ['https://tpp.example/callback?a=b&c=%20;*', 'https://tpp.example'],
    ['https://TPP.Example/Callback', 'https://tpp.example'],
    ['https://tpp.example:443/', 'https://tpp.example'],
    ['https://tpp.example:8443/#terms', 'https://tpp.example:8443'],
    ['http://localhost:3005/callback', 'http://localhost:3005'],
    ['http://127.0.0.1/', 'http://127.0.0.1'],
    ['https://[2606:4700::1111]:8443/', 'https://[2606:4700::1111]:8443'],
    ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example'],
    [`https://${'a'.repeat(63)}.example/`, `https://${'a'.repeat(63)}.example`],
  ])('%s is of one host', (url, origin) => {
    expect(strictOrigin(url)).toBe(origin);
  });

  it.each([
    'https://tpp.example;script-src/',
    'https://tpp.example;',
    "https://tpp.example,'unsafe-inline'/",
    'https://*.tpp.example/',
    'https://*/',
    'https://tpp.example *.evil.example/',
    'https://tpp.example\t/',
    'https://tpp.example/\nhttps://evil.example',
    ' https://tpp.example/',
    'https://user@tpp.example/',
    'https://user:pass@tpp.example/',
    'https://tpp.example@evil.example/',
    'https://tpp.example\\@evil.example/',
    'https:\\\\tpp.example/',
    'https:/tpp.example/',
    'https:tpp.example',
    '//tpp.example/',
    'https://tpp_one.example/',
    'https://tpp..example/',
    'https://.example/',
    'https://tpp.example./',
    'https://-tpp.example/',
    'https://tpp-.example/',
    `https://${'a'.repeat(64)}.example/`,
    `https://${'a.'.repeat(127)}example/`,
    'https://bücher.example/',
    'https://tpp.ｅxample/',
    'https://tpp%2eexample/',
    'https://127.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://127.0.0.01/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::1',
    'https://[::ffff:127.0.0.1]/',
    'https://[fe80::1%25eth0]/',
    'https://tpp.example:/',
    'https://tpp.example:0/',
    'https://tpp.example:0443/',
    'https://tpp.example:65536/',
    'https://tpp.example:8443;/',
    'https:///callback',
    'https://tpp.example/"onerror="',
    'https://tpp.example/<b>',
    'https://tpp.example/\\evil',
    'https://tpp.example/%zz',
    'ftp://tpp.example/',
    'HTTPS://tpp.example/',
    'javascript:alert(1)',
    `https://tpp.example/${'a'.repeat(2_048)}`,
    '',
    undefined,
    5,
    ['https://tpp.example/'],
  ])('has no origin when it is %j', (url) => {
    expect([strictOrigin(url), isHttpsUrl(url)]).toEqual([undefined, false]);
  });

  it('has either no origin, or the host that a browser finds in it, as one source of a page’s policy', () => {
    const pieces = fc.constantFrom(
      'https://',
      'http://',
      'tpp.example',
      'localhost',
      '127.0.0.1',
      '[::1]',
      ':8443',
      '/',
      '?a=b',
      '#c',
      '@',
      '*',
      ';',
      ',',
      ' ',
      '\t',
      '\n',
      '\r',
      '\0',
      '\\',
      "'",
      '"',
      '%',
      '%2e',
      '.',
      '-',
      '_',
      ':',
      'ü',
      '。',
      '​',
      '<',
      'a',
    );
    const stated = fc.oneof(
      fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.array(pieces, { maxLength: 8 }).map((parts) => `https://${parts.join('')}`),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.string({ unit: 'binary' }).map((text) => `https://tpp.example${text}/`),
    );
    const plain = policyOf(undefined);
    let accepted = 0;
    fc.assert(
      fc.property(stated, (url) => {
        const origin = strictOrigin(url);
        const policy = policyOf(url);
        if (origin === undefined) return void expect(policy).toEqual(plain);
        accepted++;
        expect(origin).toMatch(/^https?:\/\/([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(:[0-9]+)?$/);
        expect([new URL(url).origin, new URL(url).username]).toEqual([origin, '']);
        expect(url).toMatch(/^[!-~]+$/);
        expect(policy).toEqual({ ...plain, 'form-action': ["'self'", origin] });
      }),
      { numRuns: 600 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});

/** The page's policy as a browser reads it: each directive with its sources. */
function policyOf(redirect: string | undefined): Readonly<Record<string, readonly string[]>> {
  const policy = pageHeaders({ redirect })['content-security-policy'] ?? '';
  return Object.fromEntries(
    policy.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/[\s,]+/);
      return [name, sources];
    }),
  );
}
