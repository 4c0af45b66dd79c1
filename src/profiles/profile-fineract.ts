import { profileOf } from './profile.js';
import { currentAccount, savings } from './published-products.js';

/**
 * The endpoints that Apache Fineract can serve (docs/bank/fineract.md): it has no cards, offers, statements, direct debits or
 * future payments. Such an endpoint is absent here, because an empty list would mean that the customer has none.
 */
export const profile = profileOf({
  name: 'profile-fineract',
  products: {
    CurrentAccount: {
      ...currentAccount,
      endpoints: ['accounts', 'balances', 'transactions', 'party', 'beneficiaries', 'standing-orders', 'product'],
    },
    Savings: { ...savings, endpoints: ['accounts', 'balances', 'transactions', 'party', 'beneficiaries'] },
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
  amounts: 'magnitude',
  pendingFields: 'empty',
});
