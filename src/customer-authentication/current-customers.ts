import type { CustomerAuthentication } from './customer-authentication.js';

/** The bank's customer authentication. A renewal replaces it by one with other credentials while it is in use. */
export class CurrentCustomers implements CustomerAuthentication {
  constructor(private current: CustomerAuthentication) {}

  /** @returns the former one; close it when its calls are answered */
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

  sendAgain(
    ...asked: Parameters<CustomerAuthentication['sendAgain']>
  ): ReturnType<CustomerAuthentication['sendAgain']> {
    return this.current.sendAgain(...asked);
  }

  close(): Promise<void> {
    return this.current.close();
  }
}
