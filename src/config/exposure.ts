import type { Environment } from './environment.dto.js';
import { isPlainHttpElsewhere } from './key-set-source.js';

export const isHttps = (url: string): boolean => /^https:/i.test(url);

/** TPPs come with certificates: a token that is bound to nothing would be anybody's who gets hold of it. */
export function endsMutualTls({ TLS_CERT_FILE, CLIENT_CERTIFICATE_HEADER }: Environment): boolean {
  return TLS_CERT_FILE !== undefined || CLIENT_CERTIFICATE_HEADER !== undefined;
}

/** TPPs reach the gateway over TLS, which it ends or a proxy does: no sandbox on plain HTTP. */
export function isOverTls({ TLS_CERT_FILE, CLIENT_CERTIFICATE_HEADER, BASE_URL = '' }: Environment): boolean {
  return TLS_CERT_FILE !== undefined || CLIENT_CERTIFICATE_HEADER !== undefined || isHttps(BASE_URL);
}

/** An on-path attacker could replace the keys and sign tokens, or read the customers' credentials. */
export function refuseExposure(environment: Environment, faults: string[]): void {
  if (!isOverTls(environment)) return;
  for (const name of ['TOKEN_JWKS', 'BROWSER_URL', 'CUSTOMER_AUTHENTICATION_URL'] as const)
    if (isPlainHttpElsewhere(environment[name] ?? ''))
      faults.push(`${name} must not be plain HTTP to another machine where TPPs come over TLS`);
}
