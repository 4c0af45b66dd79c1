import type { JWTVerifyGetKey } from 'jose';
import type { AccessToken } from '../endpoint/request-context.js';

/** One way to verify one issuer's tokens. */
export interface TokenIssuer {
  /** How long an answer may be used again without asking. */
  readonly trustMs: number;
  /** Rejects with `InvalidToken`, or with any other error when it cannot be known whether the token is good. */
  verify(token: string): Promise<AccessToken>;
  /** Of one whose tokens are verified by keys: resolves when they are at hand, and rejects when they cannot be had. */
  keysPresent?(): Promise<void>;
}

/** Finds the key of a token; `present` is of those who may lack them all. */
export interface KeyFinder extends JWTVerifyGetKey {
  present?(): Promise<void>;
}

/** The issuer cannot be asked: the token may be good, so that this is no 401. */
export class IssuerUnreachable extends Error {
  override readonly name = 'IssuerUnreachable';
  /** Where it was asked. */
  readonly issuer?: string;
  /** The status of its answer, where it gave one. */
  readonly status?: number;

  constructor(message: string, { issuer, status, ...rest }: ErrorOptions & { issuer?: string; status?: number } = {}) {
    super(message, rest);
    if (issuer !== undefined) this.issuer = issuer;
    if (status !== undefined) this.status = status;
  }
}
