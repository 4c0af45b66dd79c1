import type { CoreTransaction, TransactionQuery } from '../../../../packages/core-adapter/core.records.js';
import type { Row } from '../../../../packages/core-adapter/core-rows.js';
import {
  type PageRequest,
  pageOfTransactions,
  type TransactionsPage,
} from '../../../../packages/core-adapter/transaction-pager.js';
import { creditTypes, debitTypes, holdType, timeAndIdOf } from './transactions.records.js';

/** The limits of the day columns of Fineract's databases. */
const [earliestDay, latestDay] = ['1000-01-01', '9999-12-31'];

/** Extra rows per call, so that doubled, reversed and released rows on a page do not cause a second call. */
const spareRows = 25;

/**
 * Reads the rows of a query from a search whose `offset` is a page number. In the order of booking day and id, a
 * transaction booked between two calls can only move rows further back. So no row is lost, and a row that comes twice
 * (also because of two notes, which the search joins) is recognised by its id. Neither `total` nor the number of rows on
 * a page is the number of transactions.
 *
 * @param read the rows for a query string of `…/transactions/search`
 */
export function searchTransactions(
  query: TransactionQuery,
  read: (search: string) => Promise<readonly unknown[]>,
  translate: (row: Row) => CoreTransaction | undefined,
): Promise<TransactionsPage> {
  const size = query.limit + 1 + spareRows;
  return pageOfTransactions<number>(query, {
    name: 'Fineract',
    sortedBy: 'position',
    oldestFirst: true,
    page: async (asked) => {
      const { cursor: number = 0 } = asked;
      const rows = await read(`${searchOf(query, asked)}&limit=${size}&offset=${number}`);
      return { rows, next: rows.length < size ? undefined : number + 1 };
    },
    translate,
    timeAndIdOf,
    prefer: byDescription,
  });
}

function searchOf({ direction, status }: TransactionQuery, { firstDay, lastDay, order }: PageRequest<number>): string {
  const types = [
    ...(direction === 'debit' ? [] : creditTypes),
    ...(direction === 'credit' ? [] : debitTypes),
    ...(direction === 'credit' || status === 'booked' ? [] : [holdType]),
  ];
  return (
    `types=${types.join(',')}&fromSubmittedDate=${firstDay ?? earliestDay}&toSubmittedDate=${lastDay ?? latestDay}` +
    `&dateFormat=yyyy-MM-dd&locale=en&orderBy=submittedOnDate,id&sortOrder=${order === 'older' ? 'DESC' : 'ASC'}`
  );
}

/** Keeps always the same one of two rows of one transaction with two notes, which come in no order. */
function byDescription(one: CoreTransaction, other: CoreTransaction): CoreTransaction {
  return (other.description ?? '') < (one.description ?? '') ? other : one;
}
