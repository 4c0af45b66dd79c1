import type { TransactionQuery } from '../../../../packages/core-adapter/core.records.js';

/** The conditions of a search, and the values of their parameters, the account's number first. */
export interface TransactionSelect {
  /** One row more than the page, so that the reader knows whether more come. In the direction of reading. */
  readonly page: string;
  readonly values: readonly (string | bigint | number)[];
}

export function transactionSelect(account: number, query: TransactionQuery): TransactionSelect {
  const { from, to, direction, status, read, position, limit } = query;
  const values: (string | bigint | number)[] = [account];
  const parameter = (value: string | bigint): string => `$${values.push(value)}`;
  const conditions = ['account = $1'];
  if (from !== undefined) conditions.push(`at_ms >= ${parameter(BigInt(from.getTime()))}`);
  if (to !== undefined) conditions.push(`at_ms < ${parameter(BigInt(to.getTime()))}`);
  if (direction !== undefined) conditions.push(direction === 'credit' ? 'credit' : 'NOT credit');
  if (status !== undefined) conditions.push('booked');
  const [sign, order] = read === 'older' ? ['<', 'DESC'] : ['>', 'ASC'];
  if (position !== undefined) {
    const [atMs, id] = [parameter(BigInt(position.atMs)), parameter(position.id)];
    // The first condition alone lets the engine skip blocks.
    conditions.push(`at_ms ${sign}= ${atMs} AND (at_ms ${sign} ${atMs} OR id ${sign} ${id})`);
  }
  return {
    page: `SELECT body FROM transaction WHERE ${conditions.join(' AND ')} ORDER BY at_ms ${order}, id ${order} LIMIT ${limit + 1}`,
    values,
  };
}
