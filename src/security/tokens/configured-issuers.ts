import type { HttpService } from '@nestjs/axios';
import type { Clock } from '../../clock/clock.js';
import { BootError } from '../../config/boot-error.js';
import type { IssuerConfig } from '../../config/config.js';
import { IntrospectingIssuer } from './introspecting-issuer.js';
import { IssuerClient } from './issuer.client.js';
import { issuerKeys } from './issuer-keys.js';
import { JwtIssuer } from './jwt-issuer.js';
import type { TokenIssuer } from './token-issuer.js';

export interface ConfiguredIssuers {
  readonly byName: ReadonlyMap<string, TokenIssuer>;
  /** The issuer that is asked about tokens which do not name their issuer. */
  readonly opaqueTokenIssuer: TokenIssuer | undefined;
  readonly takesProofs: boolean;
}

/** @throws BootError for a file that cannot be used */
export function configureIssuers(http: HttpService, configs: readonly IssuerConfig[], clock: Clock): ConfiguredIssuers {
  const byName = new Map<string, TokenIssuer>();
  let opaqueTokenIssuer: TokenIssuer | undefined;
  for (const config of configs) {
    if (byName.has(config.issuer)) throw duplicateIssuer(config.issuer);
    const issuer = makeIssuer(http, config, clock);
    byName.set(config.issuer, issuer);
    if ('introspection' in config) opaqueTokenIssuer = issuer;
  }
  return { byName, opaqueTokenIssuer, takesProofs: configs.some(({ binding }) => binding.endsWith('dpop')) };
}

export function duplicateIssuer(issuer: string): BootError {
  return new BootError(`two issuers of access tokens have the name ${issuer}`);
}

function makeIssuer(http: HttpService, config: IssuerConfig, clock: Clock): TokenIssuer {
  return 'introspection' in config
    ? new IntrospectingIssuer(config, new IssuerClient(http, config.introspection), clock)
    : new JwtIssuer(config, issuerKeys(http, config, clock), clock);
}
