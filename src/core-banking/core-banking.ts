import { CoreError } from '../../packages/core-adapter/core-error.js';
import type {
  AccountRead,
  CoreAdapter,
  CoreContext,
  CoreItems,
  CoreRead,
  CoreTransactionsRead,
} from '../../packages/core-adapter/core.adapter.js';
import type { CoreAccount, CoreTransaction, TransactionQuery } from '../../packages/core-adapter/core.records.js';
import { RowFault } from '../../packages/core-adapter/core-rows.js';
import type { AccountPlace } from './account-place.js';
import type { CoreObserver } from './core-observer.js';
import { GuardedReads, type ReadContext } from './guarded-reads.js';
import type { CoreRecord } from './core-record.js';
import { translateRecords } from './translated-records.js';

/** An account that the consent lets the TPP read, on one endpoint. */
export interface CoreAccountHandle extends AccountPlace {
  /** As the core stated it when the customer selected the account: maybe a name that the profile no longer has. */
  readonly product: string;
  /** The products that have the endpoint in this profile. */
  readonly listedProducts: readonly string[];
  readonly context: ReadContext;
}

export type PlainRead = Exclude<AccountRead, 'transactions'>;

/** A read, and whether its records have ids by which they are told apart. */
export interface RecordSource<Read extends AccountRead> {
  readonly read: Read;
  readonly ids: { readonly uniqueWithin: 'account' | 'bank' } | undefined;
}

/**
 * Wraps the adapter of one core: it guards each read ({@link GuardedReads}), judges the account's state and product, sorts out
 * bad records, and throws nothing but {@link CoreError}. One read of the core per request.
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
  ) {
    const readsAtATime = Math.max(1, Math.floor(connections / (adapter.connectionsPerRead ?? 1)));
    this.reads = new GuardedReads(observer, readsAtATime);
  }

  /** How many reads are under way, and the most that may be at a time. */
  get readsAtATime(): GuardedReads['use'] {
    return this.reads.use;
  }

  /**
   * Every account of the customer that could be read, translated. Accounts for which `translate` returns `undefined` are
   * left out.
   */
  async accounts<Out>(context: ReadContext, translate: (account: CoreAccount) => Out | undefined): Promise<Out[]> {
    const found = await this.reads.read('accounts', undefined, context, (forCore) => this.adapter.accounts(forCore));
    let unknown = 0;
    const known = (account: CoreAccount): Out | undefined => {
      if (this.products.has(account.product)) return translate(account);
      unknown++;
      throw new RowFault('product', 'not in the profile');
    };
    const translated = this.translated('accounts', found, context, known, 'ref');
    // A bad record has no usable reference, so it may be the requested account.
    if (translated.length === 0 && found.bad.length + unknown > 0)
      throw new CoreError('bad-record', 'accounts: no account could be read');
    return translated;
  }

  /** The account if its state permits access; otherwise `account-not-permitted` or `account-not-found`. */
  async account(handle: CoreAccountHandle): Promise<CoreAccount> {
    const account = await this.reads.read('account', handle.ref, handle.context, (context) =>
      this.adapter.account(handle.ref, context),
    );
    return this.permitted(account, handle);
  }

  /**
   * The account's records of one kind, translated, each with the account as it is now. Empty for a product that lacks the
   * resource: the check "access state" still comes first, and no record is read. The product is checked before the read and
   * after it, because it may have changed since the customer selected the account. A product that the profile no longer has says
   * nothing before the read: the bank may have given the product another name.
   */
  async read<R extends PlainRead, Out>(
    source: RecordSource<R>,
    handle: CoreAccountHandle,
    translate: (record: CoreRecord<R>, account: CoreAccount) => Out | undefined,
  ): Promise<Out[]> {
    const { read } = source;
    if (this.products.has(handle.product) && !isListed(handle.product, handle)) {
      await this.account(handle);
      return [];
    }
    const found = await this.reads.read(read, handle.ref, handle.context, (context) =>
      this.served(read, handle.ref, context),
    );
    if (!isListed(this.permitted(found.account, handle).product, handle)) return [];
    // Every account has balances, and the standard does not allow an empty list of them.
    if (read === 'balances' && found.items.length + found.bad.length === 0)
      throw new CoreError('bad-record', 'balances: the core sent none');
    return this.translated(
      read,
      found,
      handle.context,
      (record) => translate(record, found.account),
      idMemberOf(source),
    );
  }

  /**
   * A page of the account's transactions, newest first. See {@link read} for products and state. A page of bad records alone is
   * empty where others follow or precede it, so that they can be reached.
   */
  async transactions<Out>(
    handle: CoreAccountHandle,
    query: TransactionQuery,
    translate: (record: CoreTransaction, account: CoreAccount) => Out | undefined,
  ): Promise<{ items: Out[]; page?: CoreTransactionsRead }> {
    if (this.products.has(handle.product) && !isListed(handle.product, handle)) {
      await this.account(handle);
      return { items: [] };
    }
    const adapter = this.adapter;
    const found = await this.reads.read('transactions', [handle.ref, query], handle.context, (context) => {
      if (adapter.transactions === undefined) throw lacking('transactions');
      return adapter.transactions(handle.ref, query, context);
    });
    if (!isListed(this.permitted(found.account, handle).product, handle)) return { items: [] };
    const isOneOfSeveral = query.position !== undefined || found.more;
    const items = this.translated(
      'transactions',
      found,
      handle.context,
      (row) => translate(row, found.account),
      'id',
      isOneOfSeveral,
    );
    return { items, page: found };
  }

  async health(signal: AbortSignal): Promise<void> {
    await this.adapter.health(signal);
  }

  private served<R extends PlainRead>(read: R, ref: string, to: CoreContext): Promise<CoreRead<CoreRecord<R>>> {
    const method = this.adapter[read] as
      ((ref: string, context: CoreContext) => Promise<CoreRead<CoreRecord<R>>>) | undefined;
    if (method === undefined) throw lacking(read);
    return method.call(this.adapter, ref, to);
  }

  private permitted(account: CoreAccount, handle: CoreAccountHandle): CoreAccount {
    if (account.ref !== handle.ref) throw new CoreError('bad-record', 'the core answered with another account');
    if (!account.permitted) throw new CoreError('account-not-permitted', 'the account is in a state without access');
    if (!this.products.has(account.product))
      throw new CoreError('bad-record', 'the account: its product is not in the profile');
    return account;
  }

  /**
   * Bad records are left out and counted, as are optional fields that cannot be read. If only bad records came, the read fails
   * instead of returning an empty list, unless it `mayBeEmpty`.
   */
  private translated<In, Out>(
    read: AccountRead | 'accounts',
    found: CoreItems<In>,
    context: ReadContext,
    translate: (record: In) => Out | undefined,
    idMember: 'ref' | 'id' | undefined,
    mayBeEmpty = false,
  ): Out[] {
    const { out, good, bad, unread } = translateRecords(read, found, translate, idMember);
    if (unread.length > 0) this.observer.unreadFields(read, unread, context.interactionId);
    if (bad.length === 0) return out;
    if (context.tally !== undefined) context.tally.badRecords += bad.length;
    this.observer.badRecords(read, bad, context.interactionId);
    if (good === 0 && !mayBeEmpty)
      throw new CoreError('bad-record', `${read}: none of ${bad.length} records could be read`);
    return out;
  }
}

function idMemberOf({ ids }: RecordSource<AccountRead>): 'id' | undefined {
  return ids?.uniqueWithin === 'account' ? 'id' : undefined;
}

function isListed(product: string, { listedProducts }: CoreAccountHandle): boolean {
  return listedProducts.includes(product);
}

function lacking(read: string): CoreError {
  return new CoreError('unavailable', `the adapter has no read "${read}"`);
}
