import { Controller } from '@nestjs/common';
import { ResourceReader } from '../../endpoint/resource-reader.js';
import { ConsentedAccount, type ResourceRequest } from '../../endpoint/resource-request.js';
import { GetResource } from '../get-resource.decorator.js';
import { party } from './party.endpoint.js';

@Controller()
export class PartyController {
  constructor(private readonly reader: ResourceReader) {}

  @GetResource(party)
  async get(@ConsentedAccount() to: ResourceRequest<typeof party>): Promise<unknown> {
    const [resource] = this.reader.resources(to, await this.reader.read(to));
    // The customer who gave the consent always exists, whatever the core knows or the profile lists for the account.
    return resource ?? to.form.map({ ref: to.grant.customerRef }, this.reader.view(to, to.account, to.account));
  }
}
