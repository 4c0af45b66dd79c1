import type { CoreProductDetail } from '../../../packages/core-adapter/core.records.js';
import type { ResourceView } from '../../endpoint/presentation.js';
import { freeText } from '../../open-banking/free-text.js';

export type ProductView = Pick<ResourceView, 'accountId'> & { readonly product: Pick<ResourceView['product'], 'kind'> };

export interface ProductFields {
  readonly accountId: string;
  readonly name: string | undefined;
  readonly code: string | undefined;
  readonly type: CoreProductDetail['type'];
}

export function productFields(product: CoreProductDetail, view: ProductView): ProductFields {
  return {
    name: product.name === undefined ? undefined : freeText(product.name, 350) || undefined,
    code: product.code || undefined,
    accountId: view.accountId,
    type: view.product.kind === 'current-account' ? product.type : 'other',
  };
}
