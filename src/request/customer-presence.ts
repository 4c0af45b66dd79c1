import type { IncomingHttpHeaders } from 'node:http';

/** Whether the customer is present. The TPP shows this by the customer's address. */
export function isAttended(headers: IncomingHttpHeaders): boolean {
  return (headers['x-fapi-customer-ip-address'] ?? '') !== '';
}
