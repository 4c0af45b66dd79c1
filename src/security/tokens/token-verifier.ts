import { hash } from 'node:crypto';
import type { HttpService } from '@nestjs/axios';
import { decodeJwt } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock/clock.js';
import type { IssuerConfig } from '../../config/config.js';
import { unreachableSystem } from '../../observability/fault-record.js';
import { unavailable } from '../../open-banking/common-errors.js';
import type { AccessToken } from '../../request/request-context.js';
import { configureIssuers, duplicateIssuer, type ConfiguredIssuers } from './configured-issuers.js';
import { InvalidToken } from './token-claims.js';
import type { TokenIssuer } from './token-issuer.js';
import type { IssuerQueryLimit } from './failed-issuer-queries.js';

/** Verifies the access tokens of every configured issuer. It remembers the content of tokens, never a decision. */
export class TokenVerifier {
  private readonly configured: ConfiguredIssuers;
  /** Issuers in addition to those of the settings, such as the embedded authorization server. */
  private readonly further = new Map<string, TokenIssuer>();
  /** The one of them that verifies tokens which do not name their issuer. */
  private furtherOpaqueTokenIssuer: TokenIssuer | undefined;
  /** The keys are SHA-256 of the token, so that no usable token stays in memory. */
  private readonly verified = new LRUCache<string, { token: AccessToken; untilMs: number }>({ max: 10_000 });
  /** By the same digest: a request whose token is being verified waits for that verification. */
  private readonly underWay = new Map<string, Promise<AccessToken>>();

  constructor(
    http: HttpService,
    configs: readonly IssuerConfig[],
    private readonly clock: Clock,
  ) {
    this.configured = configureIssuers(http, configs, clock);
  }

  get configuredIssuers(): readonly string[] {
    return [...this.configured.byName.keys()];
  }

  /** Whether any issuer's tokens may be bound to a key (RFC 9449). */
  get takesProofs(): boolean {
    return this.configured.takesProofs;
  }

  /** Accepts the tokens of a further issuer, such as the gateway's own authorization server. */
  accept(issuer: string, tokenIssuer: TokenIssuer, { opaque = false } = {}): void {
    if (this.further.has(issuer) || this.configured.byName.has(issuer)) throw duplicateIssuer(issuer);
    this.further.set(issuer, tokenIssuer);
    if (opaque) this.furtherOpaqueTokenIssuer = tokenIssuer;
  }

  /** Reads the certificates again by which issuers know the gateway. @returns a function that puts them to use @throws BootError */
  renewCertificates(): () => void {
    const renewed = [...this.configured.byName.values()].map((issuer) => issuer.renewCertificate?.());
    return () => renewed.forEach((putToUse) => putToUse?.());
  }

  /**
   * Verifies and reads a token. Rejects with {@link InvalidToken}, or 503 when its issuer is unreachable.
   * @param limit of the queries to issuers
   */
  async verify(token: string, limit?: IssuerQueryLimit): Promise<AccessToken> {
    const digest = hash('sha256', token, 'base64');
    const nowMs = this.clock.nowMs();
    const cached = this.verified.get(digest);
    if (cached !== undefined && nowMs < cached.untilMs) {
      if (cached.token.expiresAtMs <= nowMs) throw new InvalidToken('the token has expired', 'token-expired');
      return cached.token;
    }
    const waiting = this.underWay.get(digest);
    if (waiting !== undefined) return waiting;
    const issuer = this.issuerOf(token);
    const query = issuer.isAsked ? limit : undefined;
    query?.enter();
    const verifying = issuer
      .verify(token)
      .then(
        (verified) => {
          query?.succeeded();
          this.verified.set(digest, { token: verified, untilMs: nowMs + issuer.trustMs });
          return verified;
        },
        (error: unknown) => {
          // The issuer or the database is unreachable. The token may be valid, so this is not 401.
          throw error instanceof InvalidToken
            ? error
            : unavailable(error, undefined, undefined, unreachableSystem(error) ?? 'issuer-unreachable');
        },
      )
      .finally(() => this.underWay.delete(digest));
    this.underWay.set(digest, verifying);
    return verifying;
  }

  /** The issuers whose keys cannot be fetched, so that none of their tokens can be verified. */
  async withoutKeys(): Promise<readonly string[]> {
    const issuers = [...this.further, ...this.configured.byName];
    const outcomes = await Promise.allSettled(issuers.map(async ([, issuer]) => issuer.keysPresent?.()));
    return issuers.flatMap(([name], index) => (outcomes[index]?.status === 'rejected' ? [name] : []));
  }

  /** The age of the keys of each configured issuer that has been asked for its keys. */
  keyAges(): readonly { issuer: string; ageMs: number }[] {
    return [...this.configured.byName].flatMap(([name, issuer]) => {
      const ageMs = issuer.keysAgeMs?.();
      return ageMs === undefined ? [] : [{ issuer: name, ageMs }];
    });
  }

  /** By the unverified `iss`, which only chooses the rules that the token must pass. */
  private issuerOf(token: string): TokenIssuer {
    const name = claimedIssuer(token);
    const { opaqueTokenIssuer, byName } = this.configured;
    if (name === undefined) {
      const issuer = opaqueTokenIssuer ?? this.furtherOpaqueTokenIssuer;
      if (issuer === undefined) throw new InvalidToken('the token is not a JWT that names its issuer');
      return issuer;
    }
    const issuer = this.further.get(name) ?? byName.get(name);
    if (issuer === undefined)
      throw new InvalidToken('the token is of an issuer that is not accepted', 'token-issuer-unknown');
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
