import { profileOf } from './profile.js';
import {
  creditCard,
  currentAccount,
  fundsConfirmation,
  rewardsPayPlus,
  roundUp,
  savings,
} from './published-products.js';

/** docs/specification.md, "Endpoints and products", column "profile 1". */
export const profile = profileOf({
  name: 'profile-1',
  products: {
    CurrentAccount: { ...currentAccount, endpoints: ['party'] },
    Savings: {
      ...savings,
      endpoints: ['accounts', 'balances', 'transactions', 'party', 'scheduled-payments', 'beneficiaries'],
    },
    CreditCard: { ...creditCard, endpoints: ['accounts', 'balances', 'transactions', 'party', 'offers', 'statements'] },
    RewardsPayPlus: {
      ...rewardsPayPlus,
      endpoints: ['accounts', 'balances', 'transactions', 'party', 'scheduled-payments', 'beneficiaries'],
    },
    RoundUp: { ...roundUp, endpoints: ['accounts', 'balances', 'transactions', 'party'] },
  },
  refusedPermissions: ['ReadPAN'],
  amounts: 'magnitude',
  pendingFields: 'empty',
  rules: { fundsConfirmation },
});
