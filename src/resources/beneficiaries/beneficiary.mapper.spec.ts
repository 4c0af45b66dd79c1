import { describe, expect, it } from '@jest/globals';
import { beneficiaryKinds, type CoreBeneficiary } from '../../../packages/core-adapter/core.records.js';
import { beneficiaryFields, type BeneficiaryView } from './beneficiary.mapper.js';

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

describe('beneficiaryFields', () => {
  it('shows the payee with the Detail code, and only that one exists with the Basic code', () => {
    const ids = { accountId: 'id', beneficiaryId: 'public-B1' };
    expect(beneficiaryFields(beneficiary('third-party'), view())).toEqual({
      ...ids,
      creditor: { SchemeName: 'UK.OBIE.BBAN', Identification: 'DE1', Name: 'Sam' },
    });
    expect(beneficiaryFields(beneficiary('third-party'), view({ detail: false }))).toEqual(ids);
  });

  it('returns the kinds of payees that the product lists, and every kind where it lists none', () => {
    const shown = (product: BeneficiaryView['product']) =>
      beneficiaryKinds.filter((kind) => beneficiaryFields(beneficiary(kind), view({ product })) !== undefined);
    expect(shown({})).toEqual(['third-party', 'nominated', 'international', 'internal']);
    expect(shown({ beneficiaries: ['internal', 'nominated'] })).toEqual(['nominated', 'internal']);
    expect(shown({ beneficiaries: [] })).toEqual([]);
  });
});
