import { Controller } from '@nestjs/common';
import { ConsentedAccount, GetResource, type ResourceRequest } from '../../endpoint/get-resource.decorator.js';
import { ResourceReader } from '../../endpoint/resource-reader.js';
import { party } from './party.endpoint.js';
import { toParty } from './party.mapper.js';
import type { Party } from './party.schema.js';

@Controller()
export class PartyController {
  constructor(private readonly reader: ResourceReader) {}

  @GetResource(party)
  async get(@ConsentedAccount() to: ResourceRequest): Promise<Party> {
    const [known] = await this.reader.list(party, to);
    // The customer who gave the consent is there, whatever the core knows or the profile shows of the account.
    return known ?? toParty(undefined, this.reader.view(party, to, to.account.accountId, to.account));
  }
}
