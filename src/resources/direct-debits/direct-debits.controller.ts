import { Controller } from '@nestjs/common';
import { ConsentedAccount, GetResource, type ResourceRequest } from '../../endpoint/get-resource.decorator.js';
import { ResourceReader } from '../../endpoint/resource-reader.js';
import { directDebits } from './direct-debits.endpoint.js';
import type { DirectDebit } from './direct-debit.schema.js';

@Controller()
export class DirectDebitsController {
  constructor(private readonly reader: ResourceReader) {}

  @GetResource(directDebits)
  list(@ConsentedAccount() to: ResourceRequest): Promise<DirectDebit[]> {
    return this.reader.list(directDebits, to);
  }
}
