import type { StatedConsent, StatusReason, StoredStatus } from '../open-banking/consent-state.js';
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
export type AccessEnder = 'customer' | 'bank';

export interface Consent extends StatedConsent {
  /** The TPP that created it, and the only one that may use it. */
  readonly tpp: TppId;
  readonly status: StoredStatus;
  /** Present where the consent is rejected or cancelled. */
  readonly reason?: StatusReason;
  /** The name of the version of the API in which it was created. */
  readonly createdIn: string;
  /** When a customer last began to authorise it. */
  readonly begunAt?: Date;
  /** The account that `debtor` names, as its core has it. */
  readonly debtorAccount?: SelectedAccount;
  /** Set when the consent is authorised, and kept when it is cancelled. */
  readonly authorisation?: Authorisation;
  /** Its customer cannot give it again: the bank withdrew all consents of its TPP, or the last account left it. */
  readonly isFinal?: true;
}

/** A consent in its customer's history. */
export interface CustomerConsent {
  readonly consent: Consent;
  readonly deletedAt?: Date;
}
