import { describe, expect, it } from '@jest/globals';
import { beneficiaryKinds, type CoreBeneficiary } from '../../../packages/core-adapter/core.records.js';
import { toBeneficiary, type BeneficiaryView } from './beneficiary.mapper.js';

const beneficiary = (kind: CoreBeneficiary['kind']): CoreBeneficiary => ({
  id: 'B1',
  kind,
  creditor: { scheme: 'bban', identification: 'DE1', name: 'Sam' },
});
const view = (over: Partial<BeneficiaryView> = {}): BeneficiaryView => ({
  accountId: 'id',
  product: {},
  detail: true,
  publicId: (id) => `public-${id}`,
  ...over,
});

describe('toBeneficiary', () => {
  it('shows the payee with the Detail code, and only that one exists with the Basic code', () => {
    const ids = { AccountId: 'id', BeneficiaryId: 'public-B1' };
    expect(toBeneficiary(beneficiary('third-party'), view())).toEqual({
      ...ids,
      CreditorAccount: { SchemeName: 'UK.OBIE.BBAN', Identification: 'DE1', Name: 'Sam' },
    });
    expect(toBeneficiary(beneficiary('third-party'), view({ detail: false }))).toEqual(ids);
  });

  it('returns the kinds of payees that the product lists, and every kind where it lists none', () => {
    const shown = (product: BeneficiaryView['product']) =>
      beneficiaryKinds.filter((kind) => toBeneficiary(beneficiary(kind), view({ product })) !== undefined);
    expect(shown({})).toEqual(['third-party', 'nominated', 'international', 'internal']);
    expect(shown({ beneficiaries: ['internal', 'nominated'] })).toEqual(['nominated', 'internal']);
    expect(shown({ beneficiaries: [] })).toEqual([]);
  });
});
