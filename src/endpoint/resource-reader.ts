import type { Static, TSchema } from 'typebox';
import type { CoreAccountHandle, CoreBanking, CoreRecord, PlainRead } from '../core-banking/core-banking.js';
import type { CoreTransactionsRead } from '../../packages/core-adapter/core.adapter.js';
import type {
  CoreAccount,
  CoreProduct,
  CoreTransaction,
  TransactionQuery,
} from '../../packages/core-adapter/core.records.js';
import type { ReadContext } from '../core-banking/guarded-reads.js';
import type { PublicIds } from '../open-banking/public-ids.js';
import { coreSignal } from './core-signal.js';
import type { EndpointDeclaration } from './endpoint-declaration.js';
import type { ResourceRequest } from './get-resource.decorator.js';
import type { IdentifiedView, PresentationSettings } from './presentation.js';

/** For each endpoint, by its name, the products that have it. */
export type ListedProducts = Readonly<Partial<Record<string, readonly CoreProduct[]>>>;

/**
 * The resources' way to the core: binds a granted request to the products that the profile lists for its endpoint, and
 * to one deadline for all that the request reads.
 */
export class ResourceReader {
  constructor(
    private readonly core: CoreBanking,
    private readonly ids: PublicIds,
    private readonly listed: ListedProducts,
    private readonly deadlineMs: number,
    readonly settings: PresentationSettings,
  ) {}

  /** The account, if its state permits access and the profile serves its product; `undefined` for another product. */
  async account(to: ResourceRequest): Promise<CoreAccount | undefined> {
    const handle = this.handle(to);
    const account = await this.core.account(handle);
    return handle.listedProducts.includes(account.product) ? account : undefined;
  }

  /** The selected accounts that the core lists, that the profile serves, and whose state permits access. */
  accounts<Schema extends TSchema>(
    endpoint: EndpointDeclaration<string, 'accounts', Schema>,
    to: Omit<ResourceRequest, 'account'>,
  ): Promise<Static<Schema>[]> {
    const listed = this.listed[endpoint.name] ?? [];
    const idByRef = new Map([...to.grant.accounts].map(([accountId, { ref }]) => [ref, accountId]));
    return this.core.accounts(this.context(to), (account) => {
      const accountId = idByRef.get(account.ref);
      if (accountId === undefined || !account.permitted || !listed.includes(account.product)) return undefined;
      return endpoint.map(account, this.view(endpoint, to, accountId, account));
    });
  }

  /** The account's records as resources, but for those that `keeps` refuses. */
  list<Read extends PlainRead, Schema extends TSchema>(
    endpoint: EndpointDeclaration<string, Read, Schema>,
    to: ResourceRequest,
    keeps: (record: CoreRecord<Read>) => boolean = everyRecord,
  ): Promise<Static<Schema>[]> {
    let view: IdentifiedView | undefined;
    return this.core.read(endpoint, this.handle(to), (record, account) => {
      if (!keeps(record)) return undefined;
      view ??= this.view(endpoint, to, to.account.accountId, account);
      return endpoint.map(record, view);
    });
  }

  transactions<Out>(
    to: ResourceRequest,
    query: TransactionQuery,
    translate: (record: CoreTransaction, account: CoreAccount) => Out | undefined,
  ): Promise<{ items: Out[]; page?: CoreTransactionsRead }> {
    return this.core.transactions(this.handle(to), query, translate);
  }

  /** The facts that an endpoint's mapper may use beside the records of one account. */
  view(
    { ids, detail }: Pick<EndpointDeclaration, 'ids' | 'detail'>,
    { grant }: Omit<ResourceRequest, 'account'>,
    accountId: string,
    { ref, product }: Pick<CoreAccount, 'ref' | 'product'>,
  ): IdentifiedView {
    return {
      accountId,
      product,
      detail: detail !== undefined && grant.permissions.has(detail),
      customer: { ref: grant.customerRef, ...(grant.displayName && { displayName: grant.displayName }) },
      settings: this.settings,
      publicId: ids === undefined ? noPublicId : this.ids.within(ids.kind, ids.uniqueWithin === 'account' ? ref : ''),
    };
  }

  private handle(to: ResourceRequest): CoreAccountHandle {
    return {
      ref: to.account.ref,
      product: to.account.product,
      listedProducts: this.listed[to.endpoint.name] ?? [],
      context: this.context(to),
    };
  }

  private context({ request, grant }: Omit<ResourceRequest, 'account'>): ReadContext {
    const { interactionId, token } = request;
    if (token === undefined) throw new Error('the request has passed no token check');
    const signal = coreSignal(request, this.deadlineMs);
    return { interactionId, customerRef: grant.customerRef, signal, reader: token.clientId };
  }
}

function everyRecord(): boolean {
  return true;
}

/** The compiler lets no mapper come here: see declareEndpoint. */
function noPublicId(): never {
  throw new Error('the endpoint declares no ids of its records');
}
