import type { Environment } from './environment.dto.js';
import { isPlainHttpElsewhere } from './key-set-source.js';

export const isHttps = (url: string): boolean => /^https:/i.test(url);

/** Where TPPs have certificates, every token must be bound: a thief could use an unbound token. */
export function endsMutualTls({ TLS_CERT_FILE, CLIENT_CERTIFICATE_HEADER }: Environment): boolean {
  return TLS_CERT_FILE !== undefined || CLIENT_CERTIFICATE_HEADER !== undefined;
}

/** TPPs reach the gateway over TLS, which the gateway or a proxy ends. Only a sandbox has plain HTTP here. */
export function isOverTls({ TLS_CERT_FILE, CLIENT_CERTIFICATE_HEADER, BASE_URL = '' }: Environment): boolean {
  return TLS_CERT_FILE !== undefined || CLIENT_CERTIFICATE_HEADER !== undefined || isHttps(BASE_URL);
}

/**
 * An on-path attacker could replace the keys and sign tokens, or read the customers' credentials. `refusePlainConnections` is about
 * the connections to the bank's other systems.
 */
export function refuseExposure(environment: Environment, faults: string[]): void {
  if (!isOverTls(environment)) return;
  for (const name of ['TOKEN_JWKS', 'BROWSER_URL'] as const)
    if (isPlainHttpElsewhere(environment[name] ?? ''))
      faults.push(`${name} must not be plain HTTP to another machine where TPPs come over TLS`);
}
