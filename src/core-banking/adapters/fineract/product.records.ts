import type { CoreAccount, CoreProductDetail } from '../../../../packages/core-adapter/core.records.js';
import { optionalField, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { optionalText } from './fineract.fields.js';

const productTypes = { personal: 'personal-current-account', business: 'business-current-account' } as const;

export function toProductDetail(row: Row, holder: CoreAccount['holder']): CoreProductDetail {
  return {
    code: optionalField('code', () => optionalText(row.shortName, 'shortName')),
    // Without it nothing of the core's record would be left.
    name: optionalText(row.name, 'name'),
    type: productTypes[holder],
  };
}
