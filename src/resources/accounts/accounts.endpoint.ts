import { declareRule } from '../../endpoint/endpoint-rule.js';
import { accountPermissions } from '../../open-banking/permissions.js';
import { accountFields } from './account.mapper.js';

export const accounts = declareRule({
  name: 'accounts',
  read: 'accounts',
  permissions: [accountPermissions],
  window: 'exempt',
  fields: accountFields,
  summary: 'The selected accounts whose state permits access',
});

/** Mandatory in the standard, with the rules of `/accounts`. */
export const singleAccount = { ...accounts, summary: 'One selected account' };
