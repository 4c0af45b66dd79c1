import type { TppId } from '../open-banking/tpp-id.js';
import type { AccessEnder, Authorisation, Consent, CustomerConsent } from './consent.js';

/** A page of a list of consents, newest first: stable while consents are added. */
export interface ConsentPage {
  readonly limit: number;
  readonly after?: Pick<Consent, 'createdAt' | 'consentId'>;
}

/** A page of a customer's history. With `tpps`, only the consents of these TPPs. */
export interface HistoryPage extends ConsentPage {
  readonly tpps?: readonly TppId[];
}

/**
 * Keeps the consents. Every transition is **one guarded statement**: when two transitions race, one wins and the other
 * returns `undefined`. `undefined` means that the guard did not hold (unknown, deleted, in another status, another
 * customer's): nothing was changed, and the caller reads the consent to find the reason. A resolved promise means that the
 * change is durable.
 */
export abstract class ConsentStore {
  abstract create(consent: Consent): Promise<void>;

  /** The consent, or `undefined` when it is unknown or deleted. */
  abstract find(consentId: string): Promise<Consent | undefined>;

  /**
   * `awaiting` -> `authorised`, unless the consent has expired by `now`. With an `authorisationId`, which only the embedded
   * authorization server sets, the guard includes {@link tppMayAct}.
   */
  abstract authorise(consentId: string, authorisation: Authorisation, now: Date): Promise<Consent | undefined>;

  /** Whether the TPP of the consent is neither suspended nor deleted, by the present rows. */
  abstract tppMayAct(consentId: string): Promise<boolean>;

  /** `awaiting` -> `rejected`, by this customer where the customer is known. */
  abstract reject(consentId: string, now: Date, customerRef?: string): Promise<Consent | undefined>;

  /**
   * Records a later strong authentication of the same customer on an `authorised` consent that has not expired by `now`.
   * Never moves the time backwards: a time earlier than the stored one changes nothing, and succeeds. Status and its time
   * stay. `nextAuthorisationId` becomes the next authorisation, in place of an earlier next one. An access that was ended
   * is given again only by an authentication that is later than its end. With `nextAuthorisationId` the guard includes
   * {@link tppMayAct}.
   */
  abstract reauthenticate(
    consentId: string,
    customerRef: string,
    authenticatedAt: Date,
    now: Date,
    nextAuthorisationId?: string,
  ): Promise<Consent | undefined>;

  /**
   * Makes the next authorisation the current one. An authorisation that is already current stays so. Guard: the consent is
   * `authorised`, has not expired by `now`, its access is not ended, and `authorisationId` is its next or its current
   * authorisation.
   */
  abstract beginAuthorisation(consentId: string, authorisationId: string, now: Date): Promise<Consent | undefined>;

  /**
   * Ends an authorisation, current or next, of any consent: its tokens become invalid. The consent itself stays.
   * @returns the consent; `undefined` where none has the authorisation
   */
  abstract endAuthorisation(authorisationId: string): Promise<Pick<Consent, 'consentId' | 'tpp'> | undefined>;

  /** `authorised` -> `revoked`. */
  abstract revoke(consentId: string, now: Date, by: AccessEnder): Promise<Consent | undefined>;

  /**
   * Ends the access of an `authorised` consent, whose status and its time stay. It then has no current and no next
   * authorisation. Guard: the access is not ended yet.
   */
  abstract endAccess(consentId: string, now: Date, by: AccessEnder): Promise<Consent | undefined>;

  /** Deletes a consent of this TPP in any status. A deleted consent is never found again. True if the consent existed. */
  abstract delete(consentId: string, tpp: TppId, now: Date): Promise<boolean>;

  /** Every consent that the customer ever authorised and that its TPP did not delete. */
  abstract listForCustomer(customerRef: string, page: ConsentPage): Promise<readonly Consent[]>;

  /**
   * Every consent that the customer ever authorised or is known to have refused, including deleted ones: those that give
   * access at `now` (see `givesAccess`), or all others.
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
