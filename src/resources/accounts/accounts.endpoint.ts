import { declareEndpoint, type EndpointDeclaration } from '../../endpoint/endpoint-declaration.js';
import { accountPermissions } from '../../open-banking/permissions.js';
import { toAccount } from './account.mapper.js';
import { AccountSchema } from './account.schema.js';

export const accounts = declareEndpoint({
  name: 'accounts',
  path: '/accounts',
  read: 'accounts',
  permissions: [accountPermissions],
  window: 'exempt',
  collection: 'Account',
  schema: AccountSchema,
  summary: 'The selected accounts whose state permits access',
  map: toAccount,
});

/** Mandatory in the standard, with the rules of `/accounts`. */
export const singleAccount = {
  ...accounts,
  path: '/accounts/:AccountId',
  summary: 'One selected account',
} as const satisfies EndpointDeclaration;
