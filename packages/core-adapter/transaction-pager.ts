import type { CoreTransactionsRead } from './core.adapter.js';
import { CoreError } from './core-error.js';
import type { CoreTime, CoreTransaction, TransactionQuery } from './core.records.js';
import { type Row, type TimeAndId, translateRow } from './core-rows.js';
import { comparePositions, timeMs } from './history-order.js';
import { localDayOf } from './local-times.js';
import { PageRows } from './transaction-pager.rows.js';
import { type Days, daysOf, dayOf, endOfDayMs, startOfDayMs } from './transaction-pager.days.js';

/** A core that sends an account's transactions in pages, each with a cursor to the next, in the order of their days. */
export interface PagedCore<Cursor> {
  /** Named in faults. */
  readonly name: string;
  /** The IANA time zone of the core's days; absent where its transactions have a day and no time. */
  readonly timeZone?: string;
  /** `day`: the transactions of a day come in any order; `position`: in the order of the port, by time and id. */
  readonly sortedBy: 'day' | 'position';
  /** Whether it can also send the oldest first. */
  readonly oldestFirst: boolean;
  /** Reads one page. `next` is absent on the last one. */
  page(
    request: PageRequest<Cursor>,
  ): Promise<{ readonly rows: readonly unknown[]; readonly next?: Cursor | undefined }>;
  /** @returns `undefined` for a row that is not a transaction of the customer. @throws RowFault for a bad one */
  translate(row: Row): CoreTransaction | undefined;
  /** Reads the time and the id of a row alone: a page can begin behind a bad one. @throws RowFault */
  timeAndIdOf(row: Row): TimeAndId;
  /** Chooses between two rows with one id at one time; absent: the second is a bad record, unless it is the same. */
  prefer?(one: CoreTransaction, other: CoreTransaction): CoreTransaction;
}

/** Days are `YYYY-MM-DD` and inclusive; an absent one is open. A core may send other days too. */
export interface PageRequest<Cursor> extends Days {
  /** `older`: newest first. */
  readonly order: TransactionQuery['read'];
  readonly cursor: Cursor | undefined;
}

export type TransactionsPage = Pick<CoreTransactionsRead, 'items' | 'bad' | 'unread' | 'more'>;

/** Days of the stretches that follow each other where a core sends only the newest first, and the oldest are wanted. */
const stretchDays = [1, 4, 16, 64, 256, 1024];

/**
 * Answers a query of the port from the pages of a core. It keeps one row more than the limit, and a page of the core.
 * It reads the days that it needs: a day whose rows come in any order is read to its end. From a core that sends only
 * the newest first, it reads the oldest rows in stretches of days, which grow until the page is full. A row that cannot
 * be read takes a place on the page, after the row that the core sent before it.
 *
 * @throws CoreError `bad-record` if the core does not keep its order, or its cursor does not move
 */
export async function pageOfTransactions<Cursor>(
  query: TransactionQuery,
  core: PagedCore<Cursor>,
): Promise<TransactionsPage> {
  const days = daysOf(query, core.timeZone);
  if (days === undefined) return { items: [], bad: [], more: false };
  const reading = new PagedReading(query, core);
  if (query.read === 'older' || core.oldestFirst) await reading.readDays(days, query.read);
  else await reading.readStretches(days);
  return reading.found.page();
}

class PagedReading<Cursor> {
  readonly found: PageRows;
  private rowsRead = 0;

  constructor(
    private readonly query: TransactionQuery,
    private readonly core: PagedCore<Cursor>,
  ) {
    this.found = new PageRows(query, core.prefer?.bind(core));
  }

  async readStretches({ firstDay, lastDay }: Days): Promise<void> {
    // A query for newer rows has a position, which is on the first day.
    let startMs = Date.parse(firstDay as string);
    for (const days of stretchDays) {
      const [stretchStart, next] = [startMs, startMs + days * dayMs];
      const stretchEnd = dayOf(next - dayMs);
      if (lastDay !== undefined && stretchEnd >= lastDay) break;
      await this.readDays({ firstDay: dayOf(stretchStart), lastDay: stretchEnd }, 'older');
      startMs = next;
      if (this.found.isFullBefore(startOfDayMs(next, this.core.timeZone))) return;
    }
    await this.readDays({ firstDay: dayOf(startMs), lastDay }, 'older');
  }

  async readDays(days: Days, order: TransactionQuery['read']): Promise<void> {
    let cursor: Cursor | undefined;
    let last: CoreTransaction | undefined;
    for (;;) {
      const { rows, next }: { readonly rows: readonly unknown[]; readonly next?: Cursor | undefined } =
        await this.core.page({ ...days, order, cursor });
      last = this.take(rows, order, last);
      this.found.trim();
      if (next === undefined || (last !== undefined && this.isDone(last, days, order))) return;
      if (next === cursor) throw new CoreError('bad-record', `${this.core.name} sent the same cursor twice`);
      cursor = next;
    }
  }

  /** @returns the last transaction that the core sent */
  private take(
    rows: readonly unknown[],
    order: TransactionQuery['read'],
    last: CoreTransaction | undefined,
  ): CoreTransaction | undefined {
    for (const row of rows) {
      const where = `transactions[${this.rowsRead++}]`;
      const read = translateRow(
        where,
        row,
        (it) => this.core.translate(it),
        (it) => this.core.timeAndIdOf(it),
      );
      if ('fault' in read) this.found.addBad(read);
      else if (read.item !== undefined) {
        if (last !== undefined && this.isBefore(read.item, last, order))
          throw new CoreError('bad-record', `${this.core.name} did not keep the order of its transactions`);
        last = read.item;
        this.found.add(where, last, read.unread);
      }
    }
    return last;
  }

  /** Whether the core sent `row` too late, after `last`. */
  private isBefore(row: CoreTransaction, last: CoreTransaction, order: TransactionQuery['read']): boolean {
    const [a, b] = [this.dayOf(row.at), this.dayOf(last.at)];
    const apart =
      this.core.sortedBy === 'position'
        ? comparePositions(positionOf(row), positionOf(last))
        : a < b
          ? -1
          : Number(a > b);
    return order === 'older' ? apart > 0 : apart < 0;
  }

  /** Whether no row after `last` can be on the page. */
  private isDone({ at }: CoreTransaction, { firstDay, lastDay }: Days, order: TransactionQuery['read']): boolean {
    const day = this.dayOf(at);
    if (order === 'older' ? day < (firstDay ?? day) : day > (lastDay ?? day)) return true;
    if (order !== this.query.read) return false;
    if (this.core.sortedBy === 'position') return this.found.isFull;
    const { timeZone } = this.core;
    return order === 'older'
      ? this.found.isFullFrom(endOfDayMs(Date.parse(day), timeZone))
      : this.found.isFullBefore(startOfDayMs(Date.parse(day), timeZone));
  }

  /** The core's day. */
  private dayOf(at: CoreTime): string {
    return at instanceof Date ? localDayOf(at, this.core.timeZone ?? 'UTC') : at.date;
  }
}

const dayMs = 86_400_000;
const positionOf = ({ at, id }: CoreTransaction) => ({ atMs: timeMs(at), id });
