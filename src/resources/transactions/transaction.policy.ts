import type { CoreTransaction, TransactionQuery } from '../../../packages/core-adapter/core.records.js';
import { limitedToHistory, type DateRange } from '../../open-banking/date-range.js';
import { instantOf } from '../../open-banking/date-times.js';
import type { Grant } from '../../request/request-context.js';

export type PermittedQuery = Pick<TransactionQuery, 'from' | 'to' | 'direction' | 'status'>;

/**
 * The account's transactions that the TPP may have: the filter cut to the consented history, Credits and Debits as
 * permitted, and only posted ones where the product requires it. `undefined` when the range is empty.
 * @param postedOnly the account's product shows booked transactions only
 */
export function permittedQuery(
  range: DateRange,
  grant: Pick<Grant, 'history' | 'permissions'>,
  postedOnly: boolean,
  nowMs: number,
): PermittedQuery | undefined {
  const { fromMs, endMs } = limitedToHistory(range, grant.history);
  if (fromMs !== undefined && (fromMs > nowMs || (endMs !== undefined && fromMs >= endMs))) return undefined;
  const credits = grant.permissions.has('ReadTransactionsCredits');
  const debits = grant.permissions.has('ReadTransactionsDebits');
  return {
    ...(fromMs !== undefined && { from: new Date(fromMs) }),
    ...(endMs !== undefined && { to: new Date(endMs) }),
    ...(credits !== debits && { direction: credits ? 'credit' : 'debit' }),
    ...(postedOnly && { status: 'booked' }),
  };
}

/**
 * Checks the rows of the core again: an adapter's mistake must not show data outside the consent, and the account's product
 * may have changed since it was selected.
 * @param postedOnly the product that the account has now shows booked transactions only
 * @throws RangeError when the row has no valid date.
 */
export function admits(asked: PermittedQuery, row: CoreTransaction, postedOnly: boolean): boolean {
  const atMs = instantOf(row.at);
  return (
    atMs >= (asked.from?.getTime() ?? -Infinity) &&
    atMs < (asked.to?.getTime() ?? Infinity) &&
    (asked.direction === undefined || row.amount.minorUnits < 0n === (asked.direction === 'debit')) &&
    (row.status === 'booked' || (asked.status === undefined && !postedOnly))
  );
}
