import type { HttpService } from '@nestjs/axios';

/** By this token Nest injects the adapter; `undefined` where no embedded authorization server needs one. */
export const CUSTOMER_AUTHENTICATION = Symbol('CUSTOMER_AUTHENTICATION');

/** The gateway's settings of the bank's customer authentication. */
export interface CustomerAuthenticationSettings {
  /** The URL below which its paths lie, e.g. `https://sign-on.bank.internal/v1`. */
  readonly url: string;
  /** The gateway's credential there. */
  readonly credential: string;
}

/** The services that the gateway lends to an adapter of this port. */
export interface CustomerAuthenticationServices {
  /** Follows no redirect and no proxy. Every fault is an error with a `kind` and without axios's words. */
  readonly http: HttpService;
}

/** The export `createCustomerAuthentication` of an adapter's module. */
export type CreateCustomerAuthentication = (
  settings: CustomerAuthenticationSettings,
  services: CustomerAuthenticationServices,
) => CustomerAuthentication | Promise<CustomerAuthentication>;

/**
 * A bank implements this port in addition to its core adapter when the gateway's authorization server asks the bank's
 * customers to sign in. It checks two factors, and an attacker cannot find out which one failed: the first step answers a
 * wrong password like a right one, and only the second step reports whether both were right.
 */
export interface CustomerAuthentication {
  /**
   * First step: checks the password and, if it is right, sends a one-time code to the customer. It always returns a
   * challenge, also for an unknown login name, so that the answer discloses nothing.
   */
  start(credentials: CustomerCredentials, signal: AbortSignal): Promise<CustomerChallenge>;

  /**
   * Second step: the customer; `wrong` when password or code was wrong, and the customer may try the same code again; or
   * `expired` when the time of the code is over, whatever the customer typed.
   */
  verify(challenge: CustomerChallenge, code: string, signal: AbortSignal): Promise<AuthenticatedCustomer | CodeRefusal>;

  /**
   * Sends another code, if the password was right, and makes the previous code invalid. It returns a challenge for an
   * unknown login name too; `undefined` when the bank has forgotten the challenge, so that the customer must begin again.
   */
  sendAgain(challenge: CustomerChallenge, signal: AbortSignal): Promise<CustomerChallenge | undefined>;

  close(): Promise<void>;
}

export interface CustomerCredentials {
  readonly loginName: string;
  readonly password: string;
}

export interface CustomerChallenge {
  /** Opaque and unguessable. It cannot be used after its code was right. */
  readonly challengeId: string;
  /**
   * The destination of the code, as the customer may read it, e.g. `the phone ending 204`; of the same form for every
   * customer.
   */
  readonly sentTo: string;
}

export type CodeRefusal = 'wrong' | 'expired';

export interface AuthenticatedCustomer {
  readonly customerRef: string;
  /** With several cores: the references at those where `customerRef` is not the customer's, by the core's name in `CORES`. */
  readonly customerRefs?: Readonly<Record<string, string>>;
  readonly displayName: string;
}

/** The bank cannot authenticate the customer at present. It never means that a factor was wrong. */
export class CustomerAuthenticationUnavailable extends Error {
  override readonly name = 'CustomerAuthenticationUnavailable';

  constructor(
    message: string,
    /** Node's code of a network fault, such as `ECONNREFUSED`. */
    readonly code?: string,
  ) {
    super(message);
  }
}
