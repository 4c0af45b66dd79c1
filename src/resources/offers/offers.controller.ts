import { Controller } from '@nestjs/common';
import { ConsentedAccount, GetResource, type ResourceRequest } from '../../endpoint/get-resource.decorator.js';
import { ResourceReader } from '../../endpoint/resource-reader.js';
import { offers } from './offers.endpoint.js';
import type { Offer } from './offer.schema.js';

@Controller()
export class OffersController {
  constructor(private readonly reader: ResourceReader) {}

  @GetResource(offers)
  list(@ConsentedAccount() to: ResourceRequest): Promise<Offer[]> {
    return this.reader.list(offers, to);
  }
}
