import type { Permission } from './permissions.js';

/** A deleted consent has no status, because it no longer exists. An expired one keeps its status. */
export const consentStatuses = ['awaiting', 'authorised', 'rejected', 'revoked'] as const;
export type ConsentStatus = (typeof consentStatuses)[number];

/** The facts about a consent. Each version of the API describes them to a TPP in its own words. */
export interface ConsentState {
  readonly status: ConsentStatus;
  /** The customer or the bank ended the access, whatever status the bank gives such a consent. */
  readonly ended: boolean;
  readonly expired: boolean;
}

/** A date-time as the TPP wrote it, zone included, so that answers repeat it unchanged; `atMs` is the instant that it names. */
export interface StatedDateTime {
  readonly text: string;
  readonly atMs: number;
}

/** A consent as its TPP asked for it. */
export interface StatedConsent {
  readonly consentId: string;
  readonly permissions: readonly Permission[];
  readonly expires?: StatedDateTime;
  /** The consented transaction history; absent means open-ended. */
  readonly transactionsFrom?: StatedDateTime;
  readonly transactionsTo?: StatedDateTime;
  readonly createdAt: Date;
  readonly statusUpdatedAt: Date;
}
