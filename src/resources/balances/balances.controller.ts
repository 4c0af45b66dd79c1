import { Controller } from '@nestjs/common';
import { ConsentedAccount, GetResource, type ResourceRequest } from '../../endpoint/get-resource.decorator.js';
import { ResourceReader } from '../../endpoint/resource-reader.js';
import { balances } from './balances.endpoint.js';
import type { Balance } from './balance.schema.js';

@Controller()
export class BalancesController {
  constructor(private readonly reader: ResourceReader) {}

  @GetResource(balances)
  list(@ConsentedAccount() to: ResourceRequest): Promise<Balance[]> {
    return this.reader.list(balances, to);
  }
}
