/** A deleted consent is not there any more, and an expired one keeps its status. */
export const consentStatuses = ['awaiting', 'authorised', 'rejected', 'revoked'] as const;
export type ConsentStatus = (typeof consentStatuses)[number];

/** The facts that each version of the API tells a TPP about its consent, in its own words. */
export interface ConsentState {
  readonly status: ConsentStatus;
  /** The customer or the bank ended the access, whatever status the bank gives such a consent. */
  readonly ended: boolean;
  readonly expired: boolean;
}
