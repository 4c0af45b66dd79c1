export const withdrawals = [
  'consent-revoked',
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
  /** A UUID. */
  readonly id: string;
  /** When the access ends: ISO 8601 in UTC, with milliseconds. */
  readonly at: string;
  /** The request that caused the event. */
  readonly interactionId?: string | undefined;
  readonly event: Withdrawal;
  /** With `consent-revoked`. */
  readonly by?: 'customer' | 'bank' | undefined;
  readonly consent?: string | undefined;
  /** The id of the authorisation whose tokens end. */
  readonly authorisation?: string | undefined;
  readonly issuer?: string | undefined;
  readonly tpp?: string | undefined;
  /** The number of the withdrawal in its segment; the first is 1. The writer adds it. */
  readonly number?: number;
  /** HMAC-SHA256 over the rest of the line, in base64url: only a gateway can have written it. The writer adds it. */
  readonly mac?: string;
}
