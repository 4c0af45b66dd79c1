import type { CreateCustomerAuthentication } from '../../customer-authentication/customer-authentication-services.js';
import type {
  CustomerCredentials,
  StepInput,
  WaitStep,
} from '../../customer-authentication/customer-authentication.js';
import type { OpenStep } from '../../customer-authentication/step-fault.js';
import type { SignOnClauseId } from './clauses.js';

/** Everything that the kit must know about an adapter of the bank's sign-on. See `docs/bank/walks/sign-on.md`. */
export interface SignOnUnderTest {
  /** Starts the test sign-on, or connects to a running one. Called once for each run of the kit. */
  readonly signOn: () => Promise<TestSignOn>;
  /** The adapter's `createCustomerAuthentication`. It asks the sign-on through the HTTP client that the kit lends. */
  readonly create: CreateCustomerAuthentication;
  /** Why a clause cannot hold here. Accepted where the clause allows it. */
  readonly without?: Readonly<Partial<Record<SignOnClauseId, string>>>;
  /** For each setting, values that must be refused; `undefined` where the setting must not be absent. */
  readonly badSettings?: Readonly<Record<string, readonly (string | undefined)[]>>;
}

export interface TestSignOn {
  /** The value of `CUSTOMER_AUTHENTICATION_URL`. */
  readonly url: string;
  /** The other `CUSTOMER_AUTHENTICATION_*` variables. */
  readonly variables: Readonly<Record<string, string>>;
  readonly customer: TestCustomer;
  /** One more, whose factors are others. */
  readonly otherCustomer: TestCustomer;
  /** Absent where SIGN-07 is omitted. */
  readonly lockedCustomer?: TestCustomer;
  /** One whom the sign-on authenticates with another class than `acr`. Absent where SIGN-16 is omitted. */
  readonly weakCustomer?: TestCustomer;
  /** The class of the customers' authentications. */
  readonly acr: string;
  /** The address to which the bank's own sign-on sends browsers back. */
  readonly returnUrl: string;
  /**
   * Does what the customer does at a step: reads the code, answers in the app, signs in on the bank's own sign-on.
   * @param how `wrong`: a code that is not the right one; `refuse`: in the app or on the bank's own sign-on
   */
  readonly act: (customer: TestCustomer, step: OpenStep, how: 'right' | 'wrong' | 'refuse') => Promise<StepInput>;
  /** Ends the time of everything that was begun. Absent where SIGN-14 is omitted. */
  readonly expire?: () => Promise<void>;
  /** All words of the app's question at a step `wait`. Absent where SIGN-19 is omitted. */
  readonly textInApp?: (step: WaitStep) => Promise<string>;
  readonly close: () => Promise<void>;
}

export type { OpenStep };

export interface TestCustomer {
  /** Or, where the person may act for several, those of all whom the adapter offers. */
  readonly customerRef: string | readonly string[];
  /** Where the adapter asks for them. */
  readonly credentials?: CustomerCredentials;
}
