import type { CoreProductDetail } from '../../../../packages/core-adapter/core.records.js';
import type { Row } from '../../../../packages/core-adapter/core-rows.js';
import { optionalText, word } from './ledger.fields.js';

const families: Readonly<Record<string, CoreProductDetail['type']>> = {
  PCA: 'personal-current-account',
  BCA: 'business-current-account',
  OTH: 'other',
};

export function toProductDetail(row: Row): CoreProductDetail {
  return {
    code: optionalText(row.code, 'code'),
    name: optionalText(row.title, 'title'),
    type: word(families, row.family, 'family'),
  };
}
