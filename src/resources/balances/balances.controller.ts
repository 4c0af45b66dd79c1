import { Controller } from '@nestjs/common';
import { AccountEndpoint, ConsentedAccount, type ResourceRequest } from '../../http/account-endpoint.decorator.js';
import { ResourceReader } from '../../http/resource-reader.js';
import { BalanceSchema, type Balance } from './balance.dto.js';
import { toBalance } from './balance.mapper.js';

@Controller()
export class BalancesController {
  constructor(private readonly reader: ResourceReader) {}

  @AccountEndpoint({
    endpoint: 'balances',
    collection: 'Balance',
    schema: BalanceSchema,
    window: 'exempt',
    summary: 'Balances',
  })
  list(@ConsentedAccount() to: ResourceRequest): Promise<Balance[]> {
    const { accountId } = to.account;
    const signed = this.reader.settings.amounts === 'signed';
    return this.reader.read('balances', to, (balance, { product }) =>
      toBalance(balance, { accountId, product, signed }),
    );
  }
}
