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
  const sorted = rows.toSorted((a, b) => compare(timeOf(b), timeOf(a)) || compare(idOf(b), idOf(a)));
  if (isTime && rows.length === asked && rows.length > limit) {
    const [edge, last] = read === 'older' ? [limit - 1, sorted.length - 1] : [sorted.length - limit, 0];
    const lastTime = timeOf(sorted[last] as Row);
    if (timeOf(sorted[edge] as Row) === lastTime) {
      // Towards older times, the rows after one without microseconds have the same time and smaller ids.
      const isWhole = (row: Row): boolean => timeOf(row) === lastTime && !/\.\d{4}/.test(String(row[at.column]));
      const known = read === 'older' ? sorted.findLastIndex(isWhole) : -1;
      if (known < edge) return undefined;
    }
  }
  const shown = read === 'older' ? sorted.slice(0, limit) : sorted.slice(Math.max(0, sorted.length - limit));
  return { rows: shown, more: sorted.length > limit };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
