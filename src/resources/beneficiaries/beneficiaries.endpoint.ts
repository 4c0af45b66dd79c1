import { declareForm } from '../../endpoint/endpoint-form.js';
import { declareRule } from '../../endpoint/endpoint-rule.js';
import { toBeneficiary } from './beneficiary.mapper.js';
import { BeneficiarySchema } from './beneficiary.schema.js';

export const beneficiaries = declareRule({
  name: 'beneficiaries',
  read: 'beneficiaries',
  permissions: [['ReadBeneficiariesBasic', 'ReadBeneficiariesDetail']],
  window: 'always',
  ids: { kind: 'beneficiary', uniqueWithin: 'account' },
  summary: 'Beneficiaries',
});

export const beneficiariesForm = declareForm(beneficiaries, {
  path: '/accounts/:AccountId/beneficiaries',
  collection: 'Beneficiary',
  schema: BeneficiarySchema,
  map: toBeneficiary,
});
