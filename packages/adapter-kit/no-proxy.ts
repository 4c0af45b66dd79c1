import type { CoreProxy } from './core-proxy.js';

/** In the place of the proxy where an adapter reads a replica: there is no connection to stand between. */
export class NoProxy implements CoreProxy {
  readonly requests = 0;
  readonly connections = 0;
  readonly openRequests = 0;

  constructor(readonly origin: string) {}

  set(): void {
    // No rule can apply.
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
