import { decodeJwt } from 'jose';
import type { AccessToken } from '../../endpoint/request-context.js';
import { embeddedIssuer, tppId } from '../../open-banking/tpp-id.js';
import { InvalidToken } from '../../security/token-claims.js';
import type { TokenIssuer } from '../../security/token-issuer.js';

/** Our own tokens: what every issuer's say, and the authorisation under which we issued them. */
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
    // We issue none without; it would escape the revocation of its authorisation.
    if (typeof authorisationId !== 'string') throw new InvalidToken('the token names no authorisation');
    return { ...token, authorisationId };
  }
}
