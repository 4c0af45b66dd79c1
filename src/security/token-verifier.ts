import { hash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock/clock.js';
import { BootError } from '../config/boot-error.js';
import type { IssuerConfig } from '../config/config.js';
import { unavailable } from '../http/error-responder.js';
import type { AccessToken } from '../http/request-context.js';
import { IntrospectingIssuer } from './introspecting-issuer.js';
import { IssuerClient } from './issuer.client.js';
import { issuerKeys } from './issuer-keys.js';
import { JwtIssuer } from './jwt-issuer.js';
import { InvalidToken } from './token-claims.js';
import type { TokenIssuer } from './token-issuer.js';

/** Verifies the access tokens of every configured issuer. What a token says is remembered, decisions never. */
export class TokenVerifier {
  private readonly issuers = new Map<string, TokenIssuer>();
  /** The one that is asked about tokens which do not say whose they are. */
  private ofOpaque: TokenIssuer | undefined;
  /** By SHA-256 of the token, so that no usable token lies in memory. */
  private readonly verified = new LRUCache<string, { token: AccessToken; untilMs: number }>({ max: 10_000 });
  /** By the same: what comes with a token that is being verified waits for that. */
  private readonly underWay = new Map<string, Promise<AccessToken>>();

  constructor(
    configs: readonly IssuerConfig[],
    private readonly clock: Clock,
  ) {
    for (const config of configs) {
      if ('introspection' in config) {
        const client = new IssuerClient(config.introspection);
        this.accept(config.issuer, new IntrospectingIssuer(config, client, clock), { opaque: true });
      } else this.accept(config.issuer, new JwtIssuer(config, issuerKeys(config, clock), clock));
    }
  }

  /** Accepts the tokens of one more issuer, for instance of the gateway's own authorization server. */
  accept(issuer: string, own: TokenIssuer, { opaque = false } = {}): void {
    if (this.issuers.has(issuer)) throw new BootError(`two issuers of access tokens have the name ${issuer}`);
    this.issuers.set(issuer, own);
    if (opaque) this.ofOpaque = own;
  }

  /** What the token says. Throws or rejects with {@link InvalidToken}, or 503 when its issuer is out of reach. */
  verify(token: string): AccessToken | Promise<AccessToken> {
    const digest = hash('sha256', token, 'base64');
    const nowMs = this.clock.nowMs();
    const known = this.verified.get(digest);
    if (known !== undefined && nowMs < known.untilMs) {
      if (known.token.expiresAtMs <= nowMs) throw new InvalidToken('the token has expired');
      return known.token;
    }
    const waiting = this.underWay.get(digest);
    if (waiting !== undefined) return waiting;
    const issuer = this.issuerOf(token);
    if (issuer === undefined) throw new InvalidToken('the token is of an issuer that is not accepted');
    const verifying = issuer
      .verify(token)
      .then(
        (verified) => {
          this.verified.set(digest, { token: verified, untilMs: nowMs + issuer.trustMs });
          return verified;
        },
        (error: unknown) => {
          // The issuer is away: the token may be good, so this is no 401.
          throw error instanceof InvalidToken ? error : unavailable(error);
        },
      )
      .finally(() => this.underWay.delete(digest));
    this.underWay.set(digest, verifying);
    return verifying;
  }

  /** The issuers whose keys cannot be had: no token of theirs can be verified. */
  async withoutKeys(): Promise<readonly string[]> {
    const issuers = [...this.issuers];
    const outcomes = await Promise.allSettled(issuers.map(async ([, issuer]) => issuer.keysPresent?.()));
    return issuers.flatMap(([name], index) => (outcomes[index]?.status === 'rejected' ? [name] : []));
  }

  /** By the unverified `iss`, which only chooses whose rules the token must pass. */
  private issuerOf(token: string): TokenIssuer | undefined {
    const issuer = claimedIssuer(token);
    return issuer === undefined ? this.ofOpaque : this.issuers.get(issuer);
  }
}

function claimedIssuer(token: string): string | undefined {
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    // Not a JWT.
    return undefined;
  }
}
