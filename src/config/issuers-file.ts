import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { plainToInstance } from 'class-transformer';
import type { ClaimMap, IssuerConfig } from './config.js';
import { Issuer } from './issuer.dto.js';
import { propertyFaults } from './property-faults.js';

/**
 * The issuers of a JSON file, a list, checked and frozen. Paths in it are relative to its folder. Every wrong field adds a
 * line to `faults`, with its path and never with its value. The result is then unusable.
 * @param unbound whether tokens that are bound to nothing may be accepted
 */
export function readIssuersFile(path: string, unbound: boolean, faults: string[]): readonly IssuerConfig[] {
  const entries = readEntries(path, faults);
  const issuers = entries.map((entry, index) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
      faults.push(`ISSUERS_FILE [${index}] must be an object`);
      return undefined;
    }
    const issuer = plainToInstance(Issuer, entry);
    const found = [...propertyFaults(issuer), ...contradictions(issuer, unbound)];
    const files = found.length > 0 ? [] : unreadable(issuer, dirname(path));
    faults.push(...[...found, ...files].map((line) => `ISSUERS_FILE [${index}].${line}`));
    return found.length + files.length > 0 ? undefined : toConfig(issuer, dirname(path));
  });
  const names = issuers.flatMap((issuer) => issuer?.issuer ?? []);
  for (const name of new Set(names.filter((candidate, index) => names.indexOf(candidate) !== index)))
    faults.push(`ISSUERS_FILE names the issuer ${name} twice`);
  const valid = issuers.filter((issuer) => issuer !== undefined);
  if (valid.filter((issuer) => 'introspection' in issuer).length > 1)
    faults.push('ISSUERS_FILE has two issuers with introspection: an opaque token does not say whose it is');
  return Object.freeze(valid);
}

function readEntries(path: string, faults: string[]): readonly unknown[] {
  try {
    const content = JSON.parse(readFileSync(path, 'utf8')) as unknown;
    if (Array.isArray(content) && content.length > 0) return content;
    faults.push('ISSUERS_FILE must hold a JSON list of one issuer or more');
  } catch (error) {
    faults.push(`ISSUERS_FILE is not ${error instanceof SyntaxError ? 'valid JSON' : 'a readable file'}`);
  }
  return [];
}

function contradictions(
  { jwks, introspection, algorithms, typ, jwksCaFile, binding }: Issuer,
  unbound: boolean,
): string[] {
  const found: string[] = [];
  if ((jwks === undefined) === (introspection === undefined))
    found.push('jwks or introspection must be given, and only one of them');
  if (jwks === undefined)
    for (const [name, value] of Object.entries({ algorithms, typ, jwksCaFile }))
      if (value !== undefined) found.push(`${name} is a setting of jwks, which is not given`);
  if (binding === 'none' && !unbound)
    found.push('binding must be mtls or dpop; none is for a sandbox, which says ALLOW_PLAIN_CONNECTIONS=sandbox');
  return found;
}

function unreadable({ jwks, jwksCaFile, introspection }: Issuer, folder: string): string[] {
  const files = {
    jwks: jwks !== undefined && isUrl(jwks) ? undefined : jwks,
    jwksCaFile,
    'introspection.certificateFile': introspection?.certificateFile,
    'introspection.keyFile': introspection?.keyFile,
    'introspection.caFile': introspection?.caFile,
  };
  return Object.entries(files).flatMap(([name, file]) => {
    if (file === undefined) return [];
    try {
      accessSync(resolve(folder, file), constants.R_OK);
      return [];
    } catch {
      return [`${name} is not a readable file`];
    }
  });
}

function toConfig(issuer: Issuer, folder: string): IssuerConfig {
  const { jwks, jwksCaFile, introspection, algorithms, acrValues } = issuer;
  const rules = {
    issuer: issuer.issuer,
    audience: issuer.audience,
    binding: issuer.binding,
    claims: Object.freeze<ClaimMap>({ ...issuer.claims }),
    subjectIsCustomer: issuer.subjectIsCustomer,
    ...(acrValues && { acrValues: Object.freeze(acrValues) }),
  };
  if (introspection !== undefined) {
    const { cacheSeconds, url, clientId, certificateFile, keyFile, caFile } = introspection;
    return Object.freeze<IssuerConfig>({
      ...rules,
      introspection: Object.freeze({
        url,
        clientId,
        certificateFile: resolve(folder, certificateFile),
        keyFile: resolve(folder, keyFile),
        caFile: resolve(folder, caFile),
        cacheMs: cacheSeconds * 1_000,
      }),
    });
  }
  const keys = jwks ?? '';
  return Object.freeze<IssuerConfig>({
    ...rules,
    jwks: isUrl(keys) ? keys : resolve(folder, keys),
    ...(jwksCaFile !== undefined && { jwksCaFile: resolve(folder, jwksCaFile) }),
    algorithms: Object.freeze(algorithms ?? []),
    typ: issuer.typ ?? 'at+jwt',
  });
}

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);
