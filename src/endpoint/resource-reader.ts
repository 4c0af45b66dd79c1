import { accountKey } from '../core-banking/account-at-core.js';
import type { CoreAccountHandle, QueryOf, RecordsOfAccount } from '../core-banking/core-banking.js';
import type { CoreRecord } from '../core-banking/core-record.js';
import type { Cores, CustomerAt } from '../core-banking/cores.js';
import type { AccountRead } from '../../packages/core-adapter/core.adapter.js';
import type { CoreAccount } from '../../packages/core-adapter/core.records.js';
import type { PublicIds } from '../open-banking/public-ids.js';
import { coreContext } from '../request/core-context.js';
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
    const selected = new Map(
      [...grant.accounts].map(([accountId, given]) => [accountKey(given), { accountId, given }]),
    );
    const customers = customersOf(grant);
    const context = coreContext(request, this.cores.deadlineMs(customers.keys()));
    const { items, unreachable } = await this.cores.accounts(context, [...customers.values()], (account, core) => {
      const grantedAccount = selected.get(accountKey({ core, ref: account.ref }));
      if (grantedAccount === undefined || !account.permitted || !listed.includes(account.product)) return undefined;
      return to.form.map(
        account,
        this.view(to, { ...grantedAccount.given, accountId: grantedAccount.accountId }, account),
      );
    });
    if (unreachable.length > 0) request.context.unreachableCores = unreachable;
    request.context.rows = items.length;
    return items;
  }

  /** The account's records, with the account as it is now. @param query of transactions: which page */
  read<Read extends AccountRead>(
    to: ResourceRequest<EndpointRule<string, Read>>,
    ...query: QueryOf<Read>
  ): Promise<RecordsOfAccount<Read>> {
    return this.cores.read(to.form.rule, this.handle(to), ...query);
  }

  /** The resources of the records for which `keeps` is true. */
  resources<Read extends AccountRead>(
    to: ResourceRequest<EndpointRule<string, Read>>,
    { account, records }: RecordsOfAccount<Read>,
    keeps: (record: CoreRecord<Read>) => boolean = everyRecord,
  ): unknown[] {
    const view = this.view(to, to.account, account);
    const items = records?.map((record) => (keeps(record) ? to.form.map(record, view) : undefined)) ?? [];
    to.request.context.rows = items.length;
    return items;
  }

  /** Whether the product shows booked transactions only; false for one that the profile does not have. */
  postedOnly(product: string): boolean {
    return this.products.get(product)?.postedOnly === true;
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
        : this.ids.uniqueIn(ids.kind, isOfAccount ? ref : '', isOfAccount ? core : undefined),
    );
  }

  private handle(to: ResourceRequest): CoreAccountHandle {
    const { ref, core, product, customerRef = to.grant.customerRef } = to.account;
    const context = { ...coreContext(to.request, this.cores.deadlineMs([core])), customerRef };
    return { ref, core, product, listedProducts: this.profile.endpoints[to.form.rule.name] ?? [], context };
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
    private readonly profileProduct: BankProduct | undefined,
    readonly detail: boolean,
    readonly customer: IdentifiedView['customer'],
    readonly settings: PresentationSettings,
    readonly publicId: IdentifiedView['publicId'],
  ) {}

  /** Asked by the mappers that need it: the party of an account may be shown when its product is no longer known. */
  get product(): BankProduct {
    // The core's other records come here only with a product of the profile: see CoreBanking.
    if (this.profileProduct === undefined) throw new Error('the profile does not have the product');
    return this.profileProduct;
  }
}

/** The compiler lets no mapper come here: see declareForm. */
function noPublicId(): never {
  throw new Error('the endpoint declares no ids of its records');
}
