import type { BeneficiaryKind, CoreAccount } from '../../packages/core-adapter/core.records.js';

export const productKinds = [
  'charge-card',
  'credit-card',
  'current-account',
  'e-money',
  'loan',
  'mortgage',
  'prepaid-card',
  'savings',
] as const;
export type ProductKind = (typeof productKinds)[number];

export const holders = ['personal', 'business'] as const satisfies CoreAccount['holder'][];
export type Holder = (typeof holders)[number];

/** Whether a booked balance is the last of its day, or may still change on it. */
export const bookedBalances = ['interim', 'closing'] as const;
export type BookedBalance = (typeof bookedBalances)[number];

/** The kinds of an agreed limit. */
export const limitKinds = ['pre-agreed', 'credit', 'emergency', 'temporary'] as const;
export type LimitKind = (typeof limitKinds)[number];

/**
 * A product of the bank, from its profile: which data of its accounts TPPs may read, and how the data are shown. No word
 * here is of one version of the API: each version has its own for it.
 */
export interface BankProduct {
  /** The endpoints that serve its accounts. If the list is empty, TPPs cannot read the accounts of this product. */
  readonly endpoints: readonly string[];
  readonly kind: ProductKind;
  /** Where it is absent, the core says for each account who holds it. */
  readonly holder?: Holder;
  /** `account` (the default): by account number and IBAN. `card`: by the last four digits of the card. */
  readonly identifiedBy?: 'account' | 'card';
  /** `interim` where it is absent. */
  readonly bookedBalance?: BookedBalance;
  /** The credit that the balances show. Where it is absent they show none, whatever limit the core has. */
  readonly credit?: ProductCredit;
  /** Pending transactions are not shown. */
  readonly postedOnly?: boolean;
  /** The kinds of beneficiaries that are shown: every kind where it is absent. */
  readonly beneficiaries?: readonly BeneficiaryKind[];
}

export interface ProductCredit {
  /** `overdraft`: the available balance omits it. `credit-line`: the available balance is the rest of it. */
  readonly kind: 'overdraft' | 'credit-line';
  /** The kind under which the agreed limit is shown. Where it is absent, only the rest is shown. */
  readonly limit?: LimitKind;
}
