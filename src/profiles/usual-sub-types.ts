import type { ProfilePresentation } from '../endpoint/presentation.js';

/** Section 2.2: the account sub-type that each product is shown as, in every profile that is shipped. */
export const usualSubTypes: ProfilePresentation['accountSubTypes'] = {
  CurrentAccount: 'CurrentAccount',
  Savings: 'Savings',
  CreditCard: 'CreditCard',
  RewardsPayPlus: 'PrePaidCard',
  RoundUp: 'Savings',
};
