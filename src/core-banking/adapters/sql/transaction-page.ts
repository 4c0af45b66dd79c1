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
 * The page that the query asks for, of the first `asked` rows in the order of the database; `undefined` where more of them are
 * needed to know it. The port orders by millisecond and id, and a database may know microseconds: rows of the millisecond at
 * the page's edge that were not read yet can come before rows that were.
 */
export function pageOf(
  rows: readonly Row[],
  { at, id }: { readonly at: Column; readonly id: Column },
  { read, limit }: TransactionQuery,
  asked: number,
): Page | undefined {
  const isTime = at.as === 'instant' || at.as === 'local-time';
  const timeOf = (row: Row): string => String(row[at.column]).slice(0, isTime ? localTimeLength : undefined);
  const last = rows.at(-1);
  const edge = rows[limit - 1];
  if (isTime && rows.length === asked && last !== undefined && edge !== undefined && timeOf(edge) === timeOf(last)) {
    // Towards older times, no row is hidden behind one without microseconds.
    const isWhole = read === 'older' && !/^\d{4,}/.test(String(last[at.column]).slice(localTimeLength - 3));
    if (!isWhole) return undefined;
  }
  const sorted = rows.toSorted(
    (a, b) => compare(timeOf(b), timeOf(a)) || compare(String(b[id.column]), String(a[id.column])),
  );
  const shown = read === 'older' ? sorted.slice(0, limit) : sorted.slice(Math.max(0, sorted.length - limit));
  return { rows: shown, more: sorted.length > limit };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
