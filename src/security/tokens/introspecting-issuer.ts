import type { Clock } from '../../clock/clock.js';
import type { IntrospectingIssuerConfig } from '../../config/config.js';
import type { AccessToken } from '../../request/request-context.js';
import type { IssuerClient } from './issuer.client.js';
import { InvalidToken, readClaims } from './token-claims.js';
import { IssuerUnreachable, type TokenIssuer } from './token-issuer.js';

/** Asks an issuer about its tokens (RFC 7662), over mutual TLS. */
export class IntrospectingIssuer implements TokenIssuer {
  readonly trustMs: number;
  readonly isAsked = true;

  constructor(
    private readonly config: IntrospectingIssuerConfig,
    private readonly client: Pick<IssuerClient, 'post' | 'renew'>,
    private readonly clock: Clock,
  ) {
    this.trustMs = config.introspection.cacheMs;
  }

  async verify(token: string): Promise<AccessToken> {
    const { url, clientId } = this.config.introspection;
    const answer = await this.client.post(url, { token, token_type_hint: 'access_token', client_id: clientId });
    if (!isAnswer(answer))
      throw new IssuerUnreachable(
        'the answer of the authorization server does not have the form of RFC 7662, section 2.2',
      );
    if (!answer.active) throw new InvalidToken('the token is not active');
    this.refuseForeign(answer);
    return readClaims(answer, this.config);
  }

  renewCertificate(): () => void {
    return this.client.renew();
  }

  /** The same rules as for a signed token; `iss` and the times may be absent, the audience not. */
  private refuseForeign({ iss, aud, exp, nbf }: Readonly<Record<string, unknown>>): void {
    const now = this.clock.nowMs() / 1_000;
    if (iss !== undefined && iss !== this.config.issuer) throw new InvalidToken('the token is of another issuer');
    if (![aud].flat().includes(this.config.audience)) throw new InvalidToken('the token is for another audience');
    if (exp !== undefined && !(typeof exp === 'number' && exp > now))
      throw new InvalidToken('the token has expired', 'token-expired');
    if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= now))
      throw new InvalidToken('the token is not valid yet');
  }
}

function isAnswer(value: unknown): value is { readonly active: boolean } & Readonly<Record<string, unknown>> {
  return typeof (value as { active?: unknown } | null)?.active === 'boolean';
}
