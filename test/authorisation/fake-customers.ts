import { randomUUID } from 'node:crypto';
import {
  CustomerAuthenticationUnavailable,
  type AuthenticatedCustomer,
  type CodeRefusal,
  type CustomerAuthentication,
  type CustomerChallenge,
  type CustomerCredentials,
} from '../../src/customer-authentication/customer-authentication.js';

export interface FakeCustomer extends AuthenticatedCustomer {
  readonly loginName: string;
  readonly password: string;
  readonly code: string;
  /** As the core lists them. */
  readonly accounts: readonly { readonly ref: string; readonly name: string }[];
}

/** Customers that a test knows all about. It never limits the tries at a code: that is the gateway's to do. */
export class FakeCustomers implements CustomerAuthentication {
  away = false;
  /** How often a sign-in was begun, or another code asked for. */
  started = 0;
  /** How often a code was judged. */
  judged = 0;
  /** The bank's answers wait for it. */
  held: Promise<void> | undefined;
  /** The time of each code that was sent is over. */
  expired = false;
  /** The bank has forgotten each sign-in that was begun. */
  forgetful = false;
  private readonly challenges = new Map<string, { customer: FakeCustomer | undefined }>();

  constructor(private readonly customers: readonly FakeCustomer[]) {}

  async start({ loginName, password }: CustomerCredentials): Promise<CustomerChallenge> {
    this.started++;
    await this.held;
    this.refuseWhenAway();
    return this.challenge(this.customers.find((known) => known.loginName === loginName && known.password === password));
  }

  async verify({ challengeId }: CustomerChallenge, code: string): Promise<AuthenticatedCustomer | CodeRefusal> {
    this.judged++;
    await this.held;
    this.refuseWhenAway();
    const challenge = this.challenges.get(challengeId);
    if (challenge === undefined || this.expired) return 'expired';
    const { customer } = challenge;
    if (customer?.code !== code) return 'wrong';
    this.challenges.delete(challengeId);
    const { customerRef, customerRefs, displayName } = customer;
    return { customerRef, ...(customerRefs && { customerRefs }), displayName };
  }

  async sendAgain({ challengeId }: CustomerChallenge): Promise<CustomerChallenge | undefined> {
    this.started++;
    await this.held;
    this.refuseWhenAway();
    const former = this.challenges.get(challengeId);
    this.challenges.delete(challengeId);
    return former && !this.forgetful ? this.challenge(former.customer) : undefined;
  }

  async close(): Promise<void> {}

  private challenge(customer: FakeCustomer | undefined): CustomerChallenge {
    const challengeId = randomUUID();
    this.challenges.set(challengeId, { customer });
    return { challengeId, sentTo: 'the phone ending 204' };
  }

  private refuseWhenAway(): void {
    if (this.away) throw new CustomerAuthenticationUnavailable('the test says so');
  }
}
