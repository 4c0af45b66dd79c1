import type { AccessRequest, OfferedAccount, PageForm } from './customer-pages.js';

/** The parts of every page of a signed-in customer. */
interface SignedInView {
  readonly signOut: PageForm;
}

export interface DashboardView extends SignedInView {
  /** As the bank calls the customer. */
  readonly customerName: string;
  /** In the order in which they are to be shown. */
  readonly current: readonly CurrentAccess[];
  readonly past: readonly PastAccess[];
  /** Address of the overview with the next ones of a list that is too long for a page. */
  readonly moreCurrent?: string;
  readonly morePast?: string;
  /** The TPP whose access was withdrawn just now. */
  readonly withdrawn?: AccessRequest['tpp'];
  /** Whether a list continues an earlier page. */
  readonly continued?: boolean;
}

/** An account that was chosen once; without name and digits where the bank does not list it, any more or at present. */
export type ChosenAccount = Pick<OfferedAccount, 'product' | 'name' | 'endsWith'>;

/** An access that was given once. */
export interface GivenAccess {
  /** The TPP, the data, its dates and the end of the access. */
  readonly request: AccessRequest;
  readonly accounts: readonly ChosenAccount[];
  readonly givenAt: Date;
  /** The time of the last answer with the customer's data; absent before the first one. */
  readonly lastUsedAt?: Date;
  /** The customer's last strong authentication for this access. */
  readonly lastAuthenticatedAt: Date;
}

export interface CurrentAccess extends GivenAccess {
  /** Address of the confirmation page. */
  readonly withdraw: string;
}

/** An access that has ended: withdrawn by the customer, at its end, by the TPP, or by the bank. */
interface EndedAccess extends GivenAccess {
  readonly endedAt: Date;
  readonly how: 'withdrawn' | 'expired' | 'ended-by-tpp' | 'ended-by-bank';
}

/** An access that was asked for and that the customer refused. */
interface RefusedAccess {
  readonly request: AccessRequest;
  readonly endedAt: Date;
  readonly how: 'refused';
}

export type PastAccess = EndedAccess | RefusedAccess;

export interface WithdrawalView extends SignedInView {
  readonly access: GivenAccess;
  /** Withdraws; its button sends the decision `continue`. */
  readonly form: PageForm;
  /** Address of the overview. */
  readonly keep: string;
}
