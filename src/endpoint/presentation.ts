import type { BankProduct } from './bank-product.js';

/** How a bank shows its records to TPPs: the part that its product profile states. */
export interface ProfilePresentation {
  /** `signed` puts a minus sign on balances below zero; `magnitude` leaves the sign to `CreditDebitIndicator`. */
  readonly amounts: 'magnitude' | 'signed';
  /** `BookingDateTime` of a pending transaction: empty, or when the core expects to book it. */
  readonly pendingFields: 'empty' | 'expected';
}

/** The profile's part, and the part that the bank's settings state. */
export interface PresentationSettings extends ProfilePresentation {
  /** IANA name of the zone whose calendar days the bank uses. */
  readonly bankTimeZone: string;
  /** Most rows of one page of transactions. */
  readonly pageSize: number;
}

/** The facts that a mapper may use in addition to the record. */
export interface ResourceView {
  /** The account's id as the TPP sees it. */
  readonly accountId: string;
  /** The account's product, as the profile describes the one that the core states now. */
  readonly product: BankProduct;
  /** The consent holds the endpoint's Detail permission. */
  readonly detail: boolean;
  readonly customer: {
    /** The core's reference of the customer who gave the consent. */
    readonly ref: string;
    /** The bank's name for that customer, as the bank stated it when the customer gave the consent. */
    readonly displayName?: string;
  };
  readonly settings: PresentationSettings;
}

/** The view of an endpoint that declares the ids of its records. */
export interface IdentifiedView extends ResourceView {
  /** The public id of a reference of the core. */
  readonly publicId: (ref: string) => string;
}
