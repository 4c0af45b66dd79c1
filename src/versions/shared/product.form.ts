import { Type } from 'typebox';
import { declareForm } from '../../endpoint/endpoint-form.js';
import type { ProductFields } from '../../resources/product/product.mapper.js';
import { product } from '../../resources/product/product.endpoint.js';
import { AccountIdSchema } from '../../open-banking/schemas.js';

const types: Readonly<Record<ProductFields['type'], string>> = {
  'personal-current-account': 'PersonalCurrentAccount',
  'business-current-account': 'BusinessCurrentAccount',
  other: 'Other',
};

/** docs/specification.md, "Product". */
const ProductSchema = Type.Object({
  ProductName: Type.Optional(Type.String({ minLength: 1, maxLength: 350, examples: ['Everyday Current Account'] })),
  ProductId: Type.Optional(Type.String({ minLength: 1, maxLength: 40, examples: ['ECA-1'] })),
  AccountId: AccountIdSchema,
  ProductType: Type.String({ enum: Object.values(types) }),
});

export const productForm = declareForm(product, {
  path: '/accounts/:AccountId/product',
  collection: 'Product',
  schema: ProductSchema,
  words: ({ accountId, name, code, type }) => ({
    ProductName: name,
    ProductId: code,
    AccountId: accountId,
    ProductType: types[type],
  }),
});
