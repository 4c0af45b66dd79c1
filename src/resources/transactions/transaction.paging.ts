import type { CoreItems } from '../../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../../packages/core-adapter/core-error.js';
import type {
  CoreTransaction,
  TransactionPosition,
  TransactionQuery,
} from '../../../packages/core-adapter/core.records.js';
import { comparePositions } from '../../../packages/core-adapter/history-order.js';
import { instantOf } from '../../open-banking/date-times.js';
import type { PageCursor } from '../../open-banking/page-cursor.js';
import type { PageLinks } from '../../request/request-context.js';

/** A page from the core: its newest and oldest row of which the place is known, and the rows beyond it. */
export interface ReadPage {
  readonly first: TransactionPosition | undefined;
  readonly last: TransactionPosition | undefined;
  /** More rows lie beyond the last one in the direction of reading. */
  readonly more: boolean;
}

/** The rows of the core that a cursor names; without a cursor, the newest. */
export function rowsOf(
  cursor: PageCursor | undefined,
  pageSize: number,
): Pick<TransactionQuery, 'read' | 'position' | 'limit'> {
  if (cursor === undefined) return { read: 'older', limit: pageSize };
  return { read: cursor.read, limit: cursor.limit, position: cursor.position };
}

/** Bad rows count, where their place is known: the pages around a page of nothing else are cut at them. */
export function edgesOf({ items, bad }: CoreItems<CoreTransaction>): Pick<ReadPage, 'first' | 'last'> {
  const positions = [
    ...[items.find(hasPosition), items.findLast(hasPosition)].map((row) => row && positionOf(row)),
    ...bad.map(({ position }) => position),
  ];
  const [last, ...others] = positions.filter((position) => position !== undefined).toSorted(comparePositions);
  return { first: others.at(-1) ?? last, last };
}

function positionOf({ at, id }: CoreTransaction): TransactionPosition {
  return { atMs: instantOf(at), id };
}

/** No page can be cut at a row without a valid date. */
function hasPosition(row: CoreTransaction): boolean {
  try {
    return Number.isFinite(instantOf(row.at));
  } catch {
    return false;
  }
}

/**
 * The links of a page, or `undefined` when everything fits on one page. Pages are cut relative to rows, not by number: new
 * rows move no page's edge, so that the pages behind Next have each row exactly once.
 *
 * @throws CoreError where more rows follow a page of which no row has a place: to end there would hide them
 */
export function pageLinks(
  cursor: PageCursor | undefined,
  page: ReadPage,
  pageSize: number,
  firstAskedAtMs: number,
  link: (cursor: PageCursor | undefined) => string,
): PageLinks | undefined {
  const onFirst = cursor === undefined || (cursor.read === 'newer' && !page.more);
  const onLast = cursor?.read !== 'newer' && !page.more;
  if (onFirst && onLast) return undefined;

  if (page.more && page.last === undefined)
    throw new CoreError('bad-record', 'transactions: no row of a page has a time and an id that can be read');
  const to = (read: 'older' | 'newer', position: TransactionPosition | undefined): string | undefined =>
    position && link({ read, position, limit: pageSize, firstAskedAtMs });
  const prev = onFirst ? undefined : to('newer', page.first);
  const next = onLast ? undefined : to('older', page.last);
  return { First: link(undefined), ...(prev && { Prev: prev }), ...(next && { Next: next }) };
}
