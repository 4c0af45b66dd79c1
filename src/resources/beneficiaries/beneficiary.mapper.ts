import type { CoreBeneficiary } from '../../../packages/core-adapter/core.records.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { creditorAccount } from '../creditor-account.js';
import type { Beneficiary } from './beneficiary.schema.js';

export type BeneficiaryView = Pick<IdentifiedView, 'accountId' | 'detail' | 'publicId'> & {
  readonly product: Pick<IdentifiedView['product'], 'beneficiaries'>;
};

/** `undefined` for a kind that is not returned for the product. */
export function toBeneficiary(beneficiary: CoreBeneficiary, view: BeneficiaryView): Beneficiary | undefined {
  if (view.product.beneficiaries?.includes(beneficiary.kind) === false) return undefined;
  return {
    AccountId: view.accountId,
    BeneficiaryId: view.publicId(beneficiary.id),
    CreditorAccount: view.detail ? creditorAccount(beneficiary.creditor) : undefined,
  };
}
