import { Controller } from '@nestjs/common';
import { ConsentedAccount, GetResource, type ResourceRequest } from '../../endpoint/get-resource.decorator.js';
import { ResourceReader } from '../../endpoint/resource-reader.js';
import { scheduledPayments } from './scheduled-payments.endpoint.js';
import type { ScheduledPayment } from './scheduled-payment.schema.js';

@Controller()
export class ScheduledPaymentsController {
  constructor(private readonly reader: ResourceReader) {}

  @GetResource(scheduledPayments)
  list(@ConsentedAccount() to: ResourceRequest): Promise<ScheduledPayment[]> {
    return this.reader.list(scheduledPayments, to);
  }
}
