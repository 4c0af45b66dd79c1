import type { CreateCustomerAuthentication } from '../../customer-authentication/customer-authentication-services.js';
import type {
  CodeStep,
  CustomerCredentials,
  RedirectStep,
  StepInput,
  WaitStep,
} from '../../customer-authentication/customer-authentication.js';
import type { SignOnClauseId } from './clauses.js';

/** Everything that the kit must know about an adapter of the bank's sign-on. See `docs/walks/sign-on.md`. */
export interface SignOnUnderTest {
  /** Starts the test sign-on, or takes hold of one that runs. Asked once. */
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
  /** Absent where the clause about it is left out. */
  readonly lockedCustomer?: TestCustomer;
  /** The class of the customers' authentications. */
  readonly acr: string;
  /** The address to which the bank's own sign-on sends browsers back. */
  readonly returnUrl: string;
  /**
   * Does what the customer does at a step: reads the code, answers in the app, signs in on the bank's own sign-on.
   * @param how `wrong`: a code that is not the right one; `refuse`: in the app or on the bank's own sign-on
   */
  readonly act: (customer: TestCustomer, step: OpenStep, how: 'right' | 'wrong' | 'refuse') => Promise<StepInput>;
  readonly close: () => Promise<void>;
}

export type OpenStep = CodeStep | WaitStep | RedirectStep;

export interface TestCustomer {
  readonly customerRef: string;
  /** Where the adapter asks for them. */
  readonly credentials?: CustomerCredentials;
}
