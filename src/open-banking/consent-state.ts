import type { Permission } from './permissions.js';

/** The purposes of consents. A token of one kind opens nothing of the other. */
export const consentKinds = ['account-access', 'funds-confirmation'] as const;
export type ConsentKind = (typeof consentKinds)[number];

/** How the ids of the consents of each kind begin. */
export const consentIdPrefixes = { 'account-access': 'aac-', 'funds-confirmation': 'fcc-' } as const satisfies Record<
  ConsentKind,
  string
>;

/** The stored statuses. A deleted consent has none, because it no longer exists. */
export const storedStatuses = ['awaiting', 'authorised', 'rejected', 'cancelled'] as const;
export type StoredStatus = (typeof storedStatuses)[number];

/** An authorised consent whose term has ended is expired: no row says it. */
export const consentStatuses = [...storedStatuses, 'expired'] as const;
export type ConsentStatus = (typeof consentStatuses)[number];

/** Why a consent was rejected or cancelled. */
export const statusReasons = [
  'customer-refused',
  /** The customer began the authorisation, and did not complete it in time. */
  'not-completed',
  'customer-withdrew',
  'bank-withdrew',
  'fraud',
  /** The bank withdrew all consents of the TPP. No row of a consent says it. */
  'withdrawn-with-tpp',
] as const;
export type StatusReason = (typeof statusReasons)[number];

/** The state of a consent. Each version of the API describes it to a TPP in its own words. */
export interface ConsentState {
  readonly status: ConsentStatus;
  /** Present where the consent is rejected or cancelled. */
  readonly reason?: StatusReason;
  /** Since when it has the status. */
  readonly since: Date;
  /** The customer can give a cancelled consent again, but not one that the bank withdrew with all consents of its TPP. */
  readonly isFinal: boolean;
}

/** A date-time as the TPP wrote it, zone included, so that answers repeat it unchanged; `atMs` is the instant that it names. */
export interface StatedDateTime {
  readonly text: string;
  readonly atMs: number;
}

/** An account as a TPP named it. Answers repeat its values unchanged. */
export interface NamedAccount {
  readonly schemeName: string;
  readonly identification: string;
  readonly name?: string;
  readonly secondaryIdentification?: string;
  readonly proxy?: { readonly identification: string; readonly code: string; readonly type?: string };
}

/** A consent as its TPP asked for it. */
export interface StatedConsent {
  readonly consentId: string;
  readonly kind: ConsentKind;
  /** None for confirmation of funds. */
  readonly permissions: readonly Permission[];
  readonly expires?: StatedDateTime;
  /** The consented transaction history; absent means open-ended. */
  readonly transactionsFrom?: StatedDateTime;
  readonly transactionsTo?: StatedDateTime;
  /** For confirmation of funds: the account whose funds the TPP asks about. Absent once the customer was erased. */
  readonly debtor?: NamedAccount;
  readonly createdAt: Date;
  /** When the customer first authorised it. */
  readonly authorisedAt?: Date;
  readonly statusUpdatedAt: Date;
}
