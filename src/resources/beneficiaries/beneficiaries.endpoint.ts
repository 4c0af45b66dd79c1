import { declareRule } from '../../endpoint/endpoint-rule.js';
import { beneficiaryFields } from './beneficiary.mapper.js';

export const beneficiaries = declareRule({
  name: 'beneficiaries',
  read: 'beneficiaries',
  permissions: [['ReadBeneficiariesBasic', 'ReadBeneficiariesDetail']],
  window: 'always',
  ids: { kind: 'beneficiary', uniqueWithin: 'account' },
  fields: beneficiaryFields,
  summary: 'Beneficiaries',
});
