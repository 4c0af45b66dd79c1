import { hash } from 'node:crypto';
import type { HttpService } from '@nestjs/axios';
import { decodeJwt } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock/clock.js';
import type { IssuerConfig } from '../config/config.js';
import { unavailable } from '../open-banking/common-errors.js';
import type { AccessToken } from '../endpoint/request-context.js';
import { configureIssuers, twice, type ConfiguredIssuers } from './configured-issuers.js';
import { InvalidToken } from './token-claims.js';
import type { TokenIssuer } from './token-issuer.js';

/** Verifies the access tokens of every configured issuer. It remembers the content of tokens, never a decision. */
export class TokenVerifier {
  private configured: ConfiguredIssuers;
  /** Beside those of the settings. */
  private readonly own = new Map<string, TokenIssuer>();
  /** The one of them that is asked about tokens which do not say whose they are. */
  private ownOfOpaque: TokenIssuer | undefined;
  /** By SHA-256 of the token, so that no usable token lies in memory. */
  private readonly verified = new LRUCache<string, { token: AccessToken; untilMs: number }>({ max: 10_000 });
  /** By the same: what comes with a token that is being verified waits for that. */
  private readonly underWay = new Map<string, Promise<AccessToken>>();

  constructor(
    private readonly http: HttpService,
    configs: readonly IssuerConfig[],
    private readonly clock: Clock,
  ) {
    this.configured = configureIssuers(http, configs, clock);
  }

  /** The names of the issuers of the settings. */
  get configuredIssuers(): readonly string[] {
    return [...this.configured.byName.keys()];
  }

  /** Whether any issuer's tokens may be bound to a key (RFC 9449). */
  get takesProofs(): boolean {
    return this.configured.takesProofs;
  }

  /** Accepts the tokens of one more issuer, such as the gateway's own authorization server. */
  accept(issuer: string, own: TokenIssuer, { opaque = false } = {}): void {
    if (this.own.has(issuer) || this.configured.byName.has(issuer)) throw twice(issuer);
    this.own.set(issuer, own);
    if (opaque) this.ownOfOpaque = own;
  }

  /**
   * Other settings of the issuers. It forgets the content of all tokens, because an issuer may be gone.
   * @returns what puts them to use @throws BootError; then nothing has changed
   */
  renew(configs: readonly IssuerConfig[]): () => void {
    const next = configureIssuers(this.http, configs, this.clock, this.configured);
    for (const name of this.own.keys()) if (next.byName.has(name)) throw twice(name);
    return () => {
      this.configured = next;
      this.verified.clear();
      this.underWay.clear();
    };
  }

  /** Verifies and reads a token. Rejects with {@link InvalidToken}, or 503 when its issuer is out of reach. */
  async verify(token: string): Promise<AccessToken> {
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
    const { configured } = this;
    const verifying = issuer
      .verify(token)
      .then(
        (verified) => {
          // The settings may have changed meanwhile, and with them what the token is worth.
          if (this.configured === configured)
            this.verified.set(digest, { token: verified, untilMs: nowMs + issuer.trustMs });
          return verified;
        },
        (error: unknown) => {
          // The issuer is away: the token may be good, so this is no 401.
          throw error instanceof InvalidToken ? error : unavailable(error);
        },
      )
      .finally(() => {
        if (this.underWay.get(digest) === verifying) this.underWay.delete(digest);
      });
    this.underWay.set(digest, verifying);
    return verifying;
  }

  /** The issuers whose keys cannot be had: no token of theirs can be verified. */
  async withoutKeys(): Promise<readonly string[]> {
    const configured = [...this.configured.byName].map(([name, { issuer }]) => [name, issuer] as const);
    const issuers = [...this.own, ...configured];
    const outcomes = await Promise.allSettled(issuers.map(async ([, issuer]) => issuer.keysPresent?.()));
    return issuers.flatMap(([name], index) => (outcomes[index]?.status === 'rejected' ? [name] : []));
  }

  /** By the unverified `iss`, which only chooses whose rules the token must pass. */
  private issuerOf(token: string): TokenIssuer {
    const name = claimedIssuer(token);
    const { ofOpaque, byName } = this.configured;
    if (name === undefined) {
      const issuer = ofOpaque ?? this.ownOfOpaque;
      if (issuer === undefined) throw new InvalidToken('the token is not a JWT that names its issuer');
      return issuer;
    }
    const issuer = this.own.get(name) ?? byName.get(name)?.issuer;
    if (issuer === undefined) throw new InvalidToken('the token is of an issuer that is not accepted');
    return issuer;
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
