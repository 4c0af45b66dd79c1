/** By this token Nest injects the adapter; `undefined` where no embedded authorization server needs one. */
export const CUSTOMER_AUTHENTICATION = Symbol('CUSTOMER_AUTHENTICATION');

/**
 * Who the customer is: what a bank implements beside its core adapter, when the gateway's own authorization server asks
 * its customers to sign in. Two factors, told apart by nobody outside: a wrong password is answered like a right one,
 * and only the second step says whether both were right.
 */
export interface CustomerAuthentication {
  /**
   * First step: the password is taken and, if it is right, a one-time code goes to the customer. Always gives a
   * challenge, for an unknown login name too, so that the answer says nothing.
   */
  start(credentials: CustomerCredentials, signal: AbortSignal): Promise<CustomerChallenge>;

  /** Second step: the customer, or `undefined` when password or code was wrong or the challenge has expired. */
  verify(challenge: CustomerChallenge, code: string, signal: AbortSignal): Promise<AuthenticatedCustomer | undefined>;

  /** The customer's accounts as the customer knows them, for the page on which they are chosen. */
  accounts(customerRef: string, signal: AbortSignal): Promise<readonly CustomerAccount[]>;

  close(): Promise<void>;
}

export interface CustomerCredentials {
  readonly loginName: string;
  readonly password: string;
}

export interface CustomerChallenge {
  /** Opaque, unguessable, of use once. */
  readonly challengeId: string;
  /** Where the code went, as the customer may read it, e.g. `the phone ending 204`; the same form for everybody. */
  readonly sentTo: string;
}

export interface AuthenticatedCustomer {
  readonly customerRef: string;
  readonly displayName: string;
}

export interface CustomerAccount {
  /** The core's reference, as in `CoreAccount.ref`. */
  readonly ref: string;
  readonly product: 'CurrentAccount' | 'Savings' | 'CreditCard' | 'RewardsPayPlus' | 'RoundUp';
  /** What the bank's own pages call the account; absent where they have no name for it. */
  readonly name?: string;
  /** The last digits by which the customer tells it from others, e.g. `0010`. */
  readonly endsWith: string;
}

/** The bank cannot say at present who the customer is; never that a factor was wrong. */
export class CustomerAuthenticationUnavailable extends Error {
  override readonly name = 'CustomerAuthenticationUnavailable';

  constructor(
    message: string,
    /** The machine's own code of what happened on the way, such as `ECONNREFUSED`. */
    readonly code?: string,
  ) {
    super(message);
  }
}
