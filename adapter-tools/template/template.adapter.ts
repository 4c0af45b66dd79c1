import { Inject, Injectable } from '@nestjs/common';
import type { CoreAdapter, CoreContext, CoreItems } from '../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../packages/core-adapter/core-error.js';
import type { CoreAccount } from '../../packages/core-adapter/core.records.js';
import { CORE_SETTINGS, type CoreSettings } from '../../packages/core-adapter/core-settings.js';
import { isRow, translateRows } from '../../packages/core-adapter/core-rows.js';
import { TemplateClient } from './template.client.js';
import { toAccount } from './template.records.js';

/** Reads the core template over HTTP. */
@Injectable()
export class TemplateAdapter implements CoreAdapter {
  readonly name = 'template';
  /** `id-kept`, `id-changes`, or `none` where the core shows no pending transactions. */
  readonly pending = 'none';
  /** For each read that the core cannot serve, why. A read that is in neither place fails CORE-02. */
  readonly missing = {};
  private readonly client: TemplateClient;

  constructor(@Inject(CORE_SETTINGS) settings: CoreSettings) {
    this.client = new TemplateClient(settings);
  }

  async accounts(context: CoreContext): Promise<CoreItems<CoreAccount>> {
    const path = `/customers/${encodeURIComponent(context.customerRef)}/accounts`;
    const answer = await this.client.read(path, context.signal);
    if (!isRow(answer) || !Array.isArray(answer.accounts))
      throw new CoreError('bad-record', 'template: accounts is not a list');
    return translateRows('accounts', answer.accounts, toAccount);
  }

  async account(accountRef: string, context: CoreContext): Promise<CoreAccount> {
    const { items, bad } = await this.accounts(context);
    const account = items.find(({ ref }) => ref === accountRef);
    if (account !== undefined) return account;
    // An account that cannot be read may be the requested account.
    if (bad.length > 0) throw new CoreError('bad-record', 'template: the account may be one that cannot be read');
    throw new CoreError('account-not-found', 'template lists no such account');
  }

  async health(signal: AbortSignal): Promise<void> {
    await this.client.read('/health', signal);
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
