import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { select } from '../adapter-kit/history-model.js';
import type { BadRecord } from './core.adapter.js';
import { CoreError } from './core-error.js';
import type { CoreTransaction, TransactionPosition, TransactionQuery } from './core.records.js';
import { RowFault } from './core-rows.js';
import { comparePositions, timeMs } from './history-order.js';
import { localDayOf } from './local-times.js';
import { type PageRequest, pageOfTransactions, type PagedCore } from './transaction-pager.js';

interface Traits {
  readonly timeZone?: string;
  readonly sortedBy: 'day' | 'position';
  readonly oldestFirst: boolean;
  /** Whether it omits the days that were not asked for. */
  readonly heedsDays: boolean;
  readonly rowsOnPage: number;
}

/** A core whose rows stand within a day in the order in which they were given, unless it sorts them by position. */
class SmallCore implements PagedCore<string> {
  readonly name = 'the small core';
  readonly asked: PageRequest<string>[] = [];
  readonly timeZone?: string;
  readonly sortedBy: Traits['sortedBy'];
  readonly oldestFirst: boolean;

  constructor(
    private readonly rows: readonly (CoreTransaction & { readonly bad?: true })[],
    private readonly traits: Traits,
  ) {
    if (traits.timeZone !== undefined) this.timeZone = traits.timeZone;
    this.sortedBy = traits.sortedBy;
    this.oldestFirst = traits.oldestFirst;
  }

  page(asked: PageRequest<string>) {
    this.asked.push(asked);
    if (asked.order === 'newer' && !this.oldestFirst) throw new Error('this core sends the newest first only');
    const { heedsDays, rowsOnPage } = this.traits;
    const { firstDay = '0000', lastDay = '9999-99' } = heedsDays ? asked : {};
    const sign = asked.order === 'older' ? -1 : 1;
    const rows = this.rows
      .filter((row) => this.day(row) >= firstDay && this.day(row) <= lastDay)
      .toSorted((a, b) => sign * (this.sortedBy === 'day' ? byText(this.day(a), this.day(b)) : byPosition(a, b)));
    const start = Number(asked.cursor ?? 0);
    const end = start + rowsOnPage;
    return Promise.resolve({ rows: rows.slice(start, end), next: end < rows.length ? String(end) : undefined });
  }

  translate(row: object): CoreTransaction {
    if ('bad' in row) throw new RowFault('amount', 'not a decimal');
    return row as CoreTransaction;
  }

  timeAndIdOf(row: object): CoreTransaction {
    if ('placeless' in row) throw new RowFault('at', 'missing');
    return row as CoreTransaction;
  }

  private day({ at }: CoreTransaction): string {
    return at instanceof Date ? localDayOf(at, this.timeZone ?? 'UTC') : at.date;
  }
}

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
const byPosition = (a: CoreTransaction, b: CoreTransaction): number =>
  timeMs(a.at) - timeMs(b.at) || byText(a.id, b.id);

const placeOf = ({ position }: BadRecord): TransactionPosition => position as TransactionPosition;

function transaction(id: string, at: CoreTransaction['at'], minorUnits = 100n): CoreTransaction {
  return { id, status: 'booked', at, amount: { minorUnits, currency: 'GBP' } };
}

const day = (number: number): string => new Date(Date.UTC(2026, 2, 20 + number)).toISOString().slice(0, 10);

/** Ten days round the night on which the clocks of London change, with many ties. */
const someRows = (daysOnly: boolean): fc.Arbitrary<CoreTransaction[]> =>
  fc
    .uniqueArray(
      fc.record({
        id: fc.integer({ min: 0, max: 99 }).map(String),
        hours: fc.integer({ min: 0, max: 239 }),
        hasTime: fc.boolean(),
        isBooked: fc.boolean(),
        pence: fc.bigInt({ min: -3n, max: 3n }),
      }),
      { selector: ({ id }) => id, maxLength: 60, size: 'max' },
    )
    .map((rows) =>
      rows.map(({ id, hours, hasTime, isBooked, pence }) => ({
        ...transaction(id, { date: day(Math.floor(hours / 24)) }, pence),
        ...(hasTime && !daysOnly && { at: new Date(Date.UTC(2026, 2, 20, hours)) }),
        ...(!isBooked && { status: 'pending' as const }),
      })),
    );

const someTraits: fc.Arbitrary<Traits> = fc.record(
  {
    timeZone: fc.constantFrom('UTC', 'Europe/London', 'America/New_York', 'Pacific/Kiritimati', 'Pacific/Niue'),
    sortedBy: fc.constantFrom('day' as const, 'position' as const),
    oldestFirst: fc.boolean(),
    heedsDays: fc.boolean(),
    rowsOnPage: fc.integer({ min: 1, max: 9 }),
  },
  { requiredKeys: ['sortedBy', 'oldestFirst', 'heedsDays', 'rowsOnPage'] },
);

const someEdge = fc.option(
  fc.integer({ min: -20, max: 260 }).map((hours) => new Date(Date.UTC(2026, 2, 20, hours))),
  { nil: undefined },
);

const someQuery: fc.Arbitrary<TransactionQuery> = fc.record(
  {
    from: someEdge as fc.Arbitrary<Date>,
    to: someEdge as fc.Arbitrary<Date>,
    direction: fc.constantFrom('credit' as const, 'debit' as const),
    status: fc.constant('booked' as const),
    read: fc.constantFrom('older' as const, 'newer' as const),
    limit: fc.integer({ min: 1, max: 20 }),
  },
  { requiredKeys: ['read', 'limit'] },
);

/** Where times and days mix, the core's days and the port's order disagree for a core that is sorted by position. */
const someCase = someTraits.chain((traits) =>
  fc.record({
    traits: fc.constant(traits),
    rows: someRows(traits.timeZone === undefined || traits.sortedBy === 'position'),
    query: someQuery,
  }),
);

/** A query for newer rows always has a position: here one before all rows. */
const startOf = (read: TransactionQuery['read'], rows: readonly CoreTransaction[]): TransactionPosition | undefined =>
  read === 'older' ? undefined : { atMs: Math.min(0, ...rows.map(({ at }) => timeMs(at))), id: '' };

describe('a page of transactions from a core that pages by day and cursor', () => {
  it('holds the same rows as a look at the whole history, at any place, in either direction', async () => {
    await fc.assert(
      fc.asyncProperty(someCase, fc.nat(), async ({ traits, rows, query }, chosen) => {
        const at = rows[chosen % (rows.length + 1)];
        const position = at === undefined ? startOf(query.read, rows) : { atMs: timeMs(at.at), id: at.id };
        const asked = { ...query, ...(position && { position }) };
        const { items, bad, more } = await pageOfTransactions(asked, new SmallCore(rows, traits));
        const expected = select(rows, asked);
        expect({ items, bad, more }).toEqual({ items: expected.items, bad: [], more: expected.more });
      }),
      { numRuns: 250 },
    );
  });

  it('and the pages after it are the whole history, without repeats', async () => {
    await fc.assert(
      fc.asyncProperty(someCase, async ({ traits, rows, query }) => {
        const pages: CoreTransaction[][] = [];
        for (let position = startOf(query.read, rows); ;) {
          const page = await pageOfTransactions(
            { ...query, ...(position && { position }) },
            new SmallCore(rows, traits),
          );
          pages.push([...page.items]);
          const edge = query.read === 'older' ? page.items.at(-1) : page.items[0];
          if (!page.more || edge === undefined) break;
          position = { atMs: timeMs(edge.at), id: edge.id };
        }
        const read = (query.read === 'older' ? pages : pages.reverse()).flat();
        expect(read).toEqual(select(rows, { ...query, limit: Infinity }).items);
      }),
      { numRuns: 80 },
    );
  });

  const traits: Traits = {
    timeZone: 'Europe/London',
    sortedBy: 'day',
    oldestFirst: false,
    heedsDays: true,
    rowsOnPage: 50,
  };
  const tenADay = (days: number): CoreTransaction[] =>
    Array.from({ length: 10 * days }, (_, index) =>
      transaction(
        String(index).padStart(5, '0'),
        new Date(Date.UTC(2026, 0, 1, 12) + Math.floor(index / 10) * 86_400_000),
      ),
    );

  it('reads a day to its end, and no page more', async () => {
    const core = new SmallCore(tenADay(1000), traits);
    const { items, more } = await pageOfTransactions({ read: 'older', limit: 100 }, core);
    expect([items.length, more, items[0]?.id, items[99]?.id]).toEqual([100, true, '09999', '09900']);
    // Two pages hold the rows; only the first row of the third shows that their last day has ended.
    expect(core.asked.map(({ cursor }) => cursor)).toEqual([undefined, '50', '100']);
  });

  it('reads the oldest rows of a core that sends only the newest first in few stretches of days', async () => {
    const rows = tenADay(1000);
    const core = new SmallCore(rows, traits);
    const { id, at } = rows[0] as CoreTransaction;
    const { items, more } = await pageOfTransactions(
      { read: 'newer', position: { id, atMs: timeMs(at) }, limit: 100 },
      core,
    );
    expect([items.length, more, items[0]?.id, items[99]?.id]).toEqual([100, true, '00100', '00001']);
    expect(new Set(core.asked.map(({ firstDay, lastDay }) => `${firstDay} to ${lastDay}`))).toEqual(
      new Set(['2026-01-01 to 2026-01-01', '2026-01-02 to 2026-01-05', '2026-01-06 to 2026-01-21']),
    );
    expect(core.asked).toHaveLength(1 + 1 + 4);
  });

  it('asks a core for the days of the query only', async () => {
    const core = new SmallCore([], traits);
    const from = new Date('2026-03-31T23:30:00Z');
    await pageOfTransactions({ read: 'older', limit: 1, from, to: new Date('2026-04-02T23:00:00Z') }, core);
    // In London it is 1 April already, and no day begins before it ends.
    expect(core.asked).toEqual([{ firstDay: '2026-04-01', lastDay: '2026-04-02', order: 'older', cursor: undefined }]);
  });

  it('does not ask the core where no time fits', async () => {
    const core = new SmallCore(tenADay(1), traits);
    const noon = new Date('2026-01-01T12:00:00Z');
    expect(await pageOfTransactions({ read: 'older', limit: 1, from: noon, to: noon }, core)).toEqual({
      items: [],
      bad: [],
      more: false,
    });
    expect(core.asked).toEqual([]);
  });

  it.each(['older', 'newer'] as const)('holds bad rows in their places, and each once, read %s', async (read) => {
    const rows = tenADay(2).map((row, index) => (index % 3 === 0 ? { ...row, bad: true as const } : row));
    const core = (): SmallCore => new SmallCore(rows, { ...traits, sortedBy: 'position', rowsOnPage: 4 });
    const position = startOf(read, rows);
    const asked = { read, ...(position && { position }) };
    const whole = await pageOfTransactions({ ...asked, limit: 1000 }, core());
    expect([whole.items.length, whole.bad.length, whole.more]).toEqual([13, 7, false]);
    expect(whole.bad[0]).toEqual({
      where: expect.stringMatching(/^transactions\[\d+\]$/),
      fault: 'amount: not a decimal',
      position: { atMs: expect.any(Number), id: expect.any(String) },
    });
    const some = await pageOfTransactions({ ...asked, limit: 6 }, core());
    expect([some.items.length, some.bad.length, some.more]).toEqual([4, 2, true]);
  });

  it.each([{}, { placeless: true }])('holds bad rows alone where no row can be read, with %j', async (more) => {
    const rows = tenADay(1).map((row) => ({ ...row, ...more, bad: true as const }));
    const page = await pageOfTransactions({ read: 'older', limit: 4 }, new SmallCore(rows, traits));
    expect([page.items.length, page.bad.length, page.more]).toEqual([0, 4, true]);
  });

  it('is followed by the page behind its bad rows, however many of them have a place', async () => {
    for (const sortedBy of ['day', 'position'] as const) {
      const rows = tenADay(3).map((row, index) => (index < 7 || index > 25 ? row : { ...row, bad: true as const }));
      const read: string[] = [];
      let position: TransactionPosition | undefined;
      for (let more = true; more;) {
        const core = new SmallCore(rows, { ...traits, sortedBy, rowsOnPage: 4 });
        const page = await pageOfTransactions({ read: 'older', limit: 5, ...(position && { position }) }, core);
        read.push(...page.items.map(({ id }) => id));
        const places = [...page.items.map(({ at, id }) => ({ atMs: timeMs(at), id })), ...page.bad.map(placeOf)];
        position = places.toSorted(comparePositions)[0];
        more = page.more;
      }
      expect(read).toEqual(
        rows
          .filter((row) => !('bad' in row))
          .map(({ id }) => id)
          .reverse(),
      );
    }
  });

  it('holds a row once that comes again because a new one moved the core’s pages', async () => {
    const [newest, ...others] = tenADay(3).reverse() as [CoreTransaction, ...CoreTransaction[]];
    const before = new SmallCore(others, { ...traits, rowsOnPage: 7 });
    const after = new SmallCore([newest, ...others], { ...traits, rowsOnPage: 7 });
    const core: PagedCore<string> = Object.assign(before, {
      page: (asked: PageRequest<string>) =>
        SmallCore.prototype.page.call(asked.cursor === undefined ? before : after, asked),
    });
    const { items } = await pageOfTransactions({ read: 'older', limit: 1000 }, core);
    expect(items).toEqual(select(others, { read: 'older', limit: 1000 }).items);
  });

  it('has the first of two transactions with one id at one time, and the second as a bad record', async () => {
    const at = { date: '2026-03-20' };
    const [tea, rent] = [transaction('7', at, -250n), transaction('7', at, -85_000n)];
    const core = new SmallCore([tea, rent, transaction('8', at)], traits);
    expect(await pageOfTransactions({ read: 'older', limit: 9 }, core)).toEqual({
      items: [transaction('8', at), tea],
      bad: [
        {
          where: 'transactions[1]',
          fault: 'it has the id of a record before it',
          position: { atMs: timeMs(at), id: '7' },
        },
      ],
      more: false,
    });
    const choosing = Object.assign(core, { prefer: (_: CoreTransaction, other: CoreTransaction) => other });
    const { items, bad } = await pageOfTransactions({ read: 'older', limit: 9 }, choosing);
    expect([items, bad]).toEqual([[transaction('8', at), rent], []]);
  });

  it('of a core that does not keep the order of days is a bad record', async () => {
    const rows = tenADay(2);
    const core = Object.assign(new SmallCore(rows, traits), { page: () => Promise.resolve({ rows }) });
    await expect(pageOfTransactions({ read: 'older', limit: 5 }, core)).rejects.toEqual(
      new CoreError('bad-record', 'the small core did not keep the order of its transactions'),
    );
  });

  it('of a core whose cursor does not move is a bad record, and no endless read', async () => {
    const core = Object.assign(new SmallCore([], traits), { page: () => Promise.resolve({ rows: [], next: 'same' }) });
    await expect(pageOfTransactions({ read: 'older', limit: 5 }, core)).rejects.toEqual(
      new CoreError('bad-record', 'the small core sent the same cursor twice'),
    );
  });
});
