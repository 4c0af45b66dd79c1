import type { BeneficiaryKind, CoreBeneficiary, CoreProduct } from '../../../packages/core-adapter/core.records.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { creditorAccount } from '../../open-banking/creditor-account.js';
import type { Beneficiary } from './beneficiary.schema.js';

/** docs/specification.md, "Beneficiaries". */
export const beneficiaryKindsByProduct: Readonly<Record<CoreProduct, readonly BeneficiaryKind[]>> = {
  CurrentAccount: ['third-party', 'nominated', 'international', 'internal'],
  RewardsPayPlus: ['third-party', 'nominated', 'internal'],
  Savings: ['nominated', 'internal'],
  CreditCard: [],
  RoundUp: [],
};

export type BeneficiaryView = Pick<IdentifiedView, 'accountId' | 'product' | 'detail' | 'publicId'>;

/** `undefined` for a kind that is not returned for the product. */
export function toBeneficiary(beneficiary: CoreBeneficiary, view: BeneficiaryView): Beneficiary | undefined {
  if (!beneficiaryKindsByProduct[view.product].includes(beneficiary.kind)) return undefined;
  return {
    AccountId: view.accountId,
    BeneficiaryId: view.publicId(beneficiary.id),
    CreditorAccount: view.detail ? creditorAccount(beneficiary.creditor) : undefined,
  };
}
