import type { X509Certificate } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { isSubject } from './subject-dn.js';

/**
 * Whether the certificate has the subject, or the alternative name, that a client registered (RFC 8705, section 2.1.2).
 * @param property the registered member of the metadata
 */
export function subjectMatches(certificate: X509Certificate | undefined, property: string, expected: string): boolean {
  if (certificate === undefined) return false;
  const alternatives = (certificate.subjectAltName ?? '').split(', ');
  switch (property) {
    case 'tls_client_auth_subject_dn':
      return isSubject(certificate.subject, expected);
    case 'tls_client_auth_san_dns':
      return alternatives.includes(`DNS:${expected}`);
    case 'tls_client_auth_san_uri':
      return alternatives.includes(`URI:${expected}`);
    case 'tls_client_auth_san_ip':
      return alternatives.some(
        (name) => name.startsWith('IP Address:') && addressOf(name.slice(11)) === addressOf(expected),
      );
    case 'tls_client_auth_san_email':
      return alternatives.includes(`email:${expected}`);
    default:
      return false;
  }
}

/** One spelling of each IP address: certificates have the eight numbers of IPv6, TPPs leave zeros out. */
function addressOf(text: string): string {
  return isIPv6(text) ? new URL(`http://[${text}]`).hostname : text;
}
