import { declareRule } from '../../endpoint/endpoint-rule.js';
import { productFields } from './product.mapper.js';

export const product = declareRule({
  name: 'product',
  read: 'product',
  permissions: [['ReadProducts']],
  window: 'always',
  fields: productFields,
  summary: 'Product',
});
