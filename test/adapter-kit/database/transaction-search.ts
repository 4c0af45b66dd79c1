import type { TransactionQuery } from '../../../packages/core-adapter/core.records.js';

/** The page of an account's transactions that the query asks for, and one row more, in the direction of reading. */
export function transactionsOf(query: TransactionQuery): {
  readonly from: string;
  readonly values: readonly unknown[];
} {
  const values: unknown[] = [];
  // $1 and $2 are the customer and the account.
  const value = (given: unknown): string => `$${values.push(given) + 2}`;
  const conditions = ['account_ref = $2'];
  if (query.from !== undefined) conditions.push(`sorted_at >= ${value(within(query.from))}`);
  if (query.to !== undefined) conditions.push(`sorted_at < ${value(within(query.to))}`);
  if (query.direction !== undefined) conditions.push(`amount ${query.direction === 'credit' ? '>=' : '<'} 0`);
  if (query.status !== undefined) conditions.push(`status = 'BOOKED'`);
  const [beyond, order] = query.read === 'older' ? ['<', 'DESC'] : ['>', 'ASC'];
  if (query.position !== undefined) {
    const { atMs, id } = query.position;
    conditions.push(`(sorted_at, id) ${beyond} (${value(within(new Date(atMs)))}::timestamptz, ${value(id)})`);
  }
  const rows = `transaction_view WHERE ${conditions.join(' AND ')}`;
  return { from: `${rows} ORDER BY sorted_at ${order}, id ${order} LIMIT ${value(query.limit + 1)}`, values };
}

const earliestMs = Date.UTC(1000, 0, 1);
const latestMs = Date.UTC(9999, 11, 31);

/** PostgreSQL knows fewer times than JavaScript: one that lies further away than any transaction is moved nearer. */
function within(time: Date): Date {
  return new Date(Math.min(Math.max(time.getTime(), earliestMs), latestMs));
}
