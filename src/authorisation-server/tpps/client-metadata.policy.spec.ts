import { describe, expect, it } from '@jest/globals';
import { isLoopback, metadataFault } from './client-metadata.policy.js';

describe('client metadata', () => {
  it.each([
    ['https://tpp.example/callback', true, true],
    ['http://localhost:3005/callback', true, false],
    ['http://127.0.0.1/', true, false],
    ['http://[::1]:80/', true, false],
    ['http://localhost.tpp.example/', false, false],
    ['http://127.0.0.1@tpp.example/', false, false],
    ['http://tpp.example/', false, false],
    ['https://tpp.example/#', false, false],
    ['javascript:alert(1)', false, false],
    ['', false, false],
  ])('may have the redirect URI %s in a sandbox: %s, elsewhere: %s', (uri, inSandbox, elsewhere) => {
    const accepted = [true, false].map(
      (sandbox) =>
        metadataFault({ redirect_uris: [uri] }, { sandbox, isDirectoryUrl: () => false })?.error !==
        'invalid_redirect_uri',
    );
    expect(accepted).toEqual([inSandbox, elsewhere]);
  });

  it.each([
    ['https://tpp.example/jwks', true],
    ['http://127.0.0.1:3002/jwks', true],
    ['http://127.0.0.1:3004/jwks', false],
    [5, false],
  ])('may have the key set %s: %s', (jwksUri, expected) => {
    const isDirectoryUrl = (url: string): boolean => url.startsWith('http://127.0.0.1:3002/');
    const metadata = { redirect_uris: ['https://tpp.example/'], jwks_uri: jwksUri };
    expect(metadataFault(metadata, { sandbox: false, isDirectoryUrl }) === undefined).toBe(expected);
  });

  it.each([
    ['tls_client_auth_subject_dn', '/C=GB/O=Third Party/CN=tpp', 'CN=tpp,O=Third Party,C=GB', 'CN=0015800001041RE,O='],
    ['tls_client_auth_subject_dn', 'tpp', 'CN=tpp', 'RFC 4514'],
    ['tls_client_auth_san_dns', 'DNS:tpp.example', 'tpp.example', 'a host name'],
    ['tls_client_auth_san_dns', 'a.example, DNS:b.example', '*.tpp.example', 'a host name'],
    ['tls_client_auth_san_uri', 'tpp.example', 'https://tpp.example/', 'a URI'],
    ['tls_client_auth_san_ip', '192.0.2.0/24', '2001:db8::1', 'an IP address'],
    ['tls_client_auth_san_email', 'email:it@tpp.example', 'it@tpp.example', 'an email address'],
  ])('may name a certificate only as one can be named: %s, not by %s', (member, wrong, right, form) => {
    const fault = (name: string) =>
      metadataFault(
        { redirect_uris: ['https://tpp.example/'], [member]: name },
        { sandbox: false, isDirectoryUrl: () => false },
      );
    expect([fault(wrong)?.description, fault(right)]).toEqual([expect.stringContaining(form), undefined]);
    expect(fault(wrong)?.description).toMatch(new RegExp(`^${member} must be `));
  });

  it.each<[string, object, boolean]>([
    ['FAPI 1.0 without keys', {}, false],
    ['FAPI 1.0 with keys', { jwks_uri: 'https://tpp.example/jwks' }, true],
    ['FAPI 2.0 without keys', { fapi_profile: '2.0' }, true],
  ])('of a TPP that proves itself by its certificate: %s', (_what, more, expected) => {
    const metadata = {
      redirect_uris: ['https://tpp.example/'],
      token_endpoint_auth_method: 'tls_client_auth',
      tls_client_auth_subject_dn: 'CN=tpp',
      ...more,
    };
    const fault = metadataFault(metadata, { sandbox: false, isDirectoryUrl: () => false });
    expect(fault === undefined).toBe(expected);
    if (!expected) expect(fault?.description).toMatch(/^jwks or jwks_uri is needed .*signs its authorization requests/);
  });

  it.each([
    ['http://localhost:3003', true],
    ['https://127.0.0.1:8443', true],
    ['https://bank.example', false],
    ['https://localhost.bank.example', false],
  ])('is a sandbox’s where browsers come to %s: %s', (url, expected) => {
    expect(isLoopback(url)).toBe(expected);
  });
});
