import { Controller } from '@nestjs/common';
import { AccountEndpoint, ConsentedAccount, type ResourceRequest } from '../../http/account-endpoint.decorator.js';
import { ResourceReader } from '../../http/resource-reader.js';
import { PublicIds } from '../../open-banking/public-ids.js';
import { ScheduledPaymentSchema, type ScheduledPayment } from './scheduled-payment.dto.js';
import { toScheduledPayment } from './scheduled-payment.mapper.js';

@Controller()
export class ScheduledPaymentsController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly ids: PublicIds,
  ) {}

  @AccountEndpoint({
    endpoint: 'scheduled-payments',
    collection: 'ScheduledPayment',
    schema: ScheduledPaymentSchema,
    window: 'always',
    summary: 'Domestic scheduled payments',
  })
  list(@ConsentedAccount() to: ResourceRequest): Promise<ScheduledPayment[]> {
    const { accountId, ref } = to.account;
    const view = {
      accountId,
      detail: to.grant.permissions.has('ReadScheduledPaymentsDetail'),
      publicId: this.ids.within('scheduled-payment', ref),
    };
    return this.reader.read('scheduledPayments', to, (record) => toScheduledPayment(record, view));
  }
}
