import { profileOf } from './profile.js';
import {
  creditCard,
  currentAccount,
  fundsConfirmation,
  rewardsPayPlus,
  roundUp,
  savings,
} from './published-products.js';

/** docs/specification.md, "Endpoints and products", column "profile 2". */
export const profile = profileOf({
  name: 'profile-2',
  products: {
    CurrentAccount: {
      ...currentAccount,
      endpoints: [
        'accounts',
        'balances',
        'transactions',
        'party',
        'scheduled-payments',
        'beneficiaries',
        'direct-debits',
        'standing-orders',
        'product',
      ],
    },
    Savings: {
      ...savings,
      endpoints: ['accounts', 'balances', 'transactions', 'party', 'scheduled-payments', 'beneficiaries'],
    },
    CreditCard: { ...creditCard, endpoints: ['accounts', 'balances', 'transactions', 'party', 'offers'] },
    RewardsPayPlus: { ...rewardsPayPlus, endpoints: ['accounts', 'balances', 'transactions', 'party'] },
    RoundUp: { ...roundUp, endpoints: ['accounts', 'balances', 'transactions', 'party'] },
  },
  refusedPermissions: ['ReadPAN', 'ReadStatementsBasic', 'ReadStatementsDetail'],
  amounts: 'magnitude',
  pendingFields: 'empty',
  rules: { fundsConfirmation },
});
