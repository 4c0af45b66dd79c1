import { Controller } from '@nestjs/common';
import { AccountEndpoint, ConsentedAccount, type ResourceRequest } from '../../http/account-endpoint.decorator.js';
import { ResourceReader } from '../../http/resource-reader.js';
import { PublicIds } from '../../open-banking/public-ids.js';
import { PartySchema, type Party } from './party.dto.js';
import { toParty } from './party.mapper.js';

@Controller()
export class PartyController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly ids: PublicIds,
  ) {}

  @AccountEndpoint({
    endpoint: 'party',
    collection: 'Party',
    schema: PartySchema,
    single: true,
    window: 'always',
    summary: 'The individual who gave the consent',
  })
  async get(@ConsentedAccount() to: ResourceRequest): Promise<Party> {
    const { customerRef, displayName } = to.grant;
    const view = { partyId: this.ids.of('party', '', customerRef), ...(displayName && { displayName }) };
    const [party] = await this.reader.read('party', to, (record) => toParty(record, view));
    return party ?? toParty(undefined, view);
  }
}
