export const withdrawals = [
  'consent-revoked',
  'account-left',
  'consent-deleted',
  'authorisation-ended',
  'tpp-suspended',
  'tpp-deleted',
  'tpp-consents-revoked',
] as const;
export type Withdrawal = (typeof withdrawals)[number];

/**
 * The gateway is about to take access away: the event is on the disk before the database is changed. `recover` takes the
 * same access away in a restored database. The change itself has a further event.
 */
export interface WithdrawalEvent {
  readonly kind: 'withdrawal';
  /** A UUID; after a failed write it may be there twice. */
  readonly id: string;
  /** When the access ends: ISO 8601 in UTC, with milliseconds. */
  readonly at: string;
  /** The request that caused the event. */
  readonly interactionId?: string | undefined;
  /** The end that is about to come. */
  readonly event: Withdrawal;
  /** With `consent-revoked`. */
  readonly by?: 'customer' | 'bank' | undefined;
  /** The ConsentId. */
  readonly consent?: string | undefined;
  /** With `account-left`: its pseudonym. */
  readonly account?: string | undefined;
  /** The id of the authorisation whose tokens end. */
  readonly authorisation?: string | undefined;
  /** The issuer of the TPP's tokens. */
  readonly issuer?: string | undefined;
  /** The TPP's client id there. */
  readonly tpp?: string | undefined;
  /** The number of the withdrawal in its segment; the first is 1. The writer adds it. */
  readonly number?: number;
  /**
   * The end of the line: HMAC-SHA256, in base64url, over the line up to `,"mac"`, under HKDF-SHA256 of `TRAIL_KEY`, without salt,
   * with the info `account-information-gateway withdrawals`, 32 bytes. The writer adds it.
   */
  readonly mac?: string;
}
