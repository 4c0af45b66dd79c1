import type { Type } from '@nestjs/common';
import type { CustomerAuthentication } from '../customer-authentication.js';

/** The customer authentications that the gateway can be started with. Only the configured one is loaded; Nest creates it. */
export const customerAuthentications: Readonly<Record<string, () => Promise<Type<CustomerAuthentication>>>> = {
  http: async () => (await import('./http/http.adapter.js')).HttpCustomerAuthentication,
};
