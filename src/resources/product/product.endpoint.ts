import { declareForm } from '../../endpoint/endpoint-form.js';
import { declareRule } from '../../endpoint/endpoint-rule.js';
import { toProduct } from './product.mapper.js';
import { ProductSchema } from './product.schema.js';

export const product = declareRule({
  name: 'product',
  read: 'product',
  permissions: [['ReadProducts']],
  window: 'always',
  summary: 'Product',
});

export const productForm = declareForm(product, {
  path: '/accounts/:AccountId/product',
  collection: 'Product',
  schema: ProductSchema,
  map: toProduct,
});
