import { errors } from 'jose';
import type { Clock } from '../../clock/clock.js';
import type { JwtIssuerConfig } from '../../config/config.js';
import type { AccessToken } from '../../request/request-context.js';
import { verifyJwt } from './signed-jwt.js';
import { InvalidToken, readClaims } from './token-claims.js';
import type { KeyFinder, TokenIssuer } from './token-issuer.js';

/** How long a verified signature is trusted without another look at the issuer's keys. */
const trustMs = 60_000;

export class JwtIssuer implements TokenIssuer {
  readonly trustMs = trustMs;

  constructor(
    private readonly config: Omit<JwtIssuerConfig, 'jwks'>,
    private readonly keys: KeyFinder,
    private readonly clock: Clock,
  ) {}

  async keysPresent(): Promise<void> {
    await this.keys.present?.();
  }

  keysAgeMs(): number | undefined {
    return this.keys.ageMs?.();
  }

  async verify(jwt: string): Promise<AccessToken> {
    const { issuer, audience, typ } = this.config;
    try {
      const { payload } = await verifyJwt(jwt, this.keys, {
        algorithms: [...this.config.algorithms],
        issuer,
        audience,
        typ,
        requiredClaims: ['exp'],
        currentDate: new Date(this.clock.nowMs()),
      });
      return readClaims(payload, this.config);
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new InvalidToken('the token has expired', 'token-expired');
      throw isTokenFault(error) ? new InvalidToken('the token is not valid') : error;
    }
  }
}

function isTokenFault(error: unknown): boolean {
  return (
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  );
}
