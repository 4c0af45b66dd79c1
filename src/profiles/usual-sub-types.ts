import type { ProfilePresentation } from '../endpoint/presentation.js';

/** The account sub-type of each product, in every profile that comes with the gateway. */
export const usualSubTypes: ProfilePresentation['accountSubTypes'] = {
  CurrentAccount: 'CurrentAccount',
  Savings: 'Savings',
  CreditCard: 'CreditCard',
  RewardsPayPlus: 'PrePaidCard',
  RoundUp: 'Savings',
};
