import type { CoreProductDetail } from '../../../packages/core-adapter/core.records.js';
import type { ResourceView } from '../../endpoint/presentation.js';
import { freeText } from '../../open-banking/free-text.js';
import type { Product } from './product.schema.js';

const types = {
  'personal-current-account': 'PersonalCurrentAccount',
  'business-current-account': 'BusinessCurrentAccount',
  other: 'Other',
} as const;

export type ProductView = Pick<ResourceView, 'accountId'> & {
  readonly product: Pick<ResourceView['product'], 'accountSubType'>;
};

export function toProduct(product: CoreProductDetail, view: ProductView): Product {
  return {
    ProductName: product.name === undefined ? undefined : freeText(product.name, 350) || undefined,
    ProductId: product.code || undefined,
    AccountId: view.accountId,
    ProductType: view.product.accountSubType === 'CurrentAccount' ? types[product.type] : 'Other',
  };
}
