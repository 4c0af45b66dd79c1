import type { X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { subjectMatches } from './registered-subject.js';

describe('the name by which a certificate is recognised', () => {
  const certificate = {
    subject: 'CN=tpp',
    subjectAltName: 'DNS:tpp.example, IP Address:192.0.2.1, IP Address:2001:DB8:0:0:0:0:0:1, email:it@tpp.example',
  } as X509Certificate;

  it.each([
    ['tls_client_auth_san_dns', 'tpp.example', true],
    ['tls_client_auth_san_dns', 'it@tpp.example', false],
    ['tls_client_auth_san_ip', '192.0.2.1', true],
    ['tls_client_auth_san_ip', '2001:db8::1', true],
    ['tls_client_auth_san_ip', '2001:db8::2', false],
    ['tls_client_auth_san_email', 'it@tpp.example', true],
    ['tls_client_auth_san_uri', 'https://tpp.example/', false],
  ])('is %s with %s: %s', (property, name, expected) => {
    expect(subjectMatches(certificate, property, name)).toBe(expected);
  });
});
