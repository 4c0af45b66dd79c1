import type { CustomerAuthentication } from '../customer-authentication.js';

/** What the configuration knows of a bank's customer authentication: where it is, and by what the gateway proves itself. */
export interface CustomerAuthenticationSettings {
  readonly url: string;
  readonly credential: string;
}

/** Every customer authentication that the gateway can be started with, one line each. Only the configured one is loaded. */
export const customerAuthentications: Readonly<
  Record<string, (settings: CustomerAuthenticationSettings) => Promise<CustomerAuthentication>>
> = {
  http: async (settings) => new (await import('./http/http.adapter.js')).HttpCustomerAuthentication(settings),
};
