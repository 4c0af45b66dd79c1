// Nightly: it tests the kit, a tool for banks, with wrong adapters.
import { describe } from '@jest/globals';
import { msOf, positionOf } from '../../../packages/adapter-kit/history-model.js';
import type { CoreMoney, CoreTransaction, TransactionQuery } from '../../../packages/core-adapter/core.records.js';
import { localDayOf } from '../../../packages/core-adapter/local-times.js';
import { rightKit, unfilled } from '../right-kit.js';
import { findsEach } from './finds-each.js';
import { calls, type Make, records, type WrongAdapter } from './wrong-adapter.js';

interface Page {
  readonly items: readonly CoreTransaction[];
  readonly more: boolean;
}
type AskPage = (query: TransactionQuery) => Promise<Page>;

/** A mistake in a page of transactions; `begin` has the memory of the adapter. */
const pages = (begin: () => (query: TransactionQuery, ask: AskPage, accountRef: string) => Promise<Page>): Make =>
  calls(() => {
    const change = begin();
    return (call, ask) =>
      call.query === undefined
        ? ask(call)
        : change(call.query, async (query) => (await ask({ ...call, query })) as unknown as Page, call.accountRef);
  });

const conditions = ['from', 'to', 'direction', 'status'] as const;
const isFiltered = (query: TransactionQuery): boolean => conditions.some((name) => query[name] !== undefined);
const without = (query: TransactionQuery, names: readonly (typeof conditions)[number][]): TransactionQuery => ({
  ...query,
  ...Object.fromEntries(names.map((name) => [name, undefined])),
});

/** The first millisecond of the day in UTC. */
const dayOf = (ms: number): number => Math.floor(ms / 86_400_000) * 86_400_000;

const wrong: readonly WrongAdapter[] = [
  [
    'CORE-29',
    'selects the rows of a window by days, of which the core has those of London',
    pages(() => async (query, ask) => {
      const found = await ask(query);
      const [from, to] = [query.from, query.to].map((edge) => edge && dayOf(edge.getTime()));
      const items = found.items.filter(({ at }) => {
        const day = at instanceof Date ? Date.parse(`${localDayOf(at, 'Europe/London')}T00:00:00Z`) : dayOf(msOf(at));
        return (from === undefined || day >= from) && (to === undefined || day <= to);
      });
      return { ...found, items };
    }),
  ],
  [
    'CORE-29',
    'counts a row at the exclusive edge of the window',
    pages(() => (query, ask) => ask({ ...query, ...(query.to && { to: new Date(query.to.getTime() + 1) }) })),
  ],
  [
    'CORE-30',
    'says that there is more at the exact end under a filter',
    pages(() => async (query, ask) => {
      const page = await ask(query);
      return isFiltered(query) && page.items.length === query.limit ? { ...page, more: true } : page;
    }),
  ],
  [
    'CORE-32',
    'repeats the edge of a page that is read upwards',
    pages(() => async (query, ask) => {
      const { position, read, limit } = query;
      const isLater = position !== undefined && read === 'newer' && limit > 1;
      return ask(isLater ? { ...query, position: { ...position, id: position.id.slice(0, -1) } } : query);
    }),
  ],
  [
    'CORE-33',
    'pages by number of rows',
    pages(() => {
      const rowsUpTo = new Map<string, number>();
      return async (query, ask) => {
        const { position, limit, read } = query;
        const skip = position && read === 'older' ? rowsUpTo.get(position.id) : 0;
        // A large history is too slow to read whole each time.
        if (skip === undefined || skip + limit > 1000) return ask(query);
        const { position: _, ...fromStart } = query;
        const whole = await ask(skip === 0 ? query : { ...fromStart, limit: skip + limit });
        const page = { ...whole, items: whole.items.slice(skip) };
        const last = page.items.at(-1);
        if (last !== undefined && read === 'older') rowsUpTo.set(last.id, skip + page.items.length);
        return page;
      };
    }),
  ],
  [
    'CORE-35',
    'gives a new id on booking',
    // The test core books it at its present time.
    records<CoreTransaction>('transactions', (row) =>
      row.status === 'booked' && msOf(row.at) >= Date.parse('2026-11-20T14:30:17.250Z')
        ? { ...row, id: `B-${row.id}` }
        : row,
    ),
  ],
  ...(
    [
      ['window', ['from', 'to']],
      ['direction', ['direction']],
      ['status', ['status']],
    ] as const
  ).map(([what, names]): WrongAdapter => [
    'CORE-64',
    `forgets the ${what} on every page but the first`,
    pages(() => (query, ask) => ask(query.position === undefined ? query : without(query, names))),
  ]),
  [
    'CORE-64',
    'sends the oldest row first',
    pages(() => async (query, ask) => {
      const page = await ask(query);
      return { ...page, items: page.items.toReversed() };
    }),
  ],
  [
    'CORE-64',
    'loses rows that share the time of a page’s edge',
    pages(() => async (query, ask) => {
      const page = await ask(query);
      return { ...page, items: page.items.filter((row) => positionOf(row).atMs !== query.position?.atMs) };
    }),
  ],
];
findsEach(wrong);
describe('where the test core cannot be filled', () => findsEach(wrong, unfilled(rightKit)));

// They show in generated worlds only, which need a test core that can be filled.
findsEach([
  [
    'CORE-64',
    'decodes percent signs in a reference',
    calls(
      () => (call, ask) =>
        ask({ ...call, accountRef: decodeURIComponent(call.accountRef.replace(/%(?![\da-f]{2})/gi, '%25')) }),
    ),
  ],
  [
    'CORE-64',
    'takes an apostrophe for the end of a text',
    records<CoreTransaction>('transactions', ({ description, ...row }) => ({
      ...row,
      description: description?.split("'")[0],
    })),
  ],
  [
    'CORE-64',
    'keeps amounts of transactions in 32 bits',
    records<{ readonly amount: CoreMoney }>('transactions', (row) => ({
      ...row,
      amount: { ...row.amount, minorUnits: BigInt.asIntN(32, row.amount.minorUnits) },
    })),
  ],
]);
