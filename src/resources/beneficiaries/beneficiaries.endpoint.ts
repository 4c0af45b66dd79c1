import { declareEndpoint } from '../../endpoint/endpoint-declaration.js';
import { toBeneficiary } from './beneficiary.mapper.js';
import { BeneficiarySchema } from './beneficiary.schema.js';

export const beneficiaries = declareEndpoint({
  name: 'beneficiaries',
  path: '/accounts/:AccountId/beneficiaries',
  read: 'beneficiaries',
  permissions: [['ReadBeneficiariesBasic', 'ReadBeneficiariesDetail']],
  window: 'always',
  collection: 'Beneficiary',
  schema: BeneficiarySchema,
  ids: { kind: 'beneficiary', uniqueWithin: 'account' },
  summary: 'Beneficiaries',
  map: toBeneficiary,
});
