import { Controller } from '@nestjs/common';
import { AccountEndpoint, ConsentedAccount, type ResourceRequest } from '../../http/account-endpoint.decorator.js';
import { ResourceReader } from '../../http/resource-reader.js';
import { ProductSchema, type Product } from './product.dto.js';
import { toProduct } from './product.mapper.js';

@Controller()
export class ProductController {
  constructor(private readonly reader: ResourceReader) {}

  @AccountEndpoint({
    endpoint: 'product',
    collection: 'Product',
    schema: ProductSchema,
    window: 'always',
    summary: 'Product',
  })
  list(@ConsentedAccount() to: ResourceRequest): Promise<Product[]> {
    return this.reader.read('product', to, (record) => toProduct(record, to.account.accountId));
  }
}
