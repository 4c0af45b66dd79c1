import { Controller } from '@nestjs/common';
import { PageCursors, type PageCursor } from '../../open-banking/page-cursor.js';
import { Page } from '../../endpoint/page.js';
import { ConsentedAccount, type ResourceRequest } from '../../endpoint/resource-request.js';
import { ResourceReader } from '../../endpoint/resource-reader.js';
import { GetResource } from '../get-resource.decorator.js';
import { pageParameter, type TransactionFilter } from './transaction.filter.js';
import { edgesOf, pageLinks, rowsOf, type ReadPage } from './transaction.paging.js';
import { admits, permittedQuery } from './transaction.policy.js';
import { transactions } from './transactions.endpoint.js';

@Controller()
export class TransactionsController {
  constructor(
    private readonly reader: ResourceReader,
    private readonly cursors: PageCursors,
  ) {}

  @GetResource(transactions)
  async list(@ConsentedAccount() to: ResourceRequest<typeof transactions>): Promise<unknown[] | Page> {
    const { filter, account, grant } = to;
    const asked = permittedQuery(filter.range, grant, this.reader.postedOnly(account.product), filter.nowMs);
    if (asked === undefined) {
      // The range is empty, but the account's state is checked before the answer.
      await this.reader.account(to);
      return [];
    }
    const { pageSize } = this.reader.settings;
    const { items, page } = await this.reader.transactions(
      to,
      { ...asked, ...rowsOf(filter.page, pageSize) },
      (row, { product }) => admits(asked, row, this.reader.postedOnly(product)),
    );
    if (page === undefined) return items;
    const read: ReadPage = { ...edgesOf(page), more: page.more };
    const links = pageLinks(filter.page, read, pageSize, filter.firstAskedAtMs, (cursor) => this.query(filter, cursor));
    return links === undefined ? items : new Page(items, links);
  }

  /** The filters stay as the TPP wrote them, so that each page answers the same question. */
  private query({ given, boundTo }: TransactionFilter, cursor: PageCursor | undefined): string {
    const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, value]));
    if (cursor !== undefined) query.set(pageParameter, this.cursors.seal(cursor, boundTo));
    return query.size === 0 ? '' : `?${query.toString()}`;
  }
}
