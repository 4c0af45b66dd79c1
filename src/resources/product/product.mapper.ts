import type { CoreProductDetail } from '../../../packages/core-adapter/core.records.js';
import type { ResourceView } from '../../endpoint/presentation.js';
import { freeText } from '../../open-banking/free-text.js';
import type { Product } from './product.schema.js';

const types = {
  'personal-current-account': 'PersonalCurrentAccount',
  'business-current-account': 'BusinessCurrentAccount',
  other: 'Other',
} as const;

export function toProduct(product: CoreProductDetail, { accountId }: Pick<ResourceView, 'accountId'>): Product {
  return {
    ProductName: product.name === undefined ? undefined : freeText(product.name, 350) || undefined,
    ProductId: product.code || undefined,
    AccountId: accountId,
    ProductType: types[product.type],
  };
}
