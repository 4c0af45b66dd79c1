import { placeKey } from '../core-banking/account-place.js';
import type { CoreAccountHandle, PlainRead } from '../core-banking/core-banking.js';
import type { CoreRecord } from '../core-banking/core-record.js';
import type { Cores, CustomerAt } from '../core-banking/cores.js';
import type { CoreTransactionsRead } from '../../packages/core-adapter/core.adapter.js';
import type { CoreAccount, CoreTransaction, TransactionQuery } from '../../packages/core-adapter/core.records.js';
import type { ReadContext } from '../core-banking/guarded-reads.js';
import type { PublicIds } from '../open-banking/public-ids.js';
import { opaqueTpp } from '../open-banking/tpp-id.js';
import { coreSignal } from '../request/core-signal.js';
import { isAttended } from '../request/customer-presence.js';
import type { Grant, GrantedAccount } from '../request/request-context.js';
import type { BankProduct } from './bank-product.js';
import type { EndpointRule } from './endpoint-rule.js';
import type { IdentifiedView, PresentationSettings } from './presentation.js';
import type { ResourceRequest } from './resource-request.js';

/** For each endpoint, by its name, the products that have it. */
export type ListedProducts = Readonly<Partial<Record<string, readonly string[]>>>;

/** The part of a profile that decides what an account of a product has, and how TPPs see it. */
interface ServedProducts {
  readonly endpoints: ListedProducts;
  readonly products: Readonly<Record<string, BankProduct>>;
}

/**
 * The resources' way to the core: binds a granted request to the products that the profile lists for its endpoint, and
 * to one deadline for all that the request reads.
 */
export class ResourceReader {
  private readonly products: ReadonlyMap<string, BankProduct>;

  constructor(
    private readonly cores: Cores,
    private readonly ids: PublicIds,
    private readonly profile: ServedProducts,
    readonly settings: PresentationSettings,
  ) {
    this.products = new Map(Object.entries(profile.products));
  }

  /** The account, if its state permits access and the profile serves its product; `undefined` for another product. */
  async account(to: ResourceRequest): Promise<CoreAccount | undefined> {
    const handle = this.handle(to);
    const account = await this.cores.account(handle);
    const isServed = handle.listedProducts.includes(account.product);
    to.request.context.rows = isServed ? 1 : 0;
    return isServed ? account : undefined;
  }

  /**
   * The selected accounts that their cores list, that the profile serves, and whose state permits access. Asks the cores of
   * selected accounts alone.
   */
  async accounts(to: Omit<ResourceRequest<EndpointRule<string, 'accounts'>>, 'account'>): Promise<readonly unknown[]> {
    const { grant, request } = to;
    const listed = this.profile.endpoints[to.form.rule.name] ?? [];
    const selected = new Map([...grant.accounts].map(([accountId, given]) => [placeKey(given), { accountId, given }]));
    const customers = customersOf(grant);
    const contextAt = this.contexts(to, [...customers.keys()]);
    const { items, away } = await this.cores.accounts(contextAt, [...customers.values()], (account, core) => {
      const known = selected.get(placeKey({ core, ref: account.ref }));
      if (known === undefined || !account.permitted || !listed.includes(account.product)) return undefined;
      return to.form.map(account, this.view(to, { ...known.given, accountId: known.accountId }, account));
    });
    if (away.length > 0) request.context.coresAway = away;
    request.context.rows = items.length;
    return items;
  }

  /** The account's records as resources, but for those that `keeps` refuses. */
  async list<Read extends PlainRead>(
    to: ResourceRequest<EndpointRule<string, Read>>,
    keeps: (record: CoreRecord<Read>) => boolean = everyRecord,
  ): Promise<unknown[]> {
    let view: IdentifiedView | undefined;
    const items = await this.cores.read(to.form.rule, this.handle(to), (record, account) => {
      if (!keeps(record)) return undefined;
      view ??= this.view(to, to.account, account);
      return to.form.map(record, view);
    });
    to.request.context.rows = items.length;
    return items;
  }

  /** Whether the product shows booked transactions only; false for one that the profile does not have. */
  postedOnly(product: string): boolean {
    return this.products.get(product)?.postedOnly === true;
  }

  /** A page of the account's transactions as resources, but for those that `keeps` refuses. */
  async transactions(
    to: ResourceRequest<EndpointRule<string, 'transactions'>>,
    query: TransactionQuery,
    keeps: (record: CoreTransaction, account: CoreAccount) => boolean,
  ): Promise<{ items: unknown[]; page?: CoreTransactionsRead }> {
    let view: IdentifiedView | undefined;
    const found = await this.cores.transactions(this.handle(to), query, (record, account) => {
      if (!keeps(record, account)) return undefined;
      view ??= this.view(to, to.account, account);
      return to.form.map(record, view);
    });
    to.request.context.rows = found.items.length;
    return found;
  }

  /** The facts that an endpoint's mapper may use in addition to the records of one account. */
  view(
    { form, grant }: Omit<ResourceRequest, 'account'>,
    { accountId, core, ref }: GrantedAccount,
    { product }: Pick<CoreAccount, 'product'>,
  ): IdentifiedView {
    const { ids, detail } = form.rule;
    const isOfAccount = ids?.uniqueWithin === 'account';
    return new AccountView(
      accountId,
      this.products.get(product),
      detail !== undefined && grant.permissions.has(detail),
      { ref: grant.customerRef, ...(grant.displayName && { displayName: grant.displayName }) },
      this.settings,
      ids === undefined
        ? noPublicId
        : this.ids.within(ids.kind, isOfAccount ? ref : '', isOfAccount ? core : undefined),
    );
  }

  private handle(to: ResourceRequest): CoreAccountHandle {
    const { ref, core, product, customerRef = to.grant.customerRef } = to.account;
    const context = this.contexts(to, [core])({ core, customerRef });
    return { ref, core, product, listedProducts: this.profile.endpoints[to.form.rule.name] ?? [], context };
  }

  /** The context of the request's reads at each of these cores, under one deadline. */
  private contexts(
    { request: { context, headers }, grant }: Omit<ResourceRequest, 'account'>,
    cores: readonly (string | undefined)[],
  ): (customer: CustomerAt) => ReadContext {
    const { tpp } = context.verifiedToken();
    context.reads ??= { core: '', coreMs: 0, badRecords: 0 };
    const shared = {
      interactionId: context.interactionId,
      signal: coreSignal(context, this.cores.deadlineMs(cores)),
      tpp: opaqueTpp(tpp),
      customerPresent: isAttended(headers),
      reader: tpp.key,
      consentId: grant.consentId,
      tally: context.reads,
      trace: context.trace,
    };
    return ({ customerRef }) => ({ ...shared, customerRef });
  }
}

/** The customer at each core that has a selected account. */
function customersOf({ accounts, customerRef: mainRef }: Grant): ReadonlyMap<string | undefined, CustomerAt> {
  const customers = new Map<string | undefined, CustomerAt>();
  for (const { core, customerRef = mainRef } of accounts.values()) customers.set(core, { core, customerRef });
  return customers;
}

function everyRecord(): boolean {
  return true;
}

class AccountView implements IdentifiedView {
  constructor(
    readonly accountId: string,
    private readonly known: BankProduct | undefined,
    readonly detail: boolean,
    readonly customer: IdentifiedView['customer'],
    readonly settings: PresentationSettings,
    readonly publicId: IdentifiedView['publicId'],
  ) {}

  /** Asked by the mappers that need it: the party of an account may be shown when its product is no longer known. */
  get product(): BankProduct {
    // The core's other records come here only with a product of the profile: see CoreBanking.
    if (this.known === undefined) throw new Error('the profile does not have the product');
    return this.known;
  }
}

/** The compiler lets no mapper come here: see declareForm. */
function noPublicId(): never {
  throw new Error('the endpoint declares no ids of its records');
}
