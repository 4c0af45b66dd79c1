import { Controller } from '@nestjs/common';
import type { CoreTransaction, TransactionPosition } from '../../core-banking/core.records.js';
import { instantOf } from '../../open-banking/date-times.js';
import { basePath } from '../../open-banking/endpoints.js';
import { PageCursors, type PageCursor } from '../../open-banking/page-cursor.js';
import { PublicIds } from '../../open-banking/public-ids.js';
import { AccountEndpoint, ConsentedAccount, type ResourceRequest } from '../../http/account-endpoint.decorator.js';
import { ResourceReader } from '../../http/resource-reader.js';
import { TransactionSchema, type Transaction } from './transaction.dto.js';
import {
  fromParameter,
  pageParameter,
  readTransactionFilter,
  toParameter,
  type TransactionFilter,
} from './transaction.filter.js';
import { toTransaction, type TransactionView } from './transaction.mapper.js';
import { pageLinks, rowsOf, type ReadPage } from './transaction.paging.js';
import { admits, askedOf } from './transaction.policy.js';

@Controller()
export class TransactionsController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly ids: PublicIds,
    private readonly cursors: PageCursors,
  ) {}

  @AccountEndpoint({
    endpoint: 'transactions',
    collection: 'Transaction',
    schema: TransactionSchema,
    window: 'recent-history',
    summary: 'Transactions, newest first',
    query: {
      parameters: {
        [fromParameter]: 'ISO 8601, inclusive. A zone is ignored: values are UTC, as in the answers.',
        [toParameter]: 'ISO 8601, inclusive of the whole day, minute or second that it names.',
        [pageParameter]: "Opaque: only as it stands in an answer's links.",
      },
      read: (query, scope) => readTransactionFilter(query, scope, scope.cursors),
    },
  })
  async list(@ConsentedAccount() to: ResourceRequest<TransactionFilter>): Promise<Transaction[]> {
    const { filter, account, grant } = to;
    const asked = askedOf(filter.range, grant, account.product, filter.nowMs);
    if (asked === undefined) {
      // Nothing can lie there, but the account's state speaks before its data does.
      await this.reader.account(to);
      return [];
    }
    const view: TransactionView = {
      accountId: account.accountId,
      detail: grant.permissions.has('ReadTransactionsDetail'),
      settings: this.reader.settings,
      publicId: this.ids.within('transaction', account.ref),
    };
    const { pageSize } = this.reader.settings;
    const edges: { first?: CoreTransaction; last?: CoreTransaction } = {};
    const { items, page } = await this.reader.transactions(
      to,
      { ...asked, ...rowsOf(filter.page, pageSize) },
      (row, { product }) => {
        const admitted = admits(asked, row, product);
        // One that cannot be dated has thrown: it is a bad record, and no page can be cut at it.
        edges.first ??= row;
        edges.last = row;
        return admitted ? toTransaction(row, view) : undefined;
      },
    );
    if (page !== undefined) {
      const read: ReadPage = {
        first: positionOf(edges.first),
        last: positionOf(edges.last),
        more: page.more,
        total: page.total,
      };
      to.request.pageLinks = pageLinks(filter.page, read, pageSize, filter.firstAskedAtMs, (cursor) =>
        this.link(to, cursor),
      );
    }
    return items;
  }

  /** The filters stay as the TPP gave them, so that each page answers the same question. */
  private link(
    { account, filter, request }: ResourceRequest<TransactionFilter>,
    cursor: PageCursor | undefined,
  ): string {
    const query = new URLSearchParams(filter.given.map(([name, value]): [string, string] => [name, value]));
    if (cursor !== undefined) query.set(pageParameter, this.cursors.seal(cursor, filter.boundTo));
    const path = `${request.baseUrl}${basePath}/accounts/${account.accountId}/transactions`;
    return query.size === 0 ? path : `${path}?${query.toString()}`;
  }
}

function positionOf(row: CoreTransaction | undefined): TransactionPosition | undefined {
  return row && { atMs: instantOf(row.at), id: row.id };
}
