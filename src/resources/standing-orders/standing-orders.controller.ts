import { Controller } from '@nestjs/common';
import { ConsentedAccount, GetResource, type ResourceRequest } from '../../endpoint/get-resource.decorator.js';
import { ResourceReader } from '../../endpoint/resource-reader.js';
import { standingOrders } from './standing-orders.endpoint.js';
import type { StandingOrder } from './standing-order.schema.js';

@Controller()
export class StandingOrdersController {
  constructor(private readonly reader: ResourceReader) {}

  @GetResource(standingOrders)
  list(@ConsentedAccount() to: ResourceRequest): Promise<StandingOrder[]> {
    return this.reader.list(standingOrders, to);
  }
}
