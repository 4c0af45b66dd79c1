import { hasName } from '../core-adapter/core-error.js';

/**
 * A bank implements this port in addition to its core adapter when the gateway's authorization server asks the bank's
 * customers to sign in. An authentication has steps: `begin` gives the first one, and `continue` takes the customer's
 * input and gives the next one, until the bank knows the customer or refuses.
 *
 * The bank checks two factors, and an attacker cannot find out which one failed, or whether a login name exists:
 * `begin` answers an unknown login name and a wrong password like right ones.
 */
export interface CustomerAuthentication {
  /**
   * Whether the gateway's page asks for login name and password, which `begin` then gets. Otherwise the page has one
   * button, and the bank asks for everything, on its own sign-on for example.
   */
  readonly asksCredentials: boolean;

  /** Begins an authentication. Every call is a separate one. */
  begin(request: AuthenticationRequest, signal: AbortSignal): Promise<Step>;

  /**
   * Goes on with the customer's input. The gateway gives each input once.
   * @param state of the step that the input answers
   */
  continue(state: string, input: StepInput, signal: AbortSignal): Promise<Step>;

  close(): Promise<void>;
}

/** The gateway's wish, with all that the bank's fraud engine and app may need to know. */
export interface AuthenticationRequest {
  /** To give a TPP access, to confirm an access that was given before, or to see all access. */
  readonly purpose: 'consent' | 're-authentication' | 'dashboard';
  /** Given if the adapter asks for it. */
  readonly credentials?: CustomerCredentials;
  /** The TPP's request, for the bank's app to show. Absent at the dashboard. */
  readonly asked?: AskedAccess;
  readonly browser: CustomerBrowser;
  /** For the step `redirect`. */
  readonly returnTo: ReturnAddress;
  /** The authentication must have one of these classes (`acr`). */
  readonly acrValues: readonly string[];
  /** BCP 47: the language of the customer's page. */
  readonly language: string;
}

export interface CustomerCredentials {
  readonly loginName: string;
  readonly password: string;
}

export interface AskedAccess {
  /** The name of the TPP; absent where the gateway does not know the TPP. */
  readonly tpp?: string;
  /** Acts on behalf of the TPP: name it wherever you name the TPP. */
  readonly agent?: string;
  /** The data, in the words of the customer's page. */
  readonly data: readonly string[];
  /** The end of the access; absent: until the customer withdraws it. */
  readonly expiresAt?: Date;
}

export interface CustomerBrowser {
  /** IPv4 or IPv6; absent where a proxy hides it. */
  readonly address?: string;
  readonly userAgent?: string;
  /** The same value for each authentication in this browser: 32 random bytes in base64url. */
  readonly deviceCookie: string;
}

/** The address to which the bank's own sign-on sends the browser back, always by GET. */
export interface ReturnAddress {
  /** The same for every authentication; the bank's sign-on can register it. */
  readonly url: string;
  /** Must come back unchanged, as the parameter `state` of the query. */
  readonly state: string;
}

/** @see mostStateLength */
interface StepWithState {
  /** Opaque to the gateway, which seals it, gives it back with the customer's input, and erases it with the journey. */
  readonly state: string;
}

/** The customer types a one-time code. */
export interface CodeStep extends StepWithState {
  readonly step: 'code';
  /**
   * The destination of the code, as the customer may read it, e.g. `the phone ending 204`; of the same form for every
   * customer.
   */
  readonly sentTo: string;
}

/** The customer approves in the bank's app. The gateway asks again and again whether that is done. */
export interface WaitStep extends StepWithState {
  readonly step: 'wait';
  /** A number or word that the app shows too, for the customer to compare. */
  readonly shown?: string;
  /** Whole seconds between two questions, from 1 to 60. */
  readonly pollAfterSeconds: number;
}

/** The browser goes to the bank's own sign-on, and comes back to the {@link ReturnAddress}. */
export interface RedirectStep extends StepWithState {
  readonly step: 'redirect';
  /** An `https` URL, or an `http` URL of this machine. */
  readonly url: string;
}

export interface DoneStep {
  readonly step: 'done';
  readonly result: AuthenticationResult;
}

/**
 * - `wrong`: a factor was wrong. After a code the customer may try the same code again, with the state of that step.
 * - `expired`: the time of the code, of the approval or of the whole authentication has ended, whatever the input.
 * - `declined`: the customer refused, in the app or on the bank's sign-on.
 * - `locked`, `must-change-password`: both factors were right, and the customer must do something at the bank first. Never
 *   say so before that: an attacker would learn that the login name exists.
 */
export type Refusal =
  | { readonly step: 'refused'; readonly reason: 'wrong' | 'expired' | 'declined' }
  | {
      readonly step: 'refused';
      readonly reason: 'locked' | 'must-change-password';
      /** An `https` URL at which the customer can put it right, or an `http` URL of this machine. */
      readonly page: string;
    };

export type Step = CodeStep | WaitStep | RedirectStep | DoneStep | Refusal;

/**
 * - `code`: as typed, digits only.
 * - `another-code`: the previous code becomes invalid; the answer is another step `code`, for an unknown login name too, or
 *   `expired` when the bank has forgotten the authentication.
 * - `poll`: whether the customer has approved; the answer is the step `wait` until then.
 * - `return`: the browser came back.
 */
export type StepInput =
  | { readonly input: 'code'; readonly code: string }
  | { readonly input: 'another-code' }
  | { readonly input: 'poll' }
  | {
      readonly input: 'return';
      /** The whole address with its query. */
      readonly url: string;
    };

/** A longer state is refused: 4,000 characters. */
export const mostStateLength = 4_000;

export interface AuthenticationResult {
  /** The customer; or those for whom the person may act, of whom the person chooses one. */
  readonly customers: readonly [AuthenticatedCustomer, ...AuthenticatedCustomer[]];
  /** The time at which the bank authenticated the person, not the time of this answer. */
  readonly authenticatedAt: Date;
  /** For the log, e.g. `password+code`: letters, digits and `+ - _ . :`, at most 64. */
  readonly method: string;
  /** The class of the authentication. */
  readonly acr: string;
}

export interface AuthenticatedCustomer {
  readonly customerRef: string;
  /**
   * With several cores: the references at those where `customerRef` is not the customer's, by the core's name in
   * `CORES`.
   */
  readonly customerRefs?: Readonly<Record<string, string>>;
  readonly displayName: string;
}

/**
 * The bank cannot authenticate the customer at present. It never means that a factor was wrong. An adapter throws
 * nothing else. The message is for the bank's log: it never carries a login name, a password, a code, a token or the
 * bank's words.
 */
export class CustomerAuthenticationUnavailable extends Error {
  override readonly name = 'CustomerAuthenticationUnavailable';

  constructor(
    message: string,
    /** Node's code of a network fault, such as `ECONNREFUSED`. */
    readonly code?: string,
    /**
     * Whether a request of this step may have reached the bank, so that the attempt counts. Only the connection that
     * the gateway lends knows the contrary.
     */
    readonly reached = true,
  ) {
    super(message);
  }
}

/** Use it instead of `instanceof`, which does not recognise an error of another copy of the port. */
export function isCustomerAuthenticationUnavailable(error: unknown): error is CustomerAuthenticationUnavailable {
  return hasName(error, 'CustomerAuthenticationUnavailable');
}
