import { randomUUID } from 'node:crypto';
import {
  CustomerAuthenticationUnavailable,
  type AuthenticatedCustomer,
  type CustomerAccount,
  type CustomerAuthentication,
  type CustomerChallenge,
  type CustomerCredentials,
} from '../../src/customer-authentication/customer-authentication.js';

export interface FakeCustomer extends AuthenticatedCustomer {
  readonly loginName: string;
  readonly password: string;
  readonly code: string;
  readonly accounts: readonly CustomerAccount[];
}

/** Customers that a test knows all about; challenges are of use once. */
export class FakeCustomers implements CustomerAuthentication {
  away = false;
  /** How often a sign-in was begun. */
  started = 0;
  /** How often a code was judged. */
  judged = 0;
  /** The bank's answers wait for it. */
  held: Promise<void> | undefined;
  private readonly challenges = new Map<string, { customer: FakeCustomer | undefined }>();

  constructor(private readonly customers: readonly FakeCustomer[]) {}

  async start({ loginName, password }: CustomerCredentials): Promise<CustomerChallenge> {
    this.started++;
    await this.held;
    this.refuseWhenAway();
    const challengeId = randomUUID();
    const customer = this.customers.find((known) => known.loginName === loginName && known.password === password);
    this.challenges.set(challengeId, { customer });
    return { challengeId, sentTo: 'the phone ending 204' };
  }

  async verify({ challengeId }: CustomerChallenge, code: string): Promise<AuthenticatedCustomer | undefined> {
    this.refuseWhenAway();
    this.judged++;
    const challenge = this.challenges.get(challengeId);
    this.challenges.delete(challengeId);
    const customer = challenge?.customer;
    return customer !== undefined && customer.code === code
      ? { customerRef: customer.customerRef, displayName: customer.displayName }
      : undefined;
  }

  async accounts(customerRef: string): Promise<readonly CustomerAccount[]> {
    this.refuseWhenAway();
    return this.customers.find((known) => known.customerRef === customerRef)?.accounts ?? [];
  }

  async close(): Promise<void> {}

  private refuseWhenAway(): void {
    if (this.away) throw new CustomerAuthenticationUnavailable('the test says so');
  }
}
