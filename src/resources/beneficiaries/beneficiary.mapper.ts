import type { CoreBeneficiary } from '../../../packages/core-adapter/core.records.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { creditorAccount, type CreditorAccount } from '../creditor-account.js';

export type BeneficiaryView = Pick<IdentifiedView, 'accountId' | 'detail' | 'publicId'> & {
  readonly product: Pick<IdentifiedView['product'], 'beneficiaries'>;
};

export interface BeneficiaryFields {
  readonly accountId: string;
  readonly beneficiaryId: string;
  /** Only with Detail. */
  readonly creditor: CreditorAccount | undefined;
}

/** `undefined` for a kind that is not returned for the product. */
export function beneficiaryFields(beneficiary: CoreBeneficiary, view: BeneficiaryView): BeneficiaryFields | undefined {
  if (view.product.beneficiaries?.includes(beneficiary.kind) === false) return undefined;
  return {
    accountId: view.accountId,
    beneficiaryId: view.publicId(beneficiary.id),
    creditor: view.detail ? creditorAccount(beneficiary.creditor) : undefined,
  };
}
