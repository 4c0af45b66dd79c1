import type { CoreTransactionsRead } from '../../../packages/core-adapter/core.adapter.js';
import type { TransactionQuery } from '../../../packages/core-adapter/core.records.js';
import { localDayOf } from '../../../packages/core-adapter/local-times.js';
import { msOf, positionOf } from '../../../packages/adapter-kit/history-model.js';
import type { Call } from './around.js';
import { type Mutant, mistakeIn } from './mutant.js';

const conditions = ['from', 'to', 'direction', 'status'] as const;

/** A mistake in a page of transactions. */
function mistakeInPages(
  change: (
    query: TransactionQuery,
    ask: (query: TransactionQuery) => Promise<CoreTransactionsRead>,
  ) => Promise<CoreTransactionsRead>,
): Mutant['make'] {
  return mistakeIn((call: Call, ask) =>
    call.query === undefined
      ? ask(call)
      : change(call.query, (query) => ask({ ...call, query }) as Promise<CoreTransactionsRead>),
  );
}

function without(query: TransactionQuery, names: readonly (typeof conditions)[number][]): TransactionQuery {
  return { ...query, ...Object.fromEntries(names.map((name) => [name, undefined])) };
}

const isFiltered = (query: TransactionQuery): boolean => conditions.some((name) => query[name] !== undefined);

/** The first millisecond of the day in UTC. */
function dayOf(ms: number): number {
  return Math.floor(ms / 86_400_000) * 86_400_000;
}

export const mutantsOfPages: readonly Mutant[] = [
  ...(
    [
      ['window', ['from', 'to']],
      ['direction', ['direction']],
      ['status', ['status']],
    ] as const
  ).map(([what, names]): Mutant => ({
    does: `forgets the ${what} on every page but the first`,
    clauses: ['CORE-64'],
    make: mistakeInPages((query, ask) => ask(query.position === undefined ? query : without(query, names))),
  })),
  {
    does: 'selects the rows of a window by days, of which the core has those of London',
    clauses: ['CORE-29'],
    make: mistakeInPages(async (query, ask) => {
      const found = await ask(query);
      const [from, to] = [query.from, query.to].map((edge) => edge && dayOf(edge.getTime()));
      const items = found.items.filter(({ at }) => {
        const day = at instanceof Date ? Date.parse(`${localDayOf(at, 'Europe/London')}T00:00:00Z`) : dayOf(msOf(at));
        return (from === undefined || day >= from) && (to === undefined || day <= to);
      });
      return { ...found, items };
    }),
  },
  {
    does: 'says that there is more at the exact end under a filter',
    clauses: ['CORE-30'],
    make: mistakeInPages(async (query, ask) => {
      const page = await ask(query);
      return isFiltered(query) && page.items.length === query.limit ? { ...page, more: true } : page;
    }),
  },
  {
    does: 'sends the oldest row first',
    clauses: ['CORE-64'],
    make: mistakeInPages(async (query, ask) => {
      const page = await ask(query);
      return { ...page, items: page.items.toReversed() };
    }),
  },
  {
    does: 'loses rows that share the time of a page’s edge',
    clauses: ['CORE-64'],
    make: mistakeInPages(async (query, ask) => {
      const page = await ask(query);
      const items = page.items.filter((row) => positionOf(row).atMs !== query.position?.atMs);
      return { ...page, items };
    }),
  },
];
