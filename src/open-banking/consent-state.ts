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
