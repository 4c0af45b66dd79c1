import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { defaultClaims, tokenAlgorithms } from '../../config/config.js';
import { JwtIssuer } from '../../security/tokens/jwt-issuer.js';
import { TokenVerifier } from '../../security/tokens/token-verifier.js';
import { AuthorisationSettings } from '../listeners/settings.js';
import { EmbeddedIssuer } from './embedded-issuer.js';
import { SigningKeys } from '../../security/signing-keys.js';

/** Makes the gateway's API accept the tokens that its authorization server issues. */
@Injectable()
export class EmbeddedTokens implements OnModuleInit {
  constructor(
    private readonly tokens: TokenVerifier,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
    private readonly settings: AuthorisationSettings,
  ) {}

  onModuleInit(): void {
    const { issuer, config } = this.settings;
    const keys = Object.assign(this.keys.find, { present: this.keys.present });
    const claims = {
      issuer,
      audience: config.tpp.url,
      algorithms: tokenAlgorithms,
      typ: 'at+jwt',
      claims: defaultClaims,
      binding: 'mtls',
      subjectIsCustomer: false,
    } as const;
    this.tokens.accept(issuer, new EmbeddedIssuer(new JwtIssuer(claims, keys, this.clock)));
  }
}
