import type { JWTVerifyGetKey } from 'jose';
import { SystemUnreachable } from '../../outgoing/system-unreachable.js';
import type { AccessToken } from '../../request/request-context.js';

export interface TokenIssuer {
  /** How long the gateway may use an answer again without asking. */
  readonly trustMs: number;
  /** Each verification is a question to the issuer. */
  readonly isAsked?: true;
  /** Rejects with `InvalidToken`, or with any other error when the token cannot be checked now. */
  verify(token: string): Promise<AccessToken>;
  /** Only where keys verify the tokens: resolves when the keys are at hand, and rejects when they cannot be fetched. */
  keysPresent?(): Promise<void>;
  /** Only where the issuer's keys are fetched: milliseconds since the last fetch; `undefined` before the first. */
  keysAgeMs?(): number | undefined;
  /**
   * Reads the files of the certificate again by which the issuer knows the gateway.
   * @returns a function that puts them to use @throws BootError; then nothing has changed
   */
  renewCertificate?(): () => void;
}

/** Finds the key of a token. Finders that may lack all keys have `present`. */
export interface KeyFinder extends JWTVerifyGetKey {
  present?(): Promise<void>;
  /** See {@link TokenIssuer.keysAgeMs}. */
  ageMs?(): number | undefined;
}

/** The issuer is unreachable. The token may be valid, so this is not 401. */
export class IssuerUnreachable extends SystemUnreachable {
  override readonly name = 'IssuerUnreachable';
  readonly issuer?: string;
  readonly status?: number;

  constructor(message: string, { issuer, status, ...rest }: ErrorOptions & { issuer?: string; status?: number } = {}) {
    super(message, rest);
    if (issuer !== undefined) this.issuer = issuer;
    if (status !== undefined) this.status = status;
  }
}
