import { Controller } from '@nestjs/common';
import { AccountEndpoint, ConsentedAccount, type ResourceRequest } from '../../http/account-endpoint.decorator.js';
import { ResourceReader } from '../../http/resource-reader.js';
import { OfferSchema, type Offer } from './offer.dto.js';
import { toOffer } from './offer.mapper.js';

@Controller()
export class OffersController {
  constructor(private readonly reader: ResourceReader) {}

  @AccountEndpoint({
    endpoint: 'offers',
    collection: 'Offer',
    schema: OfferSchema,
    window: 'always',
    summary: 'Pricing offers of a credit card',
  })
  list(@ConsentedAccount() to: ResourceRequest): Promise<Offer[]> {
    return this.reader.read('offers', to, (record) => toOffer(record, to.account.accountId));
  }
}
