import type { BadRecord } from '../../../../packages/core-adapter/core.adapter.js';
import { CoreError } from '../../../../packages/core-adapter/core-error.js';
import type {
  CalendarDate,
  CoreTransaction,
  TransactionQuery,
} from '../../../../packages/core-adapter/core.records.js';
import { type Row, translateRow } from '../../../../packages/core-adapter/core-rows.js';
import { creditTypes, debitTypes, holdType } from './transactions.records.js';

const dayMs = 86_400_000;
/** The limits of the day columns of Fineract's databases. */
const firstDayMs = Date.UTC(1000, 0, 1);
const lastDayMs = Date.UTC(9999, 11, 31);

/** Extra rows per call, so that doubled, reversed and released rows on a page do not cause a second call. */
const spareRows = 25;

export interface SearchPage {
  /** The query string of `…/transactions/search`, without its `offset`. */
  readonly path: string;
  readonly rows: number;
}

export interface FoundTransactions {
  readonly items: readonly CoreTransaction[];
  readonly bad: readonly BadRecord[];
  readonly more: boolean;
}

/**
 * Reads the rows of a query from a search whose `offset` is a page number. In the order of booking day and id, a
 * transaction booked between two calls can only move rows further back. So no row is lost, and a row that comes twice
 * (also because of two notes, which the search joins) is recognised by its id. Neither `total` nor the number of rows on
 * a page is the number of transactions. Reading stops one row after the limit, so memory does not grow with the history.
 * A row that cannot be read takes a place on the page.
 */
export async function searchTransactions(
  query: TransactionQuery,
  read: (page: SearchPage, number: number) => Promise<readonly unknown[]>,
  translate: (row: Row) => CoreTransaction | undefined,
): Promise<FoundTransactions> {
  const page = searchPage(query);
  if (page === undefined) return { items: [], bad: [], more: false };
  const found = new Found();
  const order = new OrderCheck(query.read);
  for (let number = 0; found.size <= query.limit; number++) {
    const rows = await read(page, number);
    for (const [index, row] of rows.entries()) {
      const translated = translateRow(`transactions[${number * page.rows + index}]`, row, translate);
      if ('fault' in translated) found.addBad(translated);
      else if (translated.item !== undefined) {
        order.next(translated.item);
        if (asked(query, translated.item)) found.add(translated.item);
        else found.begin();
      }
      // One row beyond the page has been read, and so have all doubles of the last row on the page.
      if (found.size > query.limit) break;
    }
    if (rows.length < page.rows) break;
  }
  return found.page(query);
}

/** The rows found so far, in the order of the search. */
class Found {
  private entries: (CoreTransaction | BadRecord)[] = [];
  private readonly places = new Map<string, number>();

  get size(): number {
    return this.entries.length;
  }

  addBad(record: BadRecord): void {
    this.entries.push(record);
  }

  /** Keeps always the same one of two rows of one transaction with two notes, which come in no order. */
  add(row: CoreTransaction): void {
    const place = this.places.get(row.id);
    if (place === undefined) this.places.set(row.id, this.entries.push(row) - 1);
    else if ((row.description ?? '') < ((this.entries[place] as CoreTransaction).description ?? ''))
      this.entries[place] = row;
  }

  /** Drops a row before the requested ones, and the bad records before it. */
  begin(): void {
    if (this.places.size === 0) this.entries = [];
  }

  page({ read, limit }: TransactionQuery): FoundTransactions {
    const page = this.entries.slice(0, limit);
    const items = page.filter((entry): entry is CoreTransaction => !('fault' in entry));
    return {
      items: read === 'older' ? items : items.reverse(),
      bad: page.filter((entry): entry is BadRecord => 'fault' in entry),
      more: this.size > limit,
    };
  }
}

/** The next search; `undefined` where no day can hold a row. */
function searchPage({ from, to, direction, status, read, position, limit }: TransactionQuery): SearchPage | undefined {
  // A row counts as 00:00 UTC of its day.
  const edge = position?.atMs;
  const firstMs = Math.max(
    firstDayMs,
    ceilToDayMs(from?.getTime() ?? firstDayMs),
    read === 'newer' && edge !== undefined ? ceilToDayMs(edge) : firstDayMs,
  );
  const lastMs = Math.min(
    lastDayMs,
    to === undefined ? lastDayMs : ceilToDayMs(to.getTime()) - dayMs,
    read === 'older' && edge !== undefined ? Math.floor(edge / dayMs) * dayMs : lastDayMs,
  );
  if (firstMs > lastMs) return undefined;
  const types = [
    ...(direction === 'debit' ? [] : creditTypes),
    ...(direction === 'credit' ? [] : debitTypes),
    ...(direction === 'credit' || status === 'booked' ? [] : [holdType]),
  ];
  const rows = limit + 1 + spareRows;
  const path =
    `types=${types.join(',')}&fromSubmittedDate=${dayText(firstMs)}&toSubmittedDate=${dayText(lastMs)}` +
    `&dateFormat=yyyy-MM-dd&locale=en&orderBy=submittedOnDate,id&sortOrder=${read === 'older' ? 'DESC' : 'ASC'}` +
    `&limit=${rows}`;
  return { path, rows };
}

const ceilToDayMs = (ms: number): number => Math.ceil(ms / dayMs) * dayMs;
const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Checks every condition of the query but the order, because the search knows only days and no positions. */
function asked({ from, to, direction, status, read, position }: TransactionQuery, row: CoreTransaction): boolean {
  const atMs = msOf(row);
  if (atMs < (from?.getTime() ?? -Infinity) || atMs >= (to?.getTime() ?? Infinity)) return false;
  if (direction !== undefined && row.amount.minorUnits < 0n !== (direction === 'debit')) return false;
  if (status !== undefined && row.status !== status) return false;
  if (position === undefined) return true;
  const older = atMs !== position.atMs ? atMs < position.atMs : row.id < position.id;
  return read === 'older' ? older : !older && !(atMs === position.atMs && row.id === position.id);
}

/** Rows of Fineract are dated by a day: see `toTransaction`. */
function msOf(row: CoreTransaction): number {
  return Date.parse((row.at as CalendarDate).date);
}

/** Pages depend on the order, so an answer out of order is a bad record. */
class OrderCheck {
  private last?: CoreTransaction;

  constructor(private readonly read: TransactionQuery['read']) {}

  next(row: CoreTransaction): void {
    const { last } = this;
    this.last = row;
    if (last === undefined) return;
    const apart = msOf(row) - msOf(last) || (row.id === last.id ? 0 : row.id > last.id ? 1 : -1);
    if (this.read === 'older' ? apart > 0 : apart < 0)
      throw new CoreError('bad-record', 'Fineract did not keep the requested order');
  }
}
