import {
  CoreError,
  isRow,
  pageOfTransactions,
  portVersion,
  translateRows,
  type CoreAccount,
  type CoreAdapter,
  type CoreBalance,
  type CoreContext,
  type CoreItems,
  type CoreParty,
  type CoreRead,
  type CoreServices,
  type CoreSettings,
  type CoreTransactionsRead,
  type TransactionQuery,
} from 'account-information-core-adapter';
import { PolderClient } from './polder.client.js';
import { timeAndIdOf, toAccount, toBalance, toParty, toTransaction } from './polder.records.js';

/** The gateway compares it with its own. */
export { portVersion };

/** The gateway calls it at its start. `services` has a logger, a clock and metrics, too. */
export function createAdapter(settings: CoreSettings, { http }: CoreServices): CoreAdapter {
  return new PolderAdapter(new PolderClient(settings, http));
}

const none = 'the core has none';

/** Reads the core polder over HTTP. */
class PolderAdapter implements CoreAdapter {
  readonly name = 'polder';
  readonly pending = 'id-kept';
  readonly missing = {
    offers: none,
    scheduledPayments: none,
    beneficiaries: none,
    statements: none,
    directDebits: none,
    standingOrders: none,
    product: none,
    findPaymentAccount: 'the core searches no account by its number',
  };

  constructor(private readonly client: PolderClient) {}

  async accounts(context: CoreContext): Promise<CoreItems<CoreAccount>> {
    const path = `/klanten/${encodeURIComponent(context.customerRef)}/rekeningen`;
    const answer = await this.client.read(path, context);
    // A customer whom the core does not know has no accounts.
    if (answer === undefined) return { items: [], bad: [] };
    return translateRows('rekeningen', listIn(answer, 'rekeningen'), toAccount);
  }

  async account(accountRef: string, context: CoreContext): Promise<CoreAccount> {
    const { items, bad } = await this.accounts(context);
    const account = items.find(({ ref }) => ref === accountRef);
    if (account !== undefined) return account;
    // An account that cannot be read may be the requested account.
    if (bad.length > 0) throw new CoreError('bad-record', 'polder: the account may be one that cannot be read');
    throw new CoreError('account-not-found', 'polder lists no such account');
  }

  async balances(accountRef: string, context: CoreContext): Promise<CoreRead<CoreBalance>> {
    const account = await this.account(accountRef, context);
    const answer = await this.client.read(`${pathOf(accountRef)}/saldi`, context);
    return { account, ...translateRows('saldi', listIn(answer, 'saldi'), (row) => toBalance(row, account.currency)) };
  }

  async party(accountRef: string, context: CoreContext): Promise<CoreRead<CoreParty>> {
    const account = await this.account(accountRef, context);
    const answer = await this.client.read(`/klanten/${encodeURIComponent(context.customerRef)}`, context);
    return { account, ...translateRows('klant', [answer], toParty) };
  }

  async transactions(accountRef: string, query: TransactionQuery, context: CoreContext): Promise<CoreTransactionsRead> {
    const account = await this.account(accountRef, context);
    const page = await pageOfTransactions<string>(query, {
      name: this.name,
      sortedBy: 'day',
      oldestFirst: false,
      page: async ({ firstDay, lastDay, cursor }) => {
        const wanted = new URLSearchParams();
        if (firstDay !== undefined) wanted.set('van', firstDay.replaceAll('-', ''));
        if (lastDay !== undefined) wanted.set('tot', lastDay.replaceAll('-', ''));
        if (cursor !== undefined) wanted.set('vanaf', cursor);
        const answer = await this.client.read(`${pathOf(accountRef)}/mutaties?${wanted.toString()}`, context);
        const next = isRow(answer) ? answer.volgende : undefined;
        if (next !== undefined && typeof next !== 'string')
          throw new CoreError('bad-record', 'polder: volgende is no text');
        return { rows: listIn(answer, 'mutaties'), next };
      },
      translate: (row) => toTransaction(row, account.currency),
      timeAndIdOf,
    });
    return { account, ...page };
  }

  async health(signal: AbortSignal): Promise<void> {
    const answer = await this.client.read('/levend', { signal });
    if (!isRow(answer) || answer.levend !== 'J')
      throw new CoreError('unavailable', 'polder does not say that it is up');
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

function listIn(answer: unknown, name: string): unknown[] {
  const list = isRow(answer) ? answer[name] : undefined;
  if (!Array.isArray(list)) throw new CoreError('bad-record', `polder: ${name} is not a list`);
  return list;
}

function pathOf(accountRef: string): string {
  return `/rekeningen/${encodeURIComponent(accountRef)}`;
}
