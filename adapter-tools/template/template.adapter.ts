import {
  CoreError,
  isRow,
  portVersion,
  translateRows,
  type CoreAccount,
  type CoreAdapter,
  type CoreContext,
  type CoreItems,
  type CoreServices,
  type CoreSettings,
} from '../../packages/core-adapter/published-port.js';
import { TemplateClient } from './template.client.js';
import { toAccount } from './template.records.js';

/** The gateway compares it with its own. */
export { portVersion };

/** The gateway calls it at its start. `services` has a logger, a clock and metrics, too. */
export function createAdapter(settings: CoreSettings, { http }: CoreServices): CoreAdapter {
  return new TemplateAdapter(new TemplateClient(settings, http));
}

/** Reads the core template over HTTP. */
class TemplateAdapter implements CoreAdapter {
  readonly name = 'template';
  /** `id-kept`, `id-changes`, or `none` where the core shows no pending transactions. */
  readonly pending = 'none';
  /** For each read that the core cannot serve, why. A read that is in neither place fails CORE-02. */
  readonly missing = {};

  constructor(private readonly client: TemplateClient) {}

  async accounts(context: CoreContext): Promise<CoreItems<CoreAccount>> {
    const path = `/customers/${encodeURIComponent(context.customerRef)}/accounts`;
    const answer = await this.client.read(path, context);
    // A customer whom the core does not know has no accounts.
    if (answer === undefined) return { items: [], bad: [] };
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
    const answer = await this.client.read('/health', { signal });
    // Another server, or a broken one, may answer too.
    if (!isRow(answer) || answer.status !== 'up')
      throw new CoreError('unavailable', 'template does not say that it is up');
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
