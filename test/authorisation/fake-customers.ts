import { randomUUID } from 'node:crypto';
import {
  CustomerAuthenticationUnavailable,
  type AuthenticatedCustomer,
  type AuthenticationRequest,
  type CustomerAuthentication,
  type Refusal,
  type Step,
  type StepInput,
} from '../../packages/customer-authentication/customer-authentication.js';
import { SystemClock, type Clock } from '../../src/clock/clock.js';
import { strongAuthentication } from '../../src/open-banking/authentication-classes.js';

export interface FakeCustomer extends AuthenticatedCustomer {
  readonly loginName: string;
  readonly password: string;
  readonly code: string;
  /** As the core lists them. */
  readonly accounts: readonly { readonly ref: string; readonly name: string }[];
}

/** Customers that a test knows all about. It never limits the tries at a code: that is the gateway's to do. */
export class FakeCustomers implements CustomerAuthentication {
  readonly asksCredentials = true;
  /** Nothing reaches the bank. */
  unreachable = false;
  /** The bank's answer comes after the deadline. */
  late = false;
  /** How often a sign-in was begun, or another code asked for. */
  started = 0;
  /** How often a code was checked, or the app was asked. */
  checked = 0;
  /** The bank's answers wait for it. */
  held: Promise<void> | undefined;
  /** The time of each code that was sent is over. */
  expired = false;
  /** The bank has forgotten each sign-in that was begun. */
  forgetful = false;
  /** The customers' app asks for their approval in place of a code. */
  app: 'no' | 'asks' | 'approved' | 'declined' | 'expired' = 'no';
  /** How long a page waits before it asks whether the app was answered. */
  pollAfterSeconds = 2;
  /** The answer to a customer whose factors are right. */
  refusal: Refusal | undefined;
  /** Customers for whom each person may act too. */
  actsFor: readonly AuthenticatedCustomer[] = [];
  /** The request of the last sign-in. */
  request: AuthenticationRequest | undefined;
  /** By the state of each sign-in that was begun. */
  private readonly begun = new Map<string, FakeCustomer | undefined>();

  constructor(
    readonly people: FakeCustomer[],
    private readonly clock: Clock = new SystemClock(),
  ) {}

  async begin(request: AuthenticationRequest): Promise<Step> {
    this.started++;
    this.request = request;
    const { loginName, password } = request.credentials ?? {};
    return this.answer(() =>
      this.next(this.people.find((known) => known.loginName === loginName && known.password === password)),
    );
  }

  async continue(state: string, input: StepInput): Promise<Step> {
    if (input.input === 'another-code') this.started++;
    else this.checked++;
    return this.answer(() => {
      const customer = this.begun.get(state);
      switch (input.input) {
        case 'code':
          return this.check(state, customer?.code === input.code);
        case 'another-code':
          return this.begun.delete(state) && !this.forgetful
            ? this.next(customer)
            : { step: 'refused', reason: 'expired' };
        case 'poll':
          if (this.app === 'declined' || this.app === 'expired') return { step: 'refused', reason: this.app };
          return this.app === 'approved' && customer ? this.check(state, true) : this.wait(state);
        case 'return':
          throw new Error('a test sends the browser nowhere');
      }
    });
  }

  async close(): Promise<void> {}

  private async answer(work: () => Step): Promise<Step> {
    await this.held;
    if (this.unreachable) throw new CustomerAuthenticationUnavailable('the test says so', 'ECONNREFUSED', false);
    if (this.late) throw new CustomerAuthenticationUnavailable('the test says so');
    return work();
  }

  private check(state: string, right: boolean): Step {
    if (!this.begun.has(state) || this.expired) return { step: 'refused', reason: 'expired' };
    const customer = this.begun.get(state);
    if (!right || customer === undefined) return { step: 'refused', reason: 'wrong' };
    this.begun.delete(state);
    if (this.refusal !== undefined) return this.refusal;
    const { customerRef, customerRefs, displayName } = customer;
    return {
      step: 'done',
      result: {
        customers: [{ customerRef, ...(customerRefs && { customerRefs }), displayName }, ...this.actsFor],
        authenticatedAt: new Date(this.clock.nowMs()),
        method: 'password+code',
        acr: strongAuthentication,
      },
    };
  }

  private next(customer: FakeCustomer | undefined): Step {
    const state = randomUUID();
    this.begun.set(state, customer);
    return this.app === 'no' ? { step: 'code', state, sentTo: 'the phone ending 204' } : this.wait(state);
  }

  private wait(state: string): Step {
    return { step: 'wait', state, shown: '42', pollAfterSeconds: this.pollAfterSeconds };
  }
}
