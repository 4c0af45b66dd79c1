import { defaultClaims, tokenAlgorithms, type IssuerConfig, type TokenBinding } from './config.js';
import type { Environment } from './environment.dto.js';
import { endsMutualTls } from './exposure.js';
import { readIssuersFile } from './issuers-file.js';
import { allOrNone } from './all-or-none.js';
import { allowsPlain } from './plain-connections.js';

/** The issuers, from a file or, in the simple case, from three settings. */
export function readIssuers(environment: Environment, embedded: boolean, faults: string[]): readonly IssuerConfig[] {
  const file = environment.ISSUERS_FILE;
  const simple = allOrNone(environment, ['TOKEN_ISSUER', 'TOKEN_AUDIENCE', 'TOKEN_JWKS'], faults);
  if (file === undefined && simple === undefined && embedded) return [];
  if ((file === undefined) === (simple === undefined)) {
    faults.push('set ISSUERS_FILE, or TOKEN_ISSUER, TOKEN_AUDIENCE and TOKEN_JWKS, and not both');
    return [];
  }
  // The switch itself is refused where TPPs come over TLS.
  if (file !== undefined) return readIssuersFile(file, allowsPlain(environment.ALLOW_PLAIN_CONNECTIONS), faults);
  return simple === undefined
    ? []
    : [Object.freeze(simpleIssuer(...simple, endsMutualTls(environment) ? 'mtls-or-dpop' : 'none'))];
}

/** RFC 9068 tokens of one issuer. They are bound to a certificate or a key where they name one, or where they must be. */
export function simpleIssuer(
  issuer: string,
  audience: string,
  jwks: string,
  binding: TokenBinding = 'none',
): IssuerConfig {
  return {
    issuer,
    audience,
    jwks,
    algorithms: tokenAlgorithms,
    typ: 'at+jwt',
    claims: defaultClaims,
    binding,
    subjectIsCustomer: false,
  };
}
