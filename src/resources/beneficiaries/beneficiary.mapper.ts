import type { BeneficiaryKind, CoreBeneficiary, CoreProduct } from '../../core-banking/core.records.js';
import { creditorAccount } from '../../open-banking/creditor-account.js';
import type { Beneficiary } from './beneficiary.dto.js';

/** "Kinds of beneficiary returned", section 2.8. */
export const beneficiaryKindsByProduct: Readonly<Record<CoreProduct, readonly BeneficiaryKind[]>> = {
  CurrentAccount: ['third-party', 'nominated', 'international', 'internal'],
  RewardsPayPlus: ['third-party', 'nominated', 'internal'],
  Savings: ['nominated', 'internal'],
  CreditCard: [],
  RoundUp: [],
};

export interface BeneficiaryView {
  readonly accountId: string;
  readonly product: CoreProduct;
  readonly detail: boolean;
  readonly publicId: (id: string) => string;
}

/** `undefined` for a kind that is not returned for the product. */
export function toBeneficiary(beneficiary: CoreBeneficiary, view: BeneficiaryView): Beneficiary | undefined {
  if (!beneficiaryKindsByProduct[view.product].includes(beneficiary.kind)) return undefined;
  return {
    AccountId: view.accountId,
    BeneficiaryId: view.publicId(beneficiary.id),
    CreditorAccount: view.detail ? creditorAccount(beneficiary.creditor) : undefined,
  };
}
