import type { BankProduct } from '../endpoint/bank-product.js';

type Described = Omit<BankProduct, 'endpoints'>;

/** docs/specification.md: how the five products of the published profiles are seen. Each profile lists their endpoints. */
export const currentAccount: Described = {
  accountSubType: 'CurrentAccount',
  credit: { kind: 'overdraft', limitType: 'Pre-Agreed' },
};
export const savings: Described = {
  accountSubType: 'Savings',
  postedOnly: true,
  beneficiaries: ['nominated', 'internal'],
};
export const creditCard: Described = {
  accountSubType: 'CreditCard',
  identifiedBy: 'card',
  bookedBalance: 'ClosingBooked',
  credit: { kind: 'credit-line' },
};
export const rewardsPayPlus: Described = {
  accountSubType: 'PrePaidCard',
  beneficiaries: ['third-party', 'nominated', 'internal'],
};
export const roundUp: Described = { accountSubType: 'Savings', postedOnly: true };
