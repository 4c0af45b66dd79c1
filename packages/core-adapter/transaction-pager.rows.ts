import { isDeepStrictEqual } from 'node:util';
import type { BadRecord, CoreTransactionsRead, UnreadField } from './core.adapter.js';
import type { CoreTransaction, TransactionPosition, TransactionQuery } from './core.records.js';
import { repeatedId } from './core-rows.js';
import { comparePositions, isInRange, isOfKind, timeMs } from './history-order.js';

/** A row with its position in history. A bad row without one has that of the row which the core sent before it. */
interface Entry extends TransactionPosition {
  readonly row: CoreTransaction | BadRecord;
  /** Where the core sent it. */
  readonly where: string;
  readonly unread?: readonly UnreadField[] | undefined;
  /** The order of entries at one position: bad rows that came first of all, then the transaction, then other bad rows. */
  readonly rank: number;
}

/** The rows of a query that were found so far: the first ones in the direction of reading, one more than the limit. */
export class PageRows {
  private entries: Entry[] = [];
  /** Bad rows that came before the first transaction. */
  private badBeforeFirst: BadRecord[] = [];
  private last?: TransactionPosition;

  constructor(
    private readonly query: TransactionQuery,
    /** Chooses between two rows with one id; absent: the second one is bad, unless it is the same. */
    private readonly prefer?: (one: CoreTransaction, other: CoreTransaction) => CoreTransaction,
  ) {}

  get isFull(): boolean {
    return this.entries.length > this.query.limit;
  }

  /** Whether the page is full, and is older than every row that is at the time or after it. */
  isFullBefore(atMs: number): boolean {
    return this.isFull && (this.entries[this.query.limit - 1] as Entry).atMs < atMs;
  }

  /** Whether the page is full, and is newer than every row before the time. */
  isFullFrom(atMs: number): boolean {
    return this.isFull && (this.entries[this.query.limit - 1] as Entry).atMs >= atMs;
  }

  add(where: string, row: CoreTransaction, unread?: readonly UnreadField[]): void {
    this.addAt({ atMs: timeMs(row.at), id: row.id }, where, isOfKind(row, this.query) ? row : undefined, unread);
  }

  addBad(row: BadRecord): void {
    const { last, query } = this;
    if (row.position !== undefined) this.addAt(row.position, row.where, row);
    else if (last === undefined) {
      if (this.badBeforeFirst.length <= query.limit) this.badBeforeFirst.push(row);
    } else if (isInRange(last, query) || isAt(last, query.position))
      this.entries.push({ ...last, where: row.where, row, rank: 2 });
  }

  private addAt(
    position: TransactionPosition,
    where: string,
    row: CoreTransaction | BadRecord | undefined,
    unread?: readonly UnreadField[],
  ): void {
    const isIn = isInRange(position, this.query);
    if (this.last === undefined && isIn)
      this.entries.push(...this.badBeforeFirst.map((bad) => ({ ...position, where: bad.where, row: bad, rank: 0 })));
    this.last = position;
    this.badBeforeFirst = [];
    if (isIn && row !== undefined) this.entries.push({ ...position, where, row, unread, rank: 1 });
  }

  /** Drops all rows that cannot be on the page. */
  trim(): void {
    const direction = this.query.read === 'older' ? -1 : 1;
    this.entries.sort((a, b) => direction * comparePositions(a, b) || a.rank - b.rank);
    this.entries = this.entries.reduce<Entry[]>((kept, entry) => this.withoutDoubles(kept, entry), []);
    this.entries.length = Math.min(this.entries.length, this.query.limit + 1);
  }

  page(): Pick<CoreTransactionsRead, 'items' | 'bad' | 'unread' | 'more'> {
    const { limit, read } = this.query;
    const rows = this.last === undefined ? this.badBeforeFirst : this.entries.map(({ row }) => row);
    const page = rows.slice(0, limit);
    const items = page.filter((row): row is CoreTransaction => !isBad(row));
    const unread = this.entries.slice(0, limit).flatMap((entry) => entry.unread ?? []);
    return {
      items: read === 'older' ? items : items.reverse(),
      bad: page.filter(isBad),
      more: rows.length > limit,
      ...(unread.length > 0 && { unread }),
    };
  }

  private withoutDoubles(kept: Entry[], entry: Entry): Entry[] {
    const before = kept.at(-1);
    if (before === undefined || isBad(before.row) || isBad(entry.row) || !isAt(before, entry)) kept.push(entry);
    else if (this.prefer !== undefined) kept[kept.length - 1] = { ...entry, row: this.prefer(before.row, entry.row) };
    // A core may send a row again, in days that it was not asked for or on a page that a new booking has moved.
    else if (!isDeepStrictEqual(before.row, entry.row)) kept.push({ ...entry, row: repeated(entry), rank: 2 });
    return kept;
  }
}

function isAt(position: TransactionPosition, other: TransactionPosition | undefined): boolean {
  return other !== undefined && comparePositions(position, other) === 0;
}

function repeated({ where, atMs, id }: Entry): BadRecord {
  return { where, fault: repeatedId, position: { atMs, id } };
}

function isBad(row: CoreTransaction | BadRecord): row is BadRecord {
  return 'fault' in row;
}
