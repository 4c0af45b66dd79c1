import { Controller } from '@nestjs/common';
import {
  AccountListEndpoint,
  ConsentedAccount,
  ConsentedAccounts,
  SingleAccountEndpoint,
  type ResourceRequest,
} from '../../http/account-endpoint.decorator.js';
import { ResourceReader } from '../../http/resource-reader.js';
import { AccountSchema, type Account } from './account.dto.js';
import { toAccount, type AccountView } from './account.mapper.js';

@Controller()
export class AccountsController {
  constructor(private readonly reader: ResourceReader) {}

  @AccountListEndpoint({
    endpoint: 'accounts',
    collection: 'Account',
    schema: AccountSchema,
    window: 'exempt',
    summary: 'The selected accounts whose state permits access',
  })
  list(@ConsentedAccounts() to: Omit<ResourceRequest, 'account'>): Promise<Account[]> {
    return this.reader.accounts(to, (account, accountId) => toAccount(account, this.view(to, accountId)));
  }

  @SingleAccountEndpoint({
    endpoint: 'accounts',
    collection: 'Account',
    schema: AccountSchema,
    window: 'exempt',
    summary: 'One selected account',
  })
  async get(@ConsentedAccount() to: ResourceRequest): Promise<Account[]> {
    const account = await this.reader.account(to);
    return account === undefined ? [] : [toAccount(account, this.view(to, to.account.accountId))];
  }

  private view(to: Omit<ResourceRequest, 'account'>, accountId: string): AccountView {
    return {
      accountId,
      detail: to.grant.permissions.has('ReadAccountsDetail'),
      subTypes: this.reader.settings.accountSubTypes,
    };
  }
}
