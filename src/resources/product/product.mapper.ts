import type { CoreProductDetail } from '../../../packages/core-adapter/core.records.js';
import type { ResourceView } from '../../endpoint/presentation.js';
import { freeText } from '../../open-banking/free-text.js';

export type ProductView = Pick<ResourceView, 'accountId'> & { readonly product: Pick<ResourceView['product'], 'kind'> };

export type ProductFields = Readonly<ReturnType<typeof productFields>>;

export function productFields(product: CoreProductDetail, view: ProductView) {
  return {
    name: product.name === undefined ? undefined : freeText(product.name, 350) || undefined,
    code: product.code || undefined,
    accountId: view.accountId,
    type: view.product.kind === 'current-account' ? product.type : 'other',
  };
}
