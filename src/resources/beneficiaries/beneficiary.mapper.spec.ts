import { describe, expect, it } from '@jest/globals';
import { beneficiaryKinds, coreProducts, type CoreBeneficiary } from '../../../packages/core-adapter/core.records.js';
import { toBeneficiary, type BeneficiaryView } from './beneficiary.mapper.js';

const beneficiary = (kind: CoreBeneficiary['kind']): CoreBeneficiary => ({
  id: 'B1',
  kind,
  creditor: { scheme: 'iban', identification: 'DE1', name: 'Sam' },
});
const view = (over: Partial<BeneficiaryView> = {}): BeneficiaryView => ({
  accountId: 'id',
  product: 'CurrentAccount',
  detail: true,
  publicId: (id) => `public-${id}`,
  ...over,
});

describe('toBeneficiary', () => {
  it('shows the payee with the Detail code, and only that one exists with the Basic code', () => {
    const ids = { AccountId: 'id', BeneficiaryId: 'public-B1' };
    expect(toBeneficiary(beneficiary('third-party'), view())).toEqual({
      ...ids,
      CreditorAccount: { SchemeName: 'UK.OBIE.IBAN', Identification: 'DE1', Name: 'Sam' },
    });
    expect(toBeneficiary(beneficiary('third-party'), view({ detail: false }))).toEqual(ids);
  });

  it('returns the kinds of payees that the product has', () => {
    const kinds = Object.fromEntries(
      coreProducts.map((product) => [
        product,
        beneficiaryKinds.filter((kind) => toBeneficiary(beneficiary(kind), view({ product })) !== undefined),
      ]),
    );
    expect(kinds).toEqual({
      CurrentAccount: ['third-party', 'nominated', 'international', 'internal'],
      Savings: ['nominated', 'internal'],
      CreditCard: [],
      RewardsPayPlus: ['third-party', 'nominated', 'internal'],
      RoundUp: [],
    });
  });
});
