import type {
  CoreAdapter,
  CoreContext,
  CoreItems,
  CoreRead,
  CoreTransactionsRead,
  PendingSupport,
} from '../../../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../../../packages/core-adapter/core-error.js';
import type {
  CoreAccount,
  CoreBalance,
  CoreBeneficiary,
  CoreDirectDebit,
  CoreOffer,
  CoreParty,
  CoreProductDetail,
  CoreScheduledPayment,
  CoreStandingOrder,
  CoreStatement,
  CoreTransaction,
  TransactionQuery,
} from '../../../../packages/core-adapter/core.records.js';
import type { CreateAdapter } from '../../../../packages/core-adapter/core-services.js';
import { type FeedSettings, readFeedSettings } from './feed.settings.js';
import type { FewRead } from './replica-tables.js';
import { recordOfText } from './record-text.js';
import type { RunQuery } from './replica.js';
import { Replicas } from './replicas.js';
import { transactionSelect } from './feed.transactions.js';

export const createAdapter: CreateAdapter = (settings, services) => {
  const read = readFeedSettings(settings);
  const adapter: CoreAdapter = new FeedAdapter(read, new Replicas(read, services));
  // The gateway treats an absent read as one that the core cannot serve.
  const absent = Object.keys(read.file.missing).map((name): [string, undefined] => [name, undefined]);
  return Object.assign(adapter, Object.fromEntries<undefined>(absent));
};

const whyNoFunds = 'a delivery states the funds of an earlier time, and a TPP asks about now';

/** The account of a customer, and its number in the replica. */
interface FoundRows {
  readonly number: number;
  readonly account: CoreAccount;
}

/** Reads the replica that `feed load` made of a bank's files. */
class FeedAdapter implements CoreAdapter {
  readonly name: string;
  readonly pending: PendingSupport;
  readonly maxTransactionHistory?: string;
  readonly missing: CoreAdapter['missing'];

  balances? = this.few<CoreBalance>('balances');
  offers? = this.few<CoreOffer>('offers');
  scheduledPayments? = this.few<CoreScheduledPayment>('scheduledPayments');
  beneficiaries? = this.few<CoreBeneficiary>('beneficiaries');
  statements? = this.few<CoreStatement>('statements', 1);
  directDebits? = this.few<CoreDirectDebit>('directDebits');
  standingOrders? = this.few<CoreStandingOrder>('standingOrders');
  product? = this.few<CoreProductDetail>('product');

  constructor(
    { file }: FeedSettings,
    private readonly replicas: Replicas,
  ) {
    this.name = file.name;
    this.pending = file.pending;
    this.missing = { ...file.missing, findPaymentAccount: whyNoFunds, fundsAvailable: whyNoFunds };
    if (file.maxTransactionHistory !== undefined) this.maxTransactionHistory = file.maxTransactionHistory;
  }

  accounts({ customerRef, signal }: CoreContext): Promise<CoreItems<CoreAccount>> {
    return this.replicas.read(signal, async (ask) => ({
      items: records(await ask(`SELECT account.body ${ofCustomer} ORDER BY account.number`, [customerRef])),
      bad: [],
    }));
  }

  account(accountRef: string, { customerRef, signal }: CoreContext): Promise<CoreAccount> {
    return this.replicas.read(signal, async (ask) => (await find(ask, customerRef, accountRef)).account);
  }

  party? = (accountRef: string, { customerRef, signal }: CoreContext): Promise<CoreRead<CoreParty>> =>
    this.replicas.read(signal, async (ask) => {
      const { account } = await find(ask, customerRef, accountRef);
      return {
        account,
        items: records(await ask('SELECT body FROM party WHERE customer = $1', [customerRef])),
        bad: [],
      };
    });

  transactions? = (
    accountRef: string,
    query: TransactionQuery,
    { customerRef, signal }: CoreContext,
  ): Promise<CoreTransactionsRead> =>
    this.replicas.read(signal, async (ask) => {
      const { account, number } = await find(ask, customerRef, accountRef);
      const { page, values } = transactionSelect(number, query);
      const rows = await ask(page, values);
      const items = records<CoreTransaction>(rows.slice(0, query.limit));
      if (query.read === 'newer') items.reverse();
      return { account, items, bad: [], more: rows.length > query.limit };
    });

  async health(signal: AbortSignal): Promise<void> {
    await this.replicas.read(signal, (ask) => ask('SELECT 1', []));
  }

  close(): Promise<void> {
    this.replicas.close();
    return Promise.resolve();
  }

  private few<T>(read: FewRead, limit = 1_000_000) {
    return (accountRef: string, { customerRef, signal }: CoreContext): Promise<CoreRead<T>> =>
      this.replicas.read(signal, async (ask) => {
        const { account, number } = await find(ask, customerRef, accountRef);
        const select = `SELECT body FROM record WHERE account = $1 AND read = $2 ORDER BY place LIMIT ${limit}`;
        return { account, items: records<T>(await ask(select, [number, read])), bad: [] };
      });
  }
}

const ofCustomer = 'FROM holder JOIN account ON account.number = holder.account WHERE holder.customer = $1';

/** @throws CoreError `account-not-found`, for an account of another customer too */
async function find(ask: RunQuery, customerRef: string, accountRef: string): Promise<FoundRows> {
  const select = `SELECT account.number, account.body ${ofCustomer} AND account.ref = $2`;
  const [row] = await ask(select, [customerRef, accountRef]);
  if (row === undefined) throw new CoreError('account-not-found', 'the replica lists no such account of the customer');
  return { number: Number(row[0]), account: recordOfText(String(row[1])) };
}

function records<T>(rows: Awaited<ReturnType<RunQuery>>): T[] {
  return rows.map(([body]) => recordOfText<T>(String(body)));
}
