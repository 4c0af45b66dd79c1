import { Controller } from '@nestjs/common';
import { PageCursors, type PageCursor } from '../../open-banking/page-cursor.js';
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
  async list(@ConsentedAccount() to: ResourceRequest<typeof transactions>): Promise<unknown[]> {
    const { filter, account, grant } = to;
    const asked = permittedQuery(filter.range, grant, this.reader.postedOnly(account.product), filter.nowMs);
    if (asked === undefined) {
      // The range is empty, but the account's state is checked before the answer.
      await this.reader.account(to);
      return [];
    }
    const { pageSize } = this.reader.settings;
    const found = await this.reader.read(to, { ...asked, ...rowsOf(filter.page, pageSize) });
    const { account: now, records, more } = found;
    const postedOnly = this.reader.postedOnly(now.product);
    const items = this.reader.resources(to, found, (row) => admits(asked, row, postedOnly));
    if (records === undefined || more === undefined) return items;
    const page: ReadPage = { ...edgesOf(records.found), more };
    to.request.context.links = pageLinks(filter.page, page, pageSize, filter.firstAskedAtMs, (cursor) =>
      this.query(filter, cursor),
    );
    return items;
  }

  /** The filters stay as the TPP wrote them, so that each page answers the same question. */
  private query({ given, boundTo }: TransactionFilter, cursor: PageCursor | undefined): string {
    const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, value]));
    if (cursor !== undefined) query.set(pageParameter, this.cursors.seal(cursor, boundTo));
    return query.size === 0 ? '' : `?${query.toString()}`;
  }
}
