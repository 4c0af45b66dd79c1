import type { CoreAccountHandle, CoreBanking, ItemOf, PlainRead } from '../core-banking/core-banking.js';
import type { CoreTransactionsRead } from '../core-banking/core.adapter.js';
import type { CoreAccount, CoreTransaction, TransactionQuery } from '../core-banking/core.records.js';
import type { ReadContext } from '../core-banking/guarded-reads.js';
import type { Profile } from '../profiles/profile.js';
import type { ResourceRequest } from './account-endpoint.decorator.js';
import { coreSignal } from './core-signal.js';

/** What the profile and the bank's settings say of how records are shown. */
export interface PresentationSettings extends Pick<Profile, 'amounts' | 'pendingFields' | 'accountSubTypes'> {
  /** IANA name of the zone whose calendar days the bank uses. */
  readonly bankTimeZone: string;
  /** Most rows of one page of transactions. */
  readonly pageSize: number;
}

/**
 * The resources' way to the core: binds a granted request to the products that the profile lists for its endpoint, and
 * to one deadline for all that the request reads.
 */
export class ResourceReader {
  constructor(
    private readonly core: CoreBanking,
    private readonly profile: Profile,
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
  accounts<Out>(
    to: Omit<ResourceRequest, 'account'>,
    translate: (account: CoreAccount, accountId: string) => Out | undefined,
  ): Promise<Out[]> {
    const listed = this.profile.endpoints[to.endpoint] ?? [];
    const idByRef = new Map([...to.grant.accounts].map(([accountId, { ref }]) => [ref, accountId]));
    return this.core.accounts(this.context(to), (account) => {
      const accountId = idByRef.get(account.ref);
      if (accountId === undefined || !account.permitted || !listed.includes(account.product)) return undefined;
      return translate(account, accountId);
    });
  }

  read<R extends PlainRead, Out>(
    read: R,
    to: ResourceRequest,
    translate: (record: ItemOf<R>, account: CoreAccount) => Out | undefined,
  ): Promise<Out[]> {
    return this.core.read(read, this.handle(to), translate);
  }

  transactions<Out>(
    to: ResourceRequest,
    query: TransactionQuery,
    translate: (record: CoreTransaction, account: CoreAccount) => Out | undefined,
  ): Promise<{ items: Out[]; page?: CoreTransactionsRead }> {
    return this.core.transactions(this.handle(to), query, translate);
  }

  private handle(to: ResourceRequest): CoreAccountHandle {
    return {
      ref: to.account.ref,
      product: to.account.product,
      listedProducts: this.profile.endpoints[to.endpoint] ?? [],
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
