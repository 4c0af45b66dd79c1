import type { BankProduct } from '../endpoint/bank-product.js';

type DescribedProduct = Omit<BankProduct, 'endpoints'>;

/** docs/specification.md: how the five products of the published profiles are seen. Each profile lists their endpoints. */
export const currentAccount: DescribedProduct = {
  kind: 'current-account',
  credit: { kind: 'overdraft', limit: 'pre-agreed' },
};
export const savings: DescribedProduct = {
  kind: 'savings',
  postedOnly: true,
  beneficiaries: ['nominated', 'internal'],
};
export const creditCard: DescribedProduct = {
  kind: 'credit-card',
  identifiedBy: 'card',
  bookedBalance: 'closing',
  credit: { kind: 'credit-line' },
};
export const rewardsPayPlus: DescribedProduct = {
  kind: 'prepaid-card',
  beneficiaries: ['third-party', 'nominated', 'internal'],
};
export const roundUp: DescribedProduct = { kind: 'savings', postedOnly: true };

/** How funds are confirmed in the published profiles. */
export const fundsConfirmation = { countOverdraft: false, name: 'same' } as const;
