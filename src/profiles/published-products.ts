import type { BankProduct } from '../endpoint/bank-product.js';

type Described = Omit<BankProduct, 'endpoints'>;

/** docs/specification.md: how the five products of the published profiles are seen. Each profile lists their endpoints. */
export const currentAccount: Described = {
  kind: 'current-account',
  credit: { kind: 'overdraft', limit: 'pre-agreed' },
};
export const savings: Described = { kind: 'savings', postedOnly: true, beneficiaries: ['nominated', 'internal'] };
export const creditCard: Described = {
  kind: 'credit-card',
  identifiedBy: 'card',
  bookedBalance: 'closing',
  credit: { kind: 'credit-line' },
};
export const rewardsPayPlus: Described = {
  kind: 'prepaid-card',
  beneficiaries: ['third-party', 'nominated', 'internal'],
};
export const roundUp: Described = { kind: 'savings', postedOnly: true };
