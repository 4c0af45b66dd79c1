import { Injectable } from '@nestjs/common';
import type {
  BadRecord,
  CoreAdapter,
  CoreContext,
  CoreItems,
  CoreRead,
  CoreTransactionsRead,
} from '../../../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../../../packages/core-adapter/core-error.js';
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
import { isRow, type Row, translateRow, translateRows } from '../../../../packages/core-adapter/core-rows.js';
import { type FineractAnswer, FineractClient } from './fineract.client.js';
import { key, wholeNumber } from './fineract.fields.js';
import {
  beneficiaryColumns,
  holderOf,
  identifierColumns,
  offeredProduct,
  toAccount,
  toBalances,
  toBeneficiary,
  toIdentification,
  toParty,
  toProductDetail,
  toTableRows,
  toTransaction,
} from './fineract.records.js';
import { type FineractSettings, readFineractSettings } from './fineract.settings.js';
import { isStandingOrder, payeeRef, toStandingOrder } from './fineract.standing-orders.js';
import { searchTransactions } from './transaction-search.js';
import { twoAtATime } from './two-at-a-time.js';

/** An account with the rows that it was read from, and when. */
interface ReadAccount {
  readonly account: CoreAccount;
  readonly row: Row;
  readonly client: Row;
  readonly at: Date | undefined;
}

/**
 * Reads Apache Fineract over its REST API. A customer's reference is the id of a client, an account's that of a savings
 * account. Each read fetches the account and its holder first: Fineract knows nothing of whom the gateway reads for.
 */
@Injectable()
export class FineractAdapter implements CoreAdapter {
  readonly name = 'fineract';
  readonly pending = 'id-changes';
  /** The account and its holder; of more rows two at a time. */
  readonly connectionsPerRead = 2;
  readonly missing: CoreAdapter['missing'];
  readonly beneficiaries?: (accountRef: string, context: CoreContext) => Promise<CoreRead<CoreBeneficiary>>;
  readonly standingOrders?: (accountRef: string, context: CoreContext) => Promise<CoreRead<CoreStandingOrder>>;
  private readonly settings: FineractSettings;
  private readonly client: FineractClient;
  /** Days of the tenant's calendar as `YYYY-MM-DD`. */
  private readonly calendar: Intl.DateTimeFormat;

  constructor(settings: CoreSettings) {
    this.settings = readFineractSettings(settings);
    this.calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: this.settings.timeZone });
    this.client = new FineractClient(this.settings);
    const { beneficiariesTable, identifiersTable } = this.settings;
    if (beneficiariesTable !== undefined)
      this.beneficiaries = (accountRef, context) => this.readBeneficiaries(beneficiariesTable, accountRef, context);
    if (identifiersTable !== undefined)
      this.standingOrders = (accountRef, context) => this.readStandingOrders(accountRef, context);
    this.missing = {
      offers: 'Fineract has no offers',
      scheduledPayments: 'Fineract has no payment that is made once on a later day, only standing instructions',
      statements: 'Fineract keeps no statements',
      directDebits: 'Fineract has no direct debits',
      ...(beneficiariesTable === undefined && {
        beneficiaries: 'Fineract has no beneficiaries of its own: put them into a data table, CORE_BENEFICIARIES_TABLE',
      }),
      ...(identifiersTable === undefined && {
        standingOrders: 'the payee of a standing order has no sort code without CORE_IDENTIFIERS_TABLE',
      }),
    };
  }

  async accounts(context: CoreContext): Promise<CoreItems<CoreAccount>> {
    if (!isKey(context.customerRef)) return { items: [], bad: [] };
    const [client, list] = await Promise.all([
      this.read(clientPath(context), context),
      this.read(`${clientPath(context)}/accounts`, context),
    ]).catch((error: unknown) => {
      if (error instanceof CoreError && error.kind === 'account-not-found') return [];
      throw error;
    });
    if (client === undefined || list === undefined) return { items: [], bad: [] };
    const holder = whole('client', client.body, holderOf);
    const rows = record(list.body).savingsAccounts ?? [];
    if (!Array.isArray(rows)) throw new CoreError('bad-record', 'Fineract: savingsAccounts is not a list');
    const read = await twoAtATime(rows as unknown[], (row, index) =>
      this.listed(`savingsAccounts[${index}]`, row, holder, context),
    );
    const bad = read.flatMap((one) => ('fault' in one ? [one] : []));
    const items = read.flatMap((one) => ('fault' in one || one.item === undefined ? [] : [one.item]));
    return { items: items.sort(byRef), bad };
  }

  async account(accountRef: string, context: CoreContext): Promise<CoreAccount> {
    return (await this.readAccount(accountRef, context)).account;
  }

  async balances(accountRef: string, context: CoreContext): Promise<CoreRead<CoreBalance>> {
    const { account, row, at } = await this.readAccount(accountRef, context);
    // A balance is what it is when it is read; Fineract keeps no time of its own for it.
    if (at === undefined) throw withoutTime();
    return { account, items: whole('savingsAccount', row, (it) => toBalances(it, account.product, at)), bad: [] };
  }

  async transactions(accountRef: string, query: TransactionQuery, context: CoreContext): Promise<CoreTransactionsRead> {
    const { account } = await this.readAccount(accountRef, context);
    const found = await searchTransactions(
      query,
      async ({ path }, number) => {
        const { body } = await this.read(
          `/v1/savingsaccounts/${accountRef}/transactions/search?${path}&offset=${number}`,
          context,
        );
        return pageOf(body, 'content', 'total');
      },
      (row) => toTransaction(row, account),
    );
    return { account, ...found };
  }

  async party(accountRef: string, context: CoreContext): Promise<CoreRead<CoreParty>> {
    const { account, client } = await this.readAccount(accountRef, context);
    return { account, ...translateRows('client', [client], toParty) };
  }

  async product(accountRef: string, context: CoreContext): Promise<CoreRead<CoreProductDetail>> {
    const { account, row } = await this.readAccount(accountRef, context);
    const productId = whole('savingsAccount', row, (it) => wholeNumber(it.savingsProductId, 'savingsProductId'));
    const { body } = await this.read(`/v1/savingsproducts/${productId}`, context);
    return { account, items: [whole('savingsProduct', body, (it) => toProductDetail(it, account))], bad: [] };
  }

  private async readBeneficiaries(
    table: string,
    accountRef: string,
    context: CoreContext,
  ): Promise<CoreRead<CoreBeneficiary>> {
    const { account } = await this.readAccount(accountRef, context);
    const rows = await this.tableRows(table, beneficiaryColumns, accountRef, context);
    return { account, ...translateRows('beneficiaries', rows, toBeneficiary) };
  }

  private async readStandingOrders(accountRef: string, context: CoreContext): Promise<CoreRead<CoreStandingOrder>> {
    const { account, at } = await this.readAccount(accountRef, context);
    if (at === undefined) throw withoutTime();
    const rows = await this.instructions(accountRef, context);
    // Whom each order pays is named by a data table: what is bad about a row is told by the second translation.
    const payees = translateRows('payees', rows, (row) => (isStandingOrder(row) ? payeeRef(row) : undefined)).items;
    const identifiers = new Map(
      await twoAtATime([...new Set(payees)], async (ref) => [ref, await this.identifiers(ref, context)] as const),
    );
    const view = {
      accountRef,
      currency: account.currency,
      today: { date: this.calendar.format(at) },
      creditor: (ref: string, name: string | undefined) => toIdentification(identifiers.get(ref) ?? {}, name),
    };
    return {
      account,
      ...translateRows('standinginstructions', rows, (row) =>
        isStandingOrder(row) ? toStandingOrder(row, view) : undefined,
      ),
    };
  }

  /** Every instruction of the account. Here, other than in the search, `offset` counts rows. */
  private async instructions(accountRef: string, context: CoreContext): Promise<unknown[]> {
    const rows: unknown[] = [];
    for (;;) {
      // Without the client the SQL that Fineract builds has no `where` and fails.
      const query = `clientId=${context.customerRef}&fromAccountId=${accountRef}&fromAccountType=2&transferType=1`;
      const { body } = await this.read(
        `/v1/standinginstructions?${query}&limit=${instructionsPerCall}&offset=${rows.length}`,
        context,
      );
      const pageItems = pageOf(body, 'pageItems', 'totalFilteredRecords');
      rows.push(...pageItems);
      if (pageItems.length < instructionsPerCall) return rows;
    }
  }

  /** Asks what needs credentials, tenant and database, and is no customer's. */
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

  /** One row of the client's list; `undefined` for what is not offered. */
  private async listed(
    where: string,
    row: unknown,
    holder: CoreAccount['holder'],
    context: CoreContext,
  ): Promise<{ item: CoreAccount | undefined } | BadRecord> {
    const offered = translateRow(where, row, (it) => ({
      ref: key(it.id, 'id'),
      product: offeredProduct(it, it.productId, this.settings),
    }));
    if ('fault' in offered) return offered;
    const { ref, product } = offered.item;
    if (product === undefined) return { item: undefined };
    const identifiers = await this.identifiers(ref, context);
    return translateRow(where, row, (it) => toAccount(it, { product, holder, identifiers, rules: this.settings }));
  }

  private async readAccount(accountRef: string, context: CoreContext): Promise<ReadAccount> {
    if (!isKey(accountRef) || !isKey(context.customerRef)) throw unknownAccount();
    const [answer, client] = await Promise.all([
      this.read(`/v1/savingsaccounts/${accountRef}`, context),
      this.read(clientPath(context), context),
    ]);
    const row = record(answer.body);
    // A group's account has no client.
    const owner = whole('savingsAccount', row, (it) =>
      it.clientId === undefined ? undefined : key(it.clientId, 'clientId'),
    );
    if (owner !== context.customerRef) throw unknownAccount();
    const identifiers = await this.identifiers(accountRef, context);
    const account = whole('savingsAccount', row, (it) => {
      const product = offeredProduct(it, it.savingsProductId, this.settings);
      if (product === undefined) throw unknownAccount();
      const holder = whole('client', client.body, holderOf);
      return toAccount(it, { product, holder, identifiers, rules: this.settings });
    });
    return { account, row, client: record(client.body), at: answer.at };
  }

  /** The account's row of the identifiers' data table; none where there is no table, or no row in it. */
  private async identifiers(accountRef: string, context: CoreContext): Promise<Row | undefined> {
    const table = this.settings.identifiersTable;
    return table === undefined ? undefined : (await this.tableRows(table, identifierColumns, accountRef, context))[0];
  }

  private async tableRows(
    table: string,
    columns: readonly string[],
    entityId: string,
    context: CoreContext,
  ): Promise<Row[]> {
    const path = `/v1/datatables/${encodeURIComponent(table)}/${entityId}?genericResultSet=true`;
    const { body } = await this.read(path, context);
    return whole('datatable', body, (it) => toTableRows(it, columns));
  }

  private read(path: string, context: CoreContext): Promise<FineractAnswer> {
    return this.client.read(path, context);
  }
}

const instructionsPerCall = 500;

function clientPath({ customerRef }: CoreContext): string {
  return `/v1/clients/${customerRef}`;
}

/** Nothing else is the id of a row, and nothing else is put into a path. */
function isKey(ref: string): boolean {
  return /^[1-9]\d{0,18}$/.test(ref);
}

function withoutTime(): CoreError {
  return new CoreError('bad-record', 'Fineract did not say when it answered (no Date header)');
}

function unknownAccount(): CoreError {
  return new CoreError('account-not-found', 'Fineract has no such account of this client');
}

/** In the order of their ids, which Fineract's own list does not promise. */
function byRef(a: CoreAccount, b: CoreAccount): number {
  return a.ref.length - b.ref.length || (a.ref < b.ref ? -1 : 1);
}

function record(answer: unknown): Row {
  if (!isRow(answer)) throw new CoreError('bad-record', 'Fineract answered with something other than a record');
  return answer;
}

/** The rows of a page. How many there are in all is never believed, but a page without a number is none. */
function pageOf(body: unknown, rowsName: string, totalName: string): unknown[] {
  const { [rowsName]: rows, [totalName]: total } = record(body);
  if (!Array.isArray(rows) || typeof total !== 'number')
    throw new CoreError('bad-record', `Fineract: ${rowsName} and ${totalName} are no page`);
  return rows as unknown[];
}

/** What nothing can be said without, such as the account: where it cannot be read, the whole read fails. */
function whole<T>(what: string, answer: unknown, translate: (row: Row) => T): T {
  const read = translateRow(what, answer, translate);
  if ('fault' in read) throw new CoreError('bad-record', `Fineract: ${what}: ${read.fault}`);
  return read.item;
}
