import type { CreateCustomerAuthentication } from '../../../packages/customer-authentication/published-port.js';

type Load = () => Promise<{ readonly createCustomerAuthentication: CreateCustomerAuthentication }>;

/** The module of each sign-on that the gateway can be started with, one line each. Only the configured one is loaded. */
export const customerAuthentications: Readonly<Record<string, Load>> = {
  http: () => import('./http/http.adapter.js'),
  oidc: () => import('./oidc/oidc.adapter.js'),
};
