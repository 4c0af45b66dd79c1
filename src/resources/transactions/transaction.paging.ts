import type { TransactionPosition, TransactionQuery } from '../../../packages/core-adapter/core.records.js';
import type { PageCursor } from '../../open-banking/page-cursor.js';
import type { PageLinks } from '../../endpoint/page.js';

/** A page as the core gave it: where its rows begin and end, as far as they can be dated, and what lies beyond it. */
export interface ReadPage {
  readonly first: TransactionPosition | undefined;
  readonly last: TransactionPosition | undefined;
  /** Rows lie beyond the last one in the direction of reading. */
  readonly more: boolean;
  readonly total: number | undefined;
}

/** Which rows of the core a cursor stands for; without one, the newest. */
export function rowsOf(
  cursor: PageCursor | undefined,
  pageSize: number,
): Pick<TransactionQuery, 'read' | 'position' | 'limit'> {
  if (cursor === undefined) return { read: 'older', limit: pageSize };
  if (cursor.read === 'oldest') return { read: 'newer', limit: cursor.limit };
  return { read: cursor.read, limit: cursor.limit, ...(cursor.position && { position: cursor.position }) };
}

/**
 * The links of a page, or `undefined` when everything fits on one. Pages are cut relative to rows,
 * not by number: what is added meanwhile moves no page's edge, so that Next leads through each row exactly once.
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

/** So many rows that the last page is the one to which Next leads, where the core says how many there are in all. */
function lastPageRows(total: number | undefined, pageSize: number): number {
  return total === undefined || total === 0 ? pageSize : total % pageSize || pageSize;
}
