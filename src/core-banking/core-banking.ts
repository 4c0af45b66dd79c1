import { CoreError, isCoreError } from '../../packages/core-adapter/core-error.js';
import type {
  AccountRead,
  CoreAdapter,
  CoreContext,
  CoreRead,
  CoreTransactionsRead,
} from '../../packages/core-adapter/core.adapter.js';
import type { FoundAccount, FundsQuestion, StatedAccount } from '../../packages/core-adapter/core.funds.js';
import type { CoreAccount, TransactionQuery } from '../../packages/core-adapter/core.records.js';
import { payeeNumber } from '../../packages/core-adapter/account-numbers.js';
import { RowFault } from '../../packages/core-adapter/core-rows.js';
import type { AccountAtCore } from './account-at-core.js';
import { fundsAvailable } from './available-funds.js';
import type { CoreObserver } from './core-observer.js';
import { FoundRecords } from './found-records.js';
import { GuardedReads } from './guarded-reads.js';
import type { ReadContext, TppReadContext } from './read-context.js';
import type { CoreRecord } from './core-record.js';

/** An account that the consent lets the TPP read, on one endpoint. */
export interface CoreAccountHandle extends AccountAtCore {
  /** As the core stated it when the customer selected the account: maybe a name that the profile no longer has. */
  readonly product: string;
  /** The products that have the endpoint in this profile. */
  readonly listedProducts: readonly string[];
  readonly context: ReadContext;
}

/** A read, and whether its records have ids. */
export interface RecordSource<Read extends AccountRead> {
  readonly read: Read;
  readonly ids: { readonly uniqueWithin: 'account' | 'bank' } | undefined;
}

/** Only transactions are read by pages. */
export type QueryOf<Read extends AccountRead> = Read extends 'transactions' ? [query: TransactionQuery] : [];

export interface RecordsOfAccount<Read extends AccountRead> {
  readonly account: CoreAccount;
  /** `undefined` where the product of the account lacks the resource. */
  readonly records: FoundRecords<Read> | undefined;
  /** Set for a page of transactions: see {@link CoreTransactionsRead}. */
  readonly more?: boolean | undefined;
}

export type FundsAnswer = 'available' | 'not-available' | 'other-currency';

type AdapterRead<Read extends AccountRead> = (
  ...asked: [ref: string, ...QueryOf<Read>, context: CoreContext]
) => Promise<CoreRead<CoreRecord<Read>> & Partial<Pick<CoreTransactionsRead, 'more'>>>;

/**
 * Wraps the adapter of one core: it guards each read ({@link GuardedReads}), checks the account's state and product, and throws
 * nothing but {@link CoreError}. One read of the core per request.
 */
export class CoreBanking {
  private readonly reads: GuardedReads;

  constructor(
    private readonly adapter: CoreAdapter,
    private readonly observer: CoreObserver,
    /** At most this many connections to the core at a time. */
    connections: number,
    /** The products of the profile. An account of another product is a bad record: no rule says which data TPPs may have. */
    private readonly products: ReadonlySet<string>,
    /** Those of them whose agreed limit is an overdraft. */
    private readonly withOverdraft: ReadonlySet<string>,
  ) {
    const readsAtATime = Math.max(1, Math.floor(connections / (adapter.connectionsPerRead ?? 1)));
    this.reads = new GuardedReads(observer, readsAtATime);
  }

  /** How many reads are under way, and the most that may be at a time. */
  get readsAtATime(): GuardedReads['use'] {
    return this.reads.use;
  }

  /** Every account of the customer. One of a product that the profile does not have is a bad record. */
  async accounts(context: ReadContext): Promise<FoundRecords<'accounts'>> {
    const found = await this.reads.read('accounts', [], context, this.adapter.accounts.bind(this.adapter));
    const refuse = ({ product }: CoreAccount): void => {
      if (!this.products.has(product)) throw new RowFault('product', 'not in the profile');
    };
    // A bad record has no usable reference, so it may be the requested account.
    const mayHideOne = found.bad.length > 0 || found.items.some(({ product }) => !this.products.has(product));
    const rules = { read: 'accounts', idMember: 'ref', refuse, least: mayHideOne ? 'shown' : 'good' } as const;
    return new FoundRecords(found, rules, context, this.observer);
  }

  /** The account if its state permits access; otherwise `account-not-permitted` or `account-not-found`. */
  async account(handle: CoreAccountHandle): Promise<CoreAccount> {
    const { adapter } = this;
    const account = await this.reads.read('account', [handle.ref], handle.context, adapter.account.bind(adapter));
    return this.permitted(account, handle);
  }

  /**
   * The account's records of one kind, with the account as it is now. None for a product that lacks the resource: the check
   * "access state" still comes first, and no record is read. The product is checked before the read and after it, because it may
   * have changed since the customer selected the account. A product that the profile no longer has says nothing before the
   * read: the bank may have given the product another name.
   *
   * @param query of transactions: which page
   */
  async read<Read extends AccountRead>(
    { read, ids }: RecordSource<Read>,
    handle: CoreAccountHandle,
    ...query: QueryOf<Read>
  ): Promise<RecordsOfAccount<Read>> {
    if (this.products.has(handle.product) && !isListed(handle.product, handle))
      return { account: await this.account(handle), records: undefined };
    const method = this.adapter[read] as AdapterRead<Read> | undefined;
    if (method === undefined) throw new CoreError('unavailable', `the adapter has no read "${read}"`);
    const asked: [ref: string, ...QueryOf<Read>] = [handle.ref, ...query];
    const found = await this.reads.read(read, asked, handle.context, method.bind(this.adapter));
    const account = this.permitted(found.account, handle);
    if (!isListed(account.product, handle)) return { account, records: undefined };
    // Every account has balances, and the standard does not allow an empty list of them.
    if (read === 'balances' && found.items.length + found.bad.length === 0)
      throw new CoreError('bad-record', 'balances: the core sent none');
    const idMember = ids?.uniqueWithin === 'account' ? 'id' : undefined;
    // A page of bad records alone is empty where others follow or precede it, so that they can be reached.
    const isOneOfSeveral = found.more === true || query[0]?.position !== undefined;
    const rules = { read, idMember, least: isOneOfSeveral ? 'none' : 'good' } as const;
    return { account, records: new FoundRecords(found, rules, handle.context, this.observer), more: found.more };
  }

  /**
   * The account with the number, whatever its state; `undefined` where this core has none that a product of the profile
   * covers.
   *
   * @throws CoreError where the core answers with an account of another number
   */
  async findPaymentAccount(stated: StatedAccount, context: TppReadContext): Promise<FoundAccount | undefined> {
    const { adapter } = this;
    if (adapter.findPaymentAccount === undefined) return undefined;
    const find = adapter.findPaymentAccount.bind(adapter);
    const found = await this.reads.read('findPaymentAccount', [stated], context, find);
    if (found === undefined) return undefined;
    if (numberOf(found.account, stated.scheme) !== stated.identification)
      throw new CoreError('bad-record', 'the core answered with an account of another number');
    return this.products.has(found.account.product) ? found : undefined;
  }

  /**
   * Whether at least the amount can be spent. A core that cannot answer that is asked for its balances. An account that is
   * blocked, or of a product without funds checks, has nothing available.
   */
  async fundsAvailable(handle: CoreAccountHandle, question: FundsQuestion): Promise<FundsAnswer> {
    try {
      const { account, isAvailable } = await this.funds(handle, question);
      refuseOther(account, handle);
      if (account.currency !== question.amount.currency) return 'other-currency';
      this.refuseUnknownProduct(account);
      return account.permitted && isListed(account.product, handle) && isAvailable() ? 'available' : 'not-available';
    } catch (error) {
      if (isCoreError(error) && error.kind === 'account-not-permitted') return 'not-available';
      throw error;
    }
  }

  /** The answer of the core about the funds: its own, or by its balances. */
  private async funds({ ref, context }: CoreAccountHandle, question: FundsQuestion): Promise<FundsOfCore> {
    const { adapter } = this;
    if (adapter.fundsAvailable !== undefined) {
      const ask = adapter.fundsAvailable.bind(adapter);
      const { account, available } = await this.reads.read(
        'fundsAvailable',
        [ref, keyOf(question)],
        context,
        (...given) => ask(ref, question, given[2]),
      );
      return { account, isAvailable: () => available };
    }
    if (adapter.balances === undefined)
      throw new CoreError('unavailable', 'the adapter has neither the read "fundsAvailable" nor "balances"');
    const found = await this.reads.read('balances', [ref], context, adapter.balances.bind(adapter));
    const rules = { read: 'balances', idMember: undefined, least: 'good' } as const;
    return {
      account: found.account,
      isAvailable: () => {
        const balances = new FoundRecords(found, rules, context, this.observer).map((balance) => balance);
        return fundsAvailable(balances, question, this.withOverdraft.has(found.account.product));
      },
    };
  }

  async health(signal: AbortSignal): Promise<void> {
    await this.adapter.health(signal);
  }

  private permitted(account: CoreAccount, handle: CoreAccountHandle): CoreAccount {
    refuseOther(account, handle);
    if (!account.permitted) throw new CoreError('account-not-permitted', 'the account is in a state without access');
    this.refuseUnknownProduct(account);
    return account;
  }

  private refuseUnknownProduct({ product }: CoreAccount): void {
    if (!this.products.has(product))
      throw new CoreError('bad-record', 'the account: its product is not in the profile');
  }
}

interface FundsOfCore {
  readonly account: CoreAccount;
  readonly isAvailable: () => boolean;
}

function refuseOther({ ref }: CoreAccount, handle: CoreAccountHandle): void {
  if (ref !== handle.ref) throw new CoreError('bad-record', 'the core answered with another account');
}

function isListed(product: string, { listedProducts }: CoreAccountHandle): boolean {
  return listedProducts.includes(product);
}

/** A read is known by its JSON, which has no `bigint`. */
function keyOf({ amount, countOverdraft }: FundsQuestion): string {
  return `${amount.minorUnits} ${amount.currency} ${countOverdraft}`;
}

function numberOf(
  { sortCode = '', accountNumber = '', iban = '' }: CoreAccount,
  scheme: StatedAccount['scheme'],
): string | undefined {
  return payeeNumber(scheme, scheme === 'iban' ? iban : sortCode + accountNumber);
}
