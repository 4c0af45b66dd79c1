import { Controller } from '@nestjs/common';
import {
  ConsentedAccount,
  ConsentedAccounts,
  GetResource,
  type ResourceRequest,
} from '../../endpoint/get-resource.decorator.js';
import { ResourceReader } from '../../endpoint/resource-reader.js';
import type { Account } from './account.schema.js';
import { toAccount } from './account.mapper.js';
import { accounts, singleAccount } from './accounts.endpoint.js';

@Controller()
export class AccountsController {
  constructor(private readonly reader: ResourceReader) {}

  @GetResource(accounts)
  list(@ConsentedAccounts() to: Omit<ResourceRequest, 'account'>): Promise<Account[]> {
    return this.reader.accounts(accounts, to);
  }

  @GetResource(singleAccount)
  async get(@ConsentedAccount() to: ResourceRequest): Promise<Account[]> {
    const account = await this.reader.account(to);
    if (account === undefined) return [];
    return [toAccount(account, this.reader.view(singleAccount, to, to.account.accountId, account))];
  }
}
