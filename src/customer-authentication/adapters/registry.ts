import type { CreateCustomerAuthentication } from '../customer-authentication.js';

/** The module of each customer authentication that the gateway can be started with. Only the configured one is loaded. */
export const customerAuthentications: Readonly<
  Record<string, () => Promise<{ readonly createCustomerAuthentication: CreateCustomerAuthentication }>>
> = { http: () => import('./http/http.adapter.js') };
