import { coreProducts } from '../../packages/core-adapter/core.records.js';
import type { Profile } from './profile.js';
import { usualSubTypes } from './usual-sub-types.js';

/** docs/specification.md, "Endpoints and products", column "profile 2". */
export const profile: Profile = {
  name: 'profile-2',
  endpoints: {
    accounts: coreProducts,
    balances: coreProducts,
    transactions: coreProducts,
    party: coreProducts,
    offers: ['CreditCard'],
    'scheduled-payments': ['CurrentAccount', 'Savings'],
    beneficiaries: ['CurrentAccount', 'Savings'],
    'direct-debits': ['CurrentAccount'],
    'standing-orders': ['CurrentAccount'],
    product: ['CurrentAccount'],
  },
  refusedPermissions: ['ReadPAN', 'ReadStatementsBasic', 'ReadStatementsDetail'],
  accountSubTypes: usualSubTypes,
  amounts: 'magnitude',
  pendingFields: 'empty',
};
