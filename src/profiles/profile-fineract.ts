import type { Profile } from './profile.js';
import { usualSubTypes } from './usual-sub-types.js';

const served = ['CurrentAccount', 'Savings'] as const;

/**
 * The endpoints that Apache Fineract can serve (docs/fineract.md): it has no cards, offers, statements, direct debits or
 * future payments. Such an endpoint is absent here, because an empty list would mean that the customer has none.
 */
export const profile: Profile = {
  name: 'profile-fineract',
  endpoints: {
    accounts: served,
    balances: served,
    transactions: served,
    party: served,
    beneficiaries: served,
    'standing-orders': ['CurrentAccount'],
    product: ['CurrentAccount'],
  },
  refusedPermissions: [
    'ReadPAN',
    'ReadOffers',
    'ReadScheduledPaymentsBasic',
    'ReadScheduledPaymentsDetail',
    'ReadStatementsBasic',
    'ReadStatementsDetail',
    'ReadDirectDebits',
  ],
  accountSubTypes: usualSubTypes,
  amounts: 'magnitude',
  pendingFields: 'empty',
};
