import type {
  CoreAdapter,
  CoreContext,
  CoreItems,
  CoreRead,
  CoreTransactionsRead,
} from '../../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../../packages/core-adapter/core-error.js';
import type {
  CoreAccount,
  CoreBalance,
  CoreParty,
  TransactionQuery,
} from '../../../packages/core-adapter/core.records.js';
import { translateRow, translateRows } from '../../../packages/core-adapter/core-rows.js';
import type { CreateAdapter } from '../../../packages/core-adapter/core-services.js';
import { DatabaseClient } from './database.client.js';
import { toAccount, toBalance, toParty, toTransaction } from './database.records.js';
import { transactionsOf } from './transaction-search.js';

const missing = 'the views of the database do not show them';

export const createAdapter: CreateAdapter = (settings) => new DatabaseAdapter(new DatabaseClient(settings));

/** Reads a core that shows its records in views of a PostgreSQL, such as an operational data store. */
class DatabaseAdapter implements CoreAdapter {
  readonly name = 'database';
  readonly pending = 'id-kept';
  readonly missing = {
    offers: missing,
    scheduledPayments: missing,
    beneficiaries: missing,
    statements: missing,
    directDebits: missing,
    standingOrders: missing,
    product: missing,
  };

  constructor(private readonly client: DatabaseClient) {}

  async accounts({ customerRef, signal }: CoreContext): Promise<CoreItems<CoreAccount>> {
    const select = 'SELECT * FROM account_view WHERE customer_ref = $1 ORDER BY account_ref';
    return translateRows('accounts', await this.client.query(select, [customerRef], signal), toAccount);
  }

  async account(accountRef: string, { customerRef, signal }: CoreContext): Promise<CoreAccount> {
    const select = 'SELECT * FROM account_view WHERE customer_ref = $1 AND account_ref = $2';
    const [row] = await this.client.query(select, [customerRef, accountRef], signal);
    return accountOf(row);
  }

  async balances(accountRef: string, context: CoreContext): Promise<CoreRead<CoreBalance>> {
    const { account, rows } = await this.read(accountRef, context, 'balance_view WHERE account_ref = $2 ORDER BY kind');
    return { account, ...translateRows('balances', rows, toBalance) };
  }

  async party(accountRef: string, context: CoreContext): Promise<CoreRead<CoreParty>> {
    const { account, rows } = await this.read(accountRef, context, 'person_view WHERE customer_ref = $1');
    return { account, ...translateRows('party', rows, toParty) };
  }

  async transactions(accountRef: string, query: TransactionQuery, context: CoreContext): Promise<CoreTransactionsRead> {
    const { from, values } = transactionsOf(query);
    const { account, rows } = await this.read(accountRef, context, from, values);
    // The query asked for one row more than the page holds.
    const shown = rows.slice(0, query.limit);
    if (query.read === 'newer') shown.reverse();
    return { account, more: rows.length > query.limit, ...translateRows('transactions', shown, toTransaction) };
  }

  async health(signal: AbortSignal): Promise<void> {
    await this.client.query('SELECT 1', [], signal);
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** The account and its records in one statement, and so as they are at one moment. @param from has $1 and $2 already */
  private async read(
    accountRef: string,
    { customerRef, signal }: CoreContext,
    from: string,
    values: readonly unknown[] = [],
  ): Promise<{ account: CoreAccount; rows: unknown[] }> {
    const select = `SELECT to_jsonb(account) AS account, record.* FROM account_view account
      LEFT JOIN LATERAL (SELECT true AS is_record, * FROM ${from}) record ON true
      WHERE account.customer_ref = $1 AND account.account_ref = $2`;
    const rows = await this.client.query(select, [customerRef, accountRef, ...values], signal);
    return { account: accountOf(rows[0]?.account), rows: rows.filter(({ is_record: isRecord }) => isRecord === true) };
  }
}

function accountOf(row: unknown): CoreAccount {
  if (row === undefined) throw new CoreError('account-not-found', 'the database lists no such account');
  const read = translateRow('account', row, toAccount);
  if ('fault' in read) throw new CoreError('bad-record', `the database: account, ${read.fault}`);
  return read.item;
}
