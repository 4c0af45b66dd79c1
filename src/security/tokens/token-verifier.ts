import { hash } from 'node:crypto';
import type { HttpService } from '@nestjs/axios';
import { decodeJwt } from 'jose';
import type { Clock } from '../../clock/clock.js';
import { BootError } from '../../config/boot-error.js';
import type { IssuerConfig } from '../../config/config.js';
import { unreachableSystem } from '../../observability/fault-record.js';
import { unavailable } from '../../open-banking/common-errors.js';
import { recentlyUsed } from '../../persistence/recently-used.js';
import type { AccessToken } from '../../request/request-context.js';
import { IntrospectingIssuer } from './introspecting-issuer.js';
import { issuerKeys } from './issuer-keys.js';
import { IssuerClient } from './issuer.client.js';
import { JwtIssuer } from './jwt-issuer.js';
import { InvalidToken } from './token-claims.js';
import type { TokenIssuer } from './token-issuer.js';
import type { IssuerQueryLimit } from './failed-issuer-queries.js';

/** Verifies the access tokens of every configured issuer. It remembers the content of tokens, never a decision. */
export class TokenVerifier {
  /** The names in the settings. The embedded authorization server has none there. */
  readonly configuredIssuers: readonly string[];
  /** Whether any issuer's tokens may be bound to a key (RFC 9449). */
  readonly takesProofs: boolean;
  private readonly issuers = new Map<string, TokenIssuer>();
  /** The issuer that is asked about tokens which do not name their issuer. */
  private opaqueTokenIssuer: TokenIssuer | undefined;
  /** The keys are SHA-256 of the token, so that no usable token stays in memory. */
  private readonly verified = recentlyUsed<{ token: AccessToken; untilMs: number }>(10_000);
  /** By the same digest: a request whose token is being verified waits for that verification. */
  private readonly underWay = new Map<string, Promise<AccessToken>>();

  /** @throws BootError for a file that cannot be used */
  constructor(
    http: HttpService,
    configs: readonly IssuerConfig[],
    private readonly clock: Clock,
  ) {
    for (const config of configs)
      this.accept(
        config.issuer,
        'introspection' in config
          ? new IntrospectingIssuer(config, new IssuerClient(http, config.introspection), clock)
          : new JwtIssuer(config, issuerKeys(http, config, clock), clock),
      );
    this.configuredIssuers = [...this.issuers.keys()];
    this.takesProofs = configs.some(({ binding }) => binding.endsWith('dpop'));
  }

  /** Accepts the tokens of another issuer, such as the embedded authorization server. */
  accept(name: string, issuer: TokenIssuer): void {
    if (this.issuers.has(name)) throw new BootError(`two issuers of access tokens have the name ${name}`);
    this.issuers.set(name, issuer);
    if (issuer.isAsked) this.opaqueTokenIssuer = issuer;
  }

  /** Reads the certificates again by which issuers know the gateway. @returns a function that puts them to use @throws BootError */
  renewCertificates(): () => void {
    const renewed = [...this.issuers.values()].map((issuer) => issuer.renewCertificate?.());
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
    const issuers = [...this.issuers];
    const outcomes = await Promise.allSettled(issuers.map(async ([, issuer]) => issuer.keysPresent?.()));
    return issuers.flatMap(([name], index) => (outcomes[index]?.status === 'rejected' ? [name] : []));
  }

  /** The age of the keys of each issuer that has been asked for its keys. */
  keyAges(): readonly { issuer: string; ageMs: number }[] {
    return [...this.issuers].flatMap(([name, issuer]) => {
      const ageMs = issuer.keysAgeMs?.();
      return ageMs === undefined ? [] : [{ issuer: name, ageMs }];
    });
  }

  /** By the unverified `iss`, which only chooses the rules that the token must pass. */
  private issuerOf(token: string): TokenIssuer {
    const name = claimedIssuer(token);
    if (name === undefined) {
      if (this.opaqueTokenIssuer === undefined) throw new InvalidToken('the token is not a JWT that names its issuer');
      return this.opaqueTokenIssuer;
    }
    const issuer = this.issuers.get(name);
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
