import type { CoreProduct } from '../../packages/core-adapter/core.records.js';
import type { ConsentStatus } from '../open-banking/consent-state.js';
import type { TppId } from '../open-banking/tpp-id.js';
import type { Permission } from '../open-banking/permissions.js';

/** A date-time as the TPP wrote it, zone included, so that it is replayed unchanged; `atMs` is the instant it names. */
export interface StatedDateTime {
  readonly text: string;
  readonly atMs: number;
}

export interface SelectedAccount {
  /** The core's reference of the account. */
  readonly ref: string;
  /** As the core listed it when the customer selected it. */
  readonly product: CoreProduct;
}

/** The customer's approval at the bank. */
export interface Authorisation {
  readonly customerRef: string;
  /** The name by which the bank knows the customer, where the bank chose to tell it. */
  readonly displayName?: string;
  readonly accounts: readonly SelectedAccount[];
  /** The customer's last strong authentication for this consent. */
  readonly lastAuthenticatedAt: Date;
  /**
   * Of the gateway's own authorization server: the authorisation whose tokens are good. Absent when the bank reported
   * the approval, or when the tokens were revoked: then a token that names an authorisation is refused.
   */
  readonly authorisationId?: string;
  /** A later one that the customer approved; it takes the place of the former when its code is exchanged. */
  readonly nextAuthorisationId?: string;
}

/** An access is ended by the customer on our own pages, or by the bank. */
export const accessEnders = ['customer', 'bank'] as const;
export type AccessEnder = (typeof accessEnders)[number];

export interface Consent {
  readonly consentId: string;
  /** The TPP that created it, and the only one that may use it. */
  readonly tpp: TppId;
  readonly permissions: readonly Permission[];
  readonly expires?: StatedDateTime;
  /** The consented transaction history; absent is open-ended. */
  readonly transactionsFrom?: StatedDateTime;
  readonly transactionsTo?: StatedDateTime;
  readonly status: ConsentStatus;
  readonly createdAt: Date;
  readonly statusUpdatedAt: Date;
  /** Set from the moment the consent is authorised, and kept when it is revoked. */
  readonly authorisation?: Authorisation;
  /**
   * Set while the access that the customer gave is ended: with `revoked`, or with `authorised` where the bank keeps that
   * status. Absent again once the customer gives the access anew.
   */
  readonly ended?: { readonly at: Date; readonly by: AccessEnder };
}

/** A consent as its customer looks back on it. */
export interface CustomerConsent {
  readonly consent: Consent;
  /** When the customer gave the access; absent where it was refused. */
  readonly givenAt?: Date;
  /** When its TPP deleted it. */
  readonly deletedAt?: Date;
}
