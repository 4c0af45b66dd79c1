import type { TppId } from '../open-banking/tpp-id.js';
import type { AccessEnder, Authorisation, Consent, CustomerConsent } from './consent.js';

/** A part of a list of consents, newest first: stable while consents are added. */
export interface ConsentPage {
  readonly limit: number;
  /** The last consent of the page before. */
  readonly after?: Pick<Consent, 'createdAt' | 'consentId'>;
}

/** Of a customer's history; with `tpps` of these TPPs only. */
export interface HistoryPage extends ConsentPage {
  readonly tpps?: readonly TppId[];
}

/**
 * Keeps the consents. Every transition is **one guarded statement**: of two that race, one wins and the other gets
 * `undefined`. `undefined` means that the guard did not hold (unknown, deleted, in another status, another customer's):
 * nothing was changed, and the caller reads the consent to say why. A resolved promise means that the change is durable.
 */
export abstract class ConsentStore {
  /** Stores a new consent, `awaiting`. */
  abstract create(consent: Consent): Promise<void>;

  /** The consent, or `undefined` when it is unknown or deleted. */
  abstract find(consentId: string): Promise<Consent | undefined>;

  /**
   * `awaiting` -> `authorised`, unless the consent has expired by `now`. Guard of one that the embedded
   * authorization server gives, with its `authorisationId`: see {@link tppMayAct}.
   */
  abstract authorise(consentId: string, authorisation: Authorisation, now: Date): Promise<Consent | undefined>;

  /** Whether the TPP of the consent is neither suspended nor deleted, by the rows of this moment. */
  abstract tppMayAct(consentId: string): Promise<boolean>;

  /** `awaiting` -> `rejected`, by this customer where it is known who. */
  abstract reject(consentId: string, now: Date, customerRef?: string): Promise<Consent | undefined>;

  /**
   * Records a later strong authentication of the same customer on an `authorised` consent that has not expired by
   * `now`. Never moves the time backwards: an earlier time than the stored one leaves it as it is, and succeeds.
   * Status and its time stay. With `nextAuthorisationId` it becomes the next authorisation, in place of an earlier next.
   * An access that was ended is given anew, and only by an authentication that is later than its end. Guard of one with
   * `nextAuthorisationId`: see {@link tppMayAct}.
   */
  abstract reauthenticate(
    consentId: string,
    customerRef: string,
    authenticatedAt: Date,
    now: Date,
    nextAuthorisationId?: string,
  ): Promise<Consent | undefined>;

  /**
   * Makes the next authorisation the current one; one that is current already stays. Guard: the consent is `authorised`,
   * has not expired by `now`, its access is not ended, and `authorisationId` is its next or its current authorisation.
   */
  abstract beginAuthorisation(consentId: string, authorisationId: string, now: Date): Promise<Consent | undefined>;

  /** Ends an authorisation, current or next, of any consent: its tokens are good no more. The consent itself stays. */
  abstract endAuthorisation(authorisationId: string): Promise<void>;

  /** `authorised` -> `revoked`. */
  abstract revoke(consentId: string, now: Date, by: AccessEnder): Promise<Consent | undefined>;

  /**
   * Ends the access of an `authorised` consent, whose status and its time stay: no authorisation is current or next any
   * more. Guard: it is not ended already.
   */
  abstract endAccess(consentId: string, now: Date, by: AccessEnder): Promise<Consent | undefined>;

  /** Deletes the TPP's own consent in whatever status; a deleted consent is never found again. True if it was there. */
  abstract delete(consentId: string, tpp: TppId, now: Date): Promise<boolean>;

  /** Every consent that the customer ever authorised and no TPP deleted. */
  abstract listForCustomer(customerRef: string, page: ConsentPage): Promise<readonly Consent[]>;

  /**
   * Every consent that the customer ever authorised or is known to have refused, deleted ones too: those that give access
   * at `now` (see `givesAccess`), or all others.
   */
  abstract historyOfCustomer(
    customerRef: string,
    part: 'current' | 'past',
    now: Date,
    page: HistoryPage,
  ): Promise<readonly CustomerConsent[]>;

  /** The TPPs of that history, each once. */
  abstract tppsOfCustomer(customerRef: string): Promise<readonly TppId[]>;

  /** One consent of that history. */
  abstract findOfCustomer(customerRef: string, consentId: string): Promise<CustomerConsent | undefined>;
}
