import { missingPermissions, type Permission } from '../open-banking/permissions.js';
import { accounts } from './accounts/accounts.endpoint.js';
import { balances } from './balances/balances.endpoint.js';
import { beneficiaries } from './beneficiaries/beneficiaries.endpoint.js';
import { directDebits } from './direct-debits/direct-debits.endpoint.js';
import { offers } from './offers/offers.endpoint.js';
import { party } from './party/party.endpoint.js';
import { product } from './product/product.endpoint.js';
import { scheduledPayments } from './scheduled-payments/scheduled-payments.endpoint.js';
import { standingOrders } from './standing-orders/standing-orders.endpoint.js';
import { statements } from './statements/statements.endpoint.js';
import { transactions } from './transactions/transactions.endpoint.js';

export const endpoints = [
  accounts,
  balances,
  transactions,
  party,
  offers,
  scheduledPayments,
  beneficiaries,
  statements,
  directDebits,
  standingOrders,
  product,
] as const;

/** The name of an endpoint, e.g. `standing-orders`: in the profile, the trail and the metrics. */
export type Endpoint = (typeof endpoints)[number]['name'];

export const endpointNames: readonly Endpoint[] = endpoints.map(({ name }) => name);

export function isEndpoint(name: string): name is Endpoint {
  return (endpointNames as readonly string[]).includes(name);
}

export function openedBy(held: ReadonlySet<Permission>): Endpoint[] {
  return endpoints
    .filter(({ permissions }) => missingPermissions(permissions, held).length === 0)
    .map(({ name }) => name);
}
