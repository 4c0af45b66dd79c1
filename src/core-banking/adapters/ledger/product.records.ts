import type { CoreProductDetail } from '../../../../packages/core-adapter/core.records.js';
import { optionalField, type Row } from '../../../../packages/core-adapter/core-rows.js';
import { optionalTextOf, wordOf } from '../../../../packages/core-adapter/row-fields.js';

const families: Readonly<Record<string, CoreProductDetail['type']>> = {
  PCA: 'personal-current-account',
  BCA: 'business-current-account',
  OTH: 'other',
};

export function toProductDetail(row: Row): CoreProductDetail {
  return {
    code: optionalField('code', () => optionalTextOf(row, 'code')),
    name: optionalField('name', () => optionalTextOf(row, 'title')),
    type: wordOf(row, 'family', families),
  };
}
