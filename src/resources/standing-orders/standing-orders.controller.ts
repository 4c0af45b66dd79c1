import { Controller } from '@nestjs/common';
import { AccountEndpoint, ConsentedAccount, type ResourceRequest } from '../../http/account-endpoint.decorator.js';
import { ResourceReader } from '../../http/resource-reader.js';
import { PublicIds } from '../../open-banking/public-ids.js';
import { StandingOrderSchema, type StandingOrder } from './standing-order.dto.js';
import { toStandingOrder } from './standing-order.mapper.js';

@Controller()
export class StandingOrdersController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly ids: PublicIds,
  ) {}

  @AccountEndpoint({
    endpoint: 'standing-orders',
    collection: 'StandingOrder',
    schema: StandingOrderSchema,
    window: 'always',
    summary: 'Domestic standing orders',
  })
  list(@ConsentedAccount() to: ResourceRequest): Promise<StandingOrder[]> {
    const { accountId, ref } = to.account;
    const view = {
      accountId,
      detail: to.grant.permissions.has('ReadStandingOrdersDetail'),
      publicId: this.ids.within('standing-order', ref),
    };
    return this.reader.read('standingOrders', to, (record) => toStandingOrder(record, view));
  }
}
