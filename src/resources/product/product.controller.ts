import { Controller } from '@nestjs/common';
import { ConsentedAccount, GetResource, type ResourceRequest } from '../../endpoint/get-resource.decorator.js';
import { ResourceReader } from '../../endpoint/resource-reader.js';
import { product } from './product.endpoint.js';
import type { Product } from './product.schema.js';

@Controller()
export class ProductController {
  constructor(private readonly reader: ResourceReader) {}

  @GetResource(product)
  list(@ConsentedAccount() to: ResourceRequest): Promise<Product[]> {
    return this.reader.list(product, to);
  }
}
