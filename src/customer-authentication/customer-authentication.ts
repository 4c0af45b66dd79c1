/** By this token Nest injects the adapter; `undefined` where no embedded authorization server needs one. */
export const CUSTOMER_AUTHENTICATION = Symbol('CUSTOMER_AUTHENTICATION');

/** By this token Nest injects the {@link CustomerAuthenticationSettings} into an adapter. */
export const CUSTOMER_AUTHENTICATION_SETTINGS = Symbol('CUSTOMER_AUTHENTICATION_SETTINGS');

/** The gateway's settings of the bank's customer authentication. */
export interface CustomerAuthenticationSettings {
  /** Where its paths begin, e.g. `https://sign-on.bank.internal/v1`. */
  readonly url: string;
  /** The gateway's credential there. */
  readonly credential: string;
}

/**
 * A bank implements this port beside its core adapter, when the gateway's own authorization server asks its customers to
 * sign in. It checks two factors, and an attacker cannot tell which one failed: the first step answers a wrong password
 * like a right one, and only the second step says whether both were right.
 */
export interface CustomerAuthentication {
  /**
   * First step: checks the password and, if it is right, sends a one-time code to the customer. It always gives a
   * challenge, for an unknown login name too, so that the answer discloses nothing.
   */
  start(credentials: CustomerCredentials, signal: AbortSignal): Promise<CustomerChallenge>;

  /**
   * Second step: the customer; `wrong` when password or code was wrong, and the customer may try the same code again; or
   * `expired` when the time of the code is over, whatever was typed and whoever signs in.
   */
  verify(challenge: CustomerChallenge, code: string, signal: AbortSignal): Promise<AuthenticatedCustomer | CodeRefusal>;

  /**
   * Sends another code, if the password was right, and ends the one before. It gives a challenge for an unknown login name
   * too; `undefined` when the bank has forgotten the challenge, so that the customer must begin anew.
   */
  sendAgain(challenge: CustomerChallenge, signal: AbortSignal): Promise<CustomerChallenge | undefined>;

  close(): Promise<void>;
}

export interface CustomerCredentials {
  readonly loginName: string;
  readonly password: string;
}

export interface CustomerChallenge {
  /** Opaque and unguessable; of no use once its code was right. */
  readonly challengeId: string;
  /** Where the code went, as the customer may read it, e.g. `the phone ending 204`; the same form for everybody. */
  readonly sentTo: string;
}

export type CodeRefusal = 'wrong' | 'expired';

export interface AuthenticatedCustomer {
  readonly customerRef: string;
  readonly displayName: string;
}

/** The bank cannot authenticate the customer at present. It never means that a factor was wrong. */
export class CustomerAuthenticationUnavailable extends Error {
  override readonly name = 'CustomerAuthenticationUnavailable';

  constructor(
    message: string,
    /** Node's code of the fault on the way, such as `ECONNREFUSED`. */
    readonly code?: string,
  ) {
    super(message);
  }
}
