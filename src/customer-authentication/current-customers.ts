import type { CustomerAuthentication } from './customer-authentication.js';

/** The bank's customer authentication, which can be replaced by one with other credentials while it is in use. */
export class CurrentCustomers implements CustomerAuthentication {
  constructor(private current: CustomerAuthentication) {}

  /** @returns the one of before, to be closed once what it was asked is answered */
  replace(next: CustomerAuthentication): CustomerAuthentication {
    const former = this.current;
    this.current = next;
    return former;
  }

  start(...asked: Parameters<CustomerAuthentication['start']>): ReturnType<CustomerAuthentication['start']> {
    return this.current.start(...asked);
  }

  verify(...asked: Parameters<CustomerAuthentication['verify']>): ReturnType<CustomerAuthentication['verify']> {
    return this.current.verify(...asked);
  }

  accounts(...asked: Parameters<CustomerAuthentication['accounts']>): ReturnType<CustomerAuthentication['accounts']> {
    return this.current.accounts(...asked);
  }

  close(): Promise<void> {
    return this.current.close();
  }
}
