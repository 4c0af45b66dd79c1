import { Controller } from '@nestjs/common';
import { ResourceReader } from '../../endpoint/resource-reader.js';
import { ConsentedAccount, ConsentedAccounts, type ResourceRequest } from '../../endpoint/resource-request.js';
import { GetResource } from '../get-resource.decorator.js';
import { accounts, singleAccount } from './accounts.endpoint.js';

@Controller()
export class AccountsController {
  constructor(private readonly reader: ResourceReader) {}

  @GetResource(accounts)
  list(@ConsentedAccounts() to: Omit<ResourceRequest<typeof accounts>, 'account'>): Promise<readonly unknown[]> {
    return this.reader.accounts(to);
  }

  @GetResource(singleAccount)
  async get(@ConsentedAccount() to: ResourceRequest<typeof singleAccount>): Promise<unknown[]> {
    const account = await this.reader.account(to);
    if (account === undefined) return [];
    return [to.form.map(account, this.reader.view(to, to.account, account))];
  }
}
