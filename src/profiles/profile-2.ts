import type { Profile } from './profile.js';

const served = ['CurrentAccount', 'Savings', 'CreditCard', 'RewardsPayPlus', 'RoundUp'] as const;

/** Interface specification, sections 1 and 4, column "profile 2". */
export const profile: Profile = {
  name: 'profile-2',
  endpoints: {
    accounts: served,
    balances: served,
    transactions: served,
    party: served,
    offers: ['CreditCard'],
    'scheduled-payments': ['CurrentAccount', 'Savings'],
    beneficiaries: ['CurrentAccount', 'Savings'],
    'direct-debits': ['CurrentAccount'],
    'standing-orders': ['CurrentAccount'],
    product: ['CurrentAccount'],
  },
  refusedPermissions: ['ReadPAN', 'ReadStatementsBasic', 'ReadStatementsDetail'],
  accountSubTypes: {
    CurrentAccount: 'CurrentAccount',
    Savings: 'Savings',
    CreditCard: 'CreditCard',
    RewardsPayPlus: 'PrePaidCard',
    RoundUp: 'Savings',
  },
  amounts: 'magnitude',
  pendingFields: 'empty',
};
