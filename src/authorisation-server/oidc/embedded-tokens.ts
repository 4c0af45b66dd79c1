import { Injectable, type OnModuleInit } from '@nestjs/common';
import { decodeJwt } from 'jose';
import { Clock } from '../../clock/clock.js';
import { defaultClaims, tokenAlgorithms } from '../../config/config.js';
import { embeddedIssuer, tppId } from '../../open-banking/tpp-id.js';
import type { AccessToken } from '../../request/request-context.js';
import { JwtIssuer } from '../../security/tokens/jwt-issuer.js';
import { InvalidToken } from '../../security/tokens/token-claims.js';
import { TokenVerifier } from '../../security/tokens/token-verifier.js';
import { AuthorisationSettings } from '../listeners/settings.js';
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
    this.tokens.accept(issuer, new EmbeddedIssuer(claims, keys, this.clock));
  }
}

/** The tokens that this gateway issued: the claims of every issuer, and the id of the authorisation. */
class EmbeddedIssuer extends JwtIssuer {
  override async verify(jwt: string): Promise<AccessToken> {
    const verified = await super.verify(jwt);
    const token = { ...verified, tpp: tppId(embeddedIssuer, verified.tpp.clientId) };
    if (token.consentId === undefined) return token;
    const { authorisation_id: authorisationId } = decodeJwt(jwt);
    // Every token that we issue has it. A token without it could not be revoked with its authorisation.
    if (typeof authorisationId !== 'string') throw new InvalidToken('the token names no authorisation');
    return { ...token, authorisationId };
  }
}
