import type { TransactionPosition, TransactionQuery } from '../../../packages/core-adapter/core.records.js';
import type { PageCursor } from '../../open-banking/page-cursor.js';
import type { PageLinks } from '../../endpoint/page.js';

/** A page from the core: its first and last row, as far as they have a date, and the rows beyond it. */
export interface ReadPage {
  readonly first: TransactionPosition | undefined;
  readonly last: TransactionPosition | undefined;
  /** More rows lie beyond the last one in the direction of reading. */
  readonly more: boolean;
  readonly total: number | undefined;
}

/** The rows of the core that a cursor names; without a cursor, the newest. */
export function rowsOf(
  cursor: PageCursor | undefined,
  pageSize: number,
): Pick<TransactionQuery, 'read' | 'position' | 'limit'> {
  if (cursor === undefined) return { read: 'older', limit: pageSize };
  if (cursor.read === 'oldest') return { read: 'newer', limit: cursor.limit };
  return { read: cursor.read, limit: cursor.limit, ...(cursor.position && { position: cursor.position }) };
}

/**
 * The links of a page, or `undefined` when everything fits on one page. Pages are cut relative to rows, not by number: new
 * rows move no page's edge, so that Next leads through each row exactly once.
 */
export function pageLinks(
  cursor: PageCursor | undefined,
  page: ReadPage,
  pageSize: number,
  firstAskedAtMs: number,
  link: (cursor: PageCursor | undefined) => string,
): PageLinks | undefined {
  const onFirst = cursor === undefined || (cursor.read === 'newer' && !page.more);
  const onLast = cursor === undefined || cursor.read === 'older' ? !page.more : cursor.read === 'oldest';
  const hasNewer = cursor?.read === 'oldest' ? page.more : !onFirst;
  if (!hasNewer && onLast) return undefined;

  const to = (read: 'older' | 'newer', position: TransactionPosition | undefined): string | undefined =>
    position && link({ read, position, limit: pageSize, firstAskedAtMs });
  const prev = hasNewer ? to('newer', page.first) : undefined;
  const next = onLast ? undefined : to('older', page.last);
  return {
    First: link(undefined),
    ...(prev && { Prev: prev }),
    ...(next && { Next: next }),
    Last: link({ read: 'oldest', limit: lastPageRows(page.total, pageSize), firstAskedAtMs }),
  };
}

/** The number of rows on the last page, so that Next leads exactly to it, where the core gives the total. */
function lastPageRows(total: number | undefined, pageSize: number): number {
  return total === undefined || total === 0 ? pageSize : total % pageSize || pageSize;
}
