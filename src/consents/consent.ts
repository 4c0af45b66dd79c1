import type { ConsentStatus, StatedConsent } from '../open-banking/consent-state.js';
import type { TppId } from '../open-banking/tpp-id.js';

export interface SelectedAccount {
  /** The core's reference of the account. */
  readonly ref: string;
  /** As the core stated it when the customer selected the account: maybe a name that the profile no longer has. */
  readonly product: string;
  /** The account's core: see `CoreConfig.recordedAs`. */
  readonly core?: string;
  /** The customer's reference in that core, where it is another than the authorisation's. */
  readonly customerRef?: string;
}

export interface Authorisation {
  readonly customerRef: string;
  /** The bank's name for the customer, where the bank sent it. */
  readonly displayName?: string;
  readonly accounts: readonly SelectedAccount[];
  /** The customer's last strong authentication for this consent. */
  readonly lastAuthenticatedAt: Date;
  /**
   * From the gateway's embedded authorization server: the authorisation whose tokens are valid. Absent when the bank
   * reported the approval, or when the tokens were revoked; a token that names an authorisation is then refused.
   */
  readonly authorisationId?: string;
  /** A later authorisation that the customer approved. It replaces the current one when its code is exchanged. */
  readonly nextAuthorisationId?: string;
}

/** The customer ended the access on the gateway's pages, or the bank ended it. */
export const accessEnders = ['customer', 'bank'] as const;
export type AccessEnder = (typeof accessEnders)[number];

export interface Consent extends StatedConsent {
  /** The TPP that created it, and the only one that may use it. */
  readonly tpp: TppId;
  readonly status: ConsentStatus;
  /** Set when the consent is authorised, and kept when it is revoked. */
  readonly authorisation?: Authorisation;
  /**
   * Set while the customer's access is ended: with `revoked`, or with `authorised` where the bank keeps that status.
   * Removed when the customer gives the access again.
   */
  readonly ended?: { readonly at: Date; readonly by: AccessEnder };
}

/** A consent in its customer's history. */
export interface CustomerConsent {
  readonly consent: Consent;
  /** When the customer gave the access; absent where it was refused. */
  readonly givenAt?: Date;
  readonly deletedAt?: Date;
}
