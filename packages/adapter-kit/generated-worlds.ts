import fc from 'fast-check';
import type { GivenAccount, GivenCustomer } from './adapter-under-test.js';
import type { CoreTransaction, TransactionPosition, TransactionQuery } from '../core-adapter/core.records.js';
import { beforeAll, msOf, positionOf } from './history-model.js';

/** Pieces that adapters have mangled: quotes, slashes, percent signs, other scripts. The first ones are the simplest. */
const pieces = [
  'a',
  '1',
  'Z',
  '-',
  "'",
  '"',
  '/',
  '%',
  '%2F',
  '+',
  '&',
  '?',
  '#',
  '\\',
  '..',
  ' ',
  'é',
  'Ж',
  '茶',
  'ש',
  'ﬁ',
  '𠮷',
  'e\u0301',
  'long '.repeat(20).trim(),
];

/** A core may cut blanks at the ends of a text, and a path of dots is another path. */
function isReference(text: string): boolean {
  return text.trim() === text && text !== '' && !/^\.+$/.test(text);
}

const reference = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 10 })
  .map((parts) => parts.join(''))
  .filter(isReference);

const minorUnits = fc.oneof(
  fc.bigInt({ min: -2000n, max: 2000n }),
  fc.bigInt({ min: -99_999_999_999_999n, max: 99_999_999_999_999n }),
);

const firstMs = Date.parse('2024-02-28T23:59:59.999Z');
/** Few points in time, so that many transactions share one; and any point. */
const time = fc
  .oneof(
    // Among them the hour in which the day in London is not that of UTC.
    fc.constantFrom(
      ...[0, 1, 1_000, 86_400_000],
      ...['2026-03-29T01:00:00Z', '2025-07-15T23:30:00Z'].map((text) => Date.parse(text) - firstMs),
    ),
    fc.integer({ min: 0, max: 80_000_000_000 }),
    // Long ago, and to come.
    fc.constantFrom(
      ...['1987-06-05T04:03:02.001Z', '2036-02-29T12:00:00.999Z'].map((text) => Date.parse(text) - firstMs),
    ),
  )
  .map((ms) => new Date(firstMs + ms));

const currency = fc.constantFrom('GBP', 'JPY', 'BHD');

function transaction(inCurrency: string, withPending: boolean): fc.Arbitrary<CoreTransaction> {
  return fc.record({
    id: reference,
    status: withPending ? fc.constantFrom('booked', 'booked', 'pending') : fc.constant('booked'),
    at: time,
    amount: minorUnits.map((units) => ({ minorUnits: units, currency: inCurrency })),
    description: fc.option(reference, { nil: undefined }),
  });
}

function account(withPending: boolean): fc.Arbitrary<GivenAccount & { readonly owner: number }> {
  return currency.chain((inCurrency) =>
    fc.record({
      ref: reference,
      currency: fc.constant(inCurrency),
      booked: minorUnits,
      owner: fc.nat(2),
      transactions: fc
        .uniqueArray(transaction(inCurrency, withPending), { selector: ({ id }) => id, maxLength: 12 })
        .map(withEqualOnes),
    }),
  );
}

/** The first one of several once more, under another id: two purchases may be alike. */
function withEqualOnes(rows: readonly CoreTransaction[]): CoreTransaction[] {
  const [first] = rows;
  const id = `${first?.id ?? ''}2`;
  return first === undefined || rows.length < 3 || rows.some((row) => row.id === id)
    ? [...rows]
    : [...rows, { ...first, id }];
}

/** Customers with accounts, of which one has transactions at least. */
export function worlds(withPending: boolean): fc.Arbitrary<GivenCustomer[]> {
  return fc
    .record({
      customers: fc.uniqueArray(reference, { minLength: 1, maxLength: 3 }),
      accounts: fc.uniqueArray(account(withPending), { selector: ({ ref }) => ref, minLength: 1, maxLength: 4 }),
    })
    .map(({ customers, accounts }) =>
      customers.map((customerRef, index) => ({
        customerRef,
        accounts: accounts
          .filter(({ owner }) => owner % customers.length === index)
          .map(({ owner: _, ...given }) => given),
      })),
    );
}

/** A query about a history that is not known yet: edges and positions are near its rows, which are named by number. */
export interface QueryPlan {
  readonly from?: Edge;
  readonly to?: Edge;
  readonly direction?: 'credit' | 'debit';
  readonly status?: 'booked';
  readonly read: 'older' | 'newer';
  readonly position?: Edge;
  readonly limit: number;
}

interface Edge {
  readonly row: number;
  readonly addedMs: number;
}

const edge = fc.option(fc.record({ row: fc.nat(1_000), addedMs: fc.constantFrom(0, 1, -1, 86_400_000) }), {
  nil: undefined,
});

export const queryPlans: fc.Arbitrary<QueryPlan> = fc.record({
  from: edge,
  to: edge,
  direction: fc.constantFrom(undefined, 'credit', 'debit'),
  status: fc.constantFrom(undefined, 'booked'),
  read: fc.constantFrom('older', 'newer'),
  position: edge,
  limit: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(100, 1_000)),
});

/** The query that the plan means for these rows. */
export function planned(plan: QueryPlan, rows: readonly CoreTransaction[]): TransactionQuery {
  const rowOf = ({ row }: Edge): CoreTransaction | undefined => rows[row % Math.max(1, rows.length)];
  const dateOf = (at: Edge | undefined): Date | undefined => {
    const row = at && rowOf(at);
    return row && new Date(msOf(row.at) + at.addedMs);
  };
  const positionNear = (at: Edge | undefined): TransactionPosition | undefined => {
    const row = at && rowOf(at);
    return row && { id: row.id, atMs: positionOf(row).atMs + at.addedMs };
  };
  const { direction, status, limit } = plan;
  const read = rows.length === 0 ? 'older' : plan.read;
  return {
    from: dateOf(plan.from),
    to: dateOf(plan.to),
    direction,
    status,
    read,
    position: positionNear(plan.position) ?? (read === 'newer' ? beforeAll(rows) : undefined),
    limit,
  };
}
