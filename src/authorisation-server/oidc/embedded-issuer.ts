import { decodeJwt } from 'jose';
import type { AccessToken } from '../../request/request-context.js';
import { embeddedIssuer, tppId } from '../../open-banking/tpp-id.js';
import { InvalidToken } from '../../security/tokens/token-claims.js';
import type { TokenIssuer } from '../../security/tokens/token-issuer.js';

/** The tokens that this gateway issued: the claims of every issuer, and the id of the authorisation. */
export class EmbeddedIssuer implements TokenIssuer {
  constructor(private readonly signed: TokenIssuer) {}

  get trustMs(): number {
    return this.signed.trustMs;
  }

  async keysPresent(): Promise<void> {
    await this.signed.keysPresent?.();
  }

  async verify(jwt: string): Promise<AccessToken> {
    const verified = await this.signed.verify(jwt);
    const token = { ...verified, tpp: tppId(embeddedIssuer, verified.tpp.clientId) };
    if (token.consentId === undefined) return token;
    const { authorisation_id: authorisationId } = decodeJwt(jwt);
    // Every token that we issue has it. A token without it could not be revoked with its authorisation.
    if (typeof authorisationId !== 'string') throw new InvalidToken('the token names no authorisation');
    return { ...token, authorisationId };
  }
}
