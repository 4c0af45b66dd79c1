import type { Profile } from './profile.js';
import { usualSubTypes } from './usual-sub-types.js';

const served = ['Savings', 'CreditCard', 'RewardsPayPlus', 'RoundUp'] as const;

/** docs/specification.md, "Endpoints and products", column "profile 1". */
export const profile: Profile = {
  name: 'profile-1',
  endpoints: {
    accounts: served,
    balances: served,
    transactions: served,
    party: ['CurrentAccount', ...served],
    offers: ['CreditCard'],
    'scheduled-payments': ['RewardsPayPlus', 'Savings'],
    beneficiaries: ['RewardsPayPlus', 'Savings'],
    statements: ['CreditCard'],
  },
  refusedPermissions: ['ReadPAN'],
  accountSubTypes: usualSubTypes,
  amounts: 'magnitude',
  pendingFields: 'empty',
};
