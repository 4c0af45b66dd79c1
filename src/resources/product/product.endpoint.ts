import { declareEndpoint } from '../../endpoint/endpoint-declaration.js';
import { toProduct } from './product.mapper.js';
import { ProductSchema } from './product.schema.js';

export const product = declareEndpoint({
  name: 'product',
  path: '/accounts/:AccountId/product',
  read: 'product',
  permissions: [['ReadProducts']],
  window: 'always',
  collection: 'Product',
  schema: ProductSchema,
  summary: 'Product',
  map: toProduct,
});
