import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { HttpService } from '@nestjs/axios';
import type { Clock } from '../clock/clock.js';
import { BootError } from '../config/boot-error.js';
import type { IssuerConfig } from '../config/config.js';
import { IntrospectingIssuer } from './introspecting-issuer.js';
import { IssuerClient } from './issuer.client.js';
import { issuerKeys } from './issuer-keys.js';
import { JwtIssuer } from './jwt-issuer.js';
import type { TokenIssuer } from './token-issuer.js';

/** The issuers that the settings name. */
export interface ConfiguredIssuers {
  readonly byName: ReadonlyMap<string, { readonly issuer: TokenIssuer; readonly madeOf: string }>;
  /** The issuer that is asked about tokens which do not name their issuer. */
  readonly ofOpaque: TokenIssuer | undefined;
  readonly takesProofs: boolean;
}

/**
 * @param former the issuers in use: one whose settings and files have not changed stays, with the keys that it knows
 * @throws BootError for a file that cannot be used
 */
export function configureIssuers(
  http: HttpService,
  configs: readonly IssuerConfig[],
  clock: Clock,
  former?: ConfiguredIssuers,
): ConfiguredIssuers {
  const byName = new Map<string, { issuer: TokenIssuer; madeOf: string }>();
  let ofOpaque: TokenIssuer | undefined;
  for (const config of configs) {
    if (byName.has(config.issuer)) throw twice(config.issuer);
    const madeOf = materialOf(config);
    const known = former?.byName.get(config.issuer);
    const issuer = known?.madeOf === madeOf ? known.issuer : makeIssuer(http, config, clock);
    byName.set(config.issuer, { issuer, madeOf });
    if ('introspection' in config) ofOpaque = issuer;
  }
  return { byName, ofOpaque, takesProofs: configs.some(({ binding }) => binding.endsWith('dpop')) };
}

export function twice(issuer: string): BootError {
  return new BootError(`two issuers of access tokens have the name ${issuer}`);
}

function makeIssuer(http: HttpService, config: IssuerConfig, clock: Clock): TokenIssuer {
  return 'introspection' in config
    ? new IntrospectingIssuer(config, new IssuerClient(http, config.introspection), clock)
    : new JwtIssuer(config, issuerKeys(http, config, clock), clock);
}

/** Settings and the content of the files that they name. */
function materialOf(config: IssuerConfig): string {
  const files =
    'introspection' in config
      ? [config.introspection.certificateFile, config.introspection.keyFile, config.introspection.caFile]
      : [config.jwks, config.jwksCaFile].filter((file) => file !== undefined && !/^https?:\/\//i.test(file));
  const digest = createHash('sha256').update(JSON.stringify(config));
  for (const file of files) digest.update('\n').update(contentOf(file ?? ''));
  return digest.digest('hex');
}

/** The reader of the file reports one that cannot be read. */
function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}
