import type { CoreAgent } from '../../../packages/core-adapter/core.parties.js';
import type { CoreBeneficiary } from '../../../packages/core-adapter/core.records.js';
import type { IdentifiedView } from '../../endpoint/presentation.js';
import { agent, partyAccount, type PartyAccount } from '../payment-parties.js';

export type BeneficiaryView = Pick<IdentifiedView, 'accountId' | 'detail' | 'publicId'> & {
  readonly product: Pick<IdentifiedView['product'], 'beneficiaries'>;
};

export interface BeneficiaryFields {
  readonly accountId: string;
  readonly beneficiaryId: string;
  /** Only with Detail. */
  readonly creditor: PartyAccount | undefined;
  readonly creditorAgent: CoreAgent | undefined;
}

/** `undefined` for a kind that is not returned for the product. */
export function beneficiaryFields(beneficiary: CoreBeneficiary, view: BeneficiaryView): BeneficiaryFields | undefined {
  if (view.product.beneficiaries?.includes(beneficiary.kind) === false) return undefined;
  return {
    accountId: view.accountId,
    beneficiaryId: view.publicId(beneficiary.id),
    creditor: view.detail ? partyAccount(beneficiary.creditor) : undefined,
    creditorAgent: view.detail ? agent(beneficiary.creditorAgent, 'creditorAgent') : undefined,
  };
}
