import { Controller } from '@nestjs/common';
import { AccountEndpoint, ConsentedAccount, type ResourceRequest } from '../../http/account-endpoint.decorator.js';
import { ResourceReader } from '../../http/resource-reader.js';
import { PublicIds } from '../../open-banking/public-ids.js';
import { DirectDebitSchema, type DirectDebit } from './direct-debit.dto.js';
import { toDirectDebit } from './direct-debit.mapper.js';

@Controller()
export class DirectDebitsController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly ids: PublicIds,
  ) {}

  @AccountEndpoint({
    endpoint: 'direct-debits',
    collection: 'DirectDebit',
    schema: DirectDebitSchema,
    window: 'always',
    summary: 'Direct debits',
  })
  list(@ConsentedAccount() to: ResourceRequest): Promise<DirectDebit[]> {
    const { accountId, ref } = to.account;
    const view = {
      accountId,
      publicId: this.ids.within('direct-debit', ref),
    };
    return this.reader.read('directDebits', to, (record) => toDirectDebit(record, view));
  }
}
