import type { Row } from '../../../../packages/core-adapter/core-rows.js';
import type { TransactionQuery } from '../../../../packages/core-adapter/core.records.js';
import type { Column } from '../../record-mapping/mapping.js';
import { localTimeLength } from '../../record-mapping/times.js';

export interface Page {
  /** Newest first. */
  readonly rows: readonly Row[];
  readonly more: boolean;
}

/**
 * The page that the query asks for, of the first `asked` rows in the order of the database, however they are sorted here;
 * `undefined` where more of them are needed to know it. The port orders by millisecond and id, and a database may know
 * microseconds: rows of the millisecond at the page's edge that were not read yet can come before rows that were.
 *
 * The next page begins beyond the time and the id of the last row. So rows at the edge that share both are on this page, beyond
 * the limit.
 */
export function pageOf(
  rows: readonly Row[],
  { at, id }: { readonly at: Column; readonly id: Column },
  { read, limit }: TransactionQuery,
  asked: number,
): Page | undefined {
  const isTime = at.as === 'instant' || at.as === 'local-time';
  const timeOf = (row: Row): string => String(row[at.column]).slice(0, isTime ? localTimeLength : undefined);
  const idOf = (row: Row): string => String(row[id.column]);
  // In the direction of reading.
  const direction = read === 'older' ? -1 : 1;
  const inOrder = (a: Row, b: Row): number => direction * (compare(timeOf(a), timeOf(b)) || compare(idOf(a), idOf(b)));
  const sorted = rows.toSorted(inOrder);
  const mayFollow = rows.length === asked;
  if (isTime && mayFollow && rows.length > limit) {
    const lastTime = timeOf(sorted.at(-1) as Row);
    if (timeOf(sorted[limit - 1] as Row) === lastTime) {
      // Towards older times, the rows after one without microseconds have the same time and smaller ids.
      const hasFullTime = (row: Row): boolean => timeOf(row) === lastTime && !/\.\d{4}/.test(String(row[at.column]));
      const lastSure = read === 'older' ? sorted.findLastIndex(hasFullTime) : -1;
      if (lastSure < limit - 1) return undefined;
    }
  }
  let end = Math.min(limit, sorted.length);
  while (end > 0 && end < sorted.length && inOrder(sorted[end - 1] as Row, sorted[end] as Row) === 0) end++;
  if (end > limit && end === sorted.length && mayFollow) return undefined;
  const shown = sorted.slice(0, end);
  return { rows: read === 'older' ? shown : shown.reverse(), more: sorted.length > end };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
