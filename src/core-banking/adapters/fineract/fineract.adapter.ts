import type {
  CallContext,
  CoreAdapter,
  CoreContext,
  CoreItems,
  CoreRead,
  CoreTransactionsRead,
} from '../../../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../../../packages/core-adapter/core-error.js';
import type { FoundAccount, StatedAccount } from '../../../../packages/core-adapter/core.funds.js';
import type { CoreServices } from '../../../../packages/core-adapter/core-services.js';
import type { CoreSettings } from '../../../../packages/core-adapter/core-settings.js';
import type {
  CoreAccount,
  CoreBalance,
  CoreBeneficiary,
  CoreParty,
  CoreProductDetail,
  CoreStandingOrder,
  TransactionQuery,
} from '../../../../packages/core-adapter/core.records.js';
import { translateRows } from '../../../../packages/core-adapter/core-rows.js';
import { FineractAccounts, timeOf } from './accounts.reads.js';
import { toBalances } from './balances.records.js';
import { beneficiaryColumns, toBeneficiary } from './beneficiaries.records.js';
import { pageOf, neededRow } from './fineract.answers.js';
import { FineractClient } from './fineract.client.js';
import { key, integerOf } from './fineract.fields.js';
import { hidden, readFineractSettings, type FineractSettings } from './fineract.settings.js';
import { toParty } from './party.records.js';
import { toProductDetail } from './product.records.js';
import { FineractStandingOrders } from './standing-orders.reads.js';
import { searchTransactions } from './fineract.transactions.js';
import { toTransaction } from './transactions.records.js';

export function createAdapter(given: CoreSettings, { http }: CoreServices): FineractAdapter {
  const settings = readFineractSettings(given);
  return new FineractAdapter(settings, new FineractClient(settings, http));
}

/**
 * Reads Apache Fineract over its REST API. A customer's reference is the id of a client, an account's that of a savings
 * account. Each read fetches the account and its holder first, because Fineract does not know the gateway's customer.
 */
export class FineractAdapter implements CoreAdapter {
  readonly name = 'fineract';
  readonly pending = 'id-changes';
  /** The account and its holder; several accounts are read two at a time. */
  readonly connectionsPerRead = 2;
  readonly missing: CoreAdapter['missing'];
  readonly products: readonly string[];
  readonly beneficiaries?: (accountRef: string, context: CoreContext) => Promise<CoreRead<CoreBeneficiary>>;
  readonly standingOrders?: (accountRef: string, context: CoreContext) => Promise<CoreRead<CoreStandingOrder>>;
  readonly findPaymentAccount?: (stated: StatedAccount, context: CallContext) => Promise<FoundAccount | undefined>;
  private readonly savings: FineractAccounts;

  constructor(
    settings: FineractSettings,
    private readonly client: FineractClient,
  ) {
    this.savings = new FineractAccounts(client, settings);
    const { beneficiariesTable, identifiersTable, products } = settings;
    this.products = [...new Set(products.values())].filter((product) => product !== hidden);
    if (beneficiariesTable !== undefined)
      this.beneficiaries = (accountRef, context) => this.readBeneficiaries(beneficiariesTable, accountRef, context);
    if (identifiersTable !== undefined) {
      const orders = new FineractStandingOrders(client, this.savings, settings.timeZone);
      this.standingOrders = (accountRef, context) => orders.read(accountRef, context);
      this.findPaymentAccount = (stated, context) => this.savings.find(identifiersTable, stated, context);
    }
    this.missing = {
      offers: 'Fineract has no offers',
      scheduledPayments: 'Fineract has no payment that is made once on a later day, only standing instructions',
      statements: 'Fineract keeps no statements',
      directDebits: 'Fineract has no direct debits',
      ...(beneficiariesTable === undefined && {
        beneficiaries: 'Fineract does not keep beneficiaries: put them into a data table, CORE_BENEFICIARIES_TABLE',
      }),
      ...(identifiersTable === undefined && {
        standingOrders: 'the payee of a standing order has no sort code without CORE_IDENTIFIERS_TABLE',
        findPaymentAccount: 'no account has a number without CORE_IDENTIFIERS_TABLE',
      }),
    };
  }

  accounts(context: CoreContext): Promise<CoreItems<CoreAccount>> {
    return this.savings.list(context);
  }

  async account(accountRef: string, context: CoreContext): Promise<CoreAccount> {
    return (await this.savings.read(accountRef, context)).account;
  }

  async balances(accountRef: string, context: CoreContext): Promise<CoreRead<CoreBalance>> {
    const read = await this.savings.read(accountRef, context);
    const { account, row } = read;
    // Fineract keeps no time for a balance, so its time is that of the answer.
    const at = timeOf(read);
    const { items, ...faults } = translateRows('savingsAccount', [row], (it) => toBalances(it, at));
    return { account, items: items.flat(), ...faults };
  }

  async transactions(accountRef: string, query: TransactionQuery, context: CoreContext): Promise<CoreTransactionsRead> {
    const { account } = await this.savings.read(accountRef, context);
    const found = await searchTransactions(
      query,
      async (search) => {
        const path = `/v1/savingsaccounts/${accountRef}/transactions/search?${search}`;
        const { body } = await this.client.read(path, context);
        return pageOf(body, 'content', 'total');
      },
      (row) => toTransaction(row, account),
    );
    return { account, ...found };
  }

  async party(accountRef: string, context: CoreContext): Promise<CoreRead<CoreParty>> {
    const { account, client } = await this.savings.read(accountRef, context);
    return { account, ...translateRows('client', [client], toParty) };
  }

  async product(accountRef: string, context: CoreContext): Promise<CoreRead<CoreProductDetail>> {
    const { account, row } = await this.savings.read(accountRef, context);
    const productId = neededRow('savingsAccount', row, (it) => integerOf(it.savingsProductId, 'savingsProductId'));
    const { body } = await this.client.read(`/v1/savingsproducts/${productId}`, context);
    return { account, ...translateRows('savingsProduct', [body], (it) => toProductDetail(it, account.holder)) };
  }

  private async readBeneficiaries(
    table: string,
    accountRef: string,
    context: CoreContext,
  ): Promise<CoreRead<CoreBeneficiary>> {
    const { account } = await this.savings.read(accountRef, context);
    const rows = await this.savings.tableRows(table, beneficiaryColumns, accountRef, context);
    return { account, ...translateRows('beneficiaries', rows, toBeneficiary) };
  }

  /** Reads the products, which needs credentials, tenant and database but shows no customer's data. */
  async health(signal: AbortSignal): Promise<void> {
    const { body } = await this.client.read('/v1/savingsproducts?fields=id', { signal });
    const products = Array.isArray(body)
      ? translateRows('savingsproducts', body, (row) => key(row.id, 'id'))
      : undefined;
    if (products?.bad.length !== 0) throw new CoreError('bad-record', 'Fineract did not list its savings products');
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
