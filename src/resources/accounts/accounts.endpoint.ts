import { declareForm } from '../../endpoint/endpoint-form.js';
import { declareRule } from '../../endpoint/endpoint-rule.js';
import { accountPermissions } from '../../open-banking/permissions.js';
import { toAccount } from './account.mapper.js';
import { AccountSchema } from './account.schema.js';

export const accounts = declareRule({
  name: 'accounts',
  read: 'accounts',
  permissions: [accountPermissions],
  window: 'exempt',
  summary: 'The selected accounts whose state permits access',
});

/** Mandatory in the standard, with the rules of `/accounts`. */
export const singleAccount = { ...accounts, summary: 'One selected account' };

const form = { collection: 'Account', schema: AccountSchema, map: toAccount };

export const accountsForm = declareForm(accounts, { ...form, path: '/accounts' });
export const singleAccountForm = declareForm(singleAccount, { ...form, path: '/accounts/:AccountId' });
