import { readDateRange, type DateRange } from '../../open-banking/date-range.js';
import { OpenBankingError } from '../../open-banking/errors.js';
import { hasEnded, type PageCursor, type PageCursors } from '../../open-banking/page-cursor.js';
import { nearDates } from '../../endpoint/near-parameters.js';
import type { QueryScope } from '../../endpoint/endpoint-rule.js';
import type { HistoryFilter } from '../../request/request-context.js';

export const fromParameter = 'fromBookingDateTime';
export const toParameter = 'toBookingDateTime';
export const pageParameter = 'page';

/** Names that TPPs write by mistake. */
export const transactionNearMisses = {
  [fromParameter]: [
    ...nearDates.from,
    'fromBookingDate',
    'fromBookingDatetime',
    'bookingDateFrom',
    'bookingDateTimeFrom',
    'fromTransactionDate',
    'fromTransactionDateTime',
    'transactionFromDateTime',
  ],
  [toParameter]: [
    ...nearDates.to,
    'toBookingDate',
    'toBookingDatetime',
    'bookingDateTo',
    'bookingDateTimeTo',
    'toTransactionDate',
    'toTransactionDateTime',
    'transactionToDateTime',
  ],
  [pageParameter]: ['pageToken', 'pageKey', 'cursor', 'nextPage'],
};

export interface TransactionFilter extends HistoryFilter {
  readonly firstAskedAtMs: number;
  readonly range: DateRange;
  readonly nowMs: number;
  readonly page?: PageCursor;
  /** The filters as the TPP wrote them, for the links. */
  readonly given: readonly (readonly [name: string, value: string])[];
  /** Consent, account and filters: a cursor of another request is refused. */
  readonly boundTo: readonly string[];
}

export function readTransactionFilter(
  query: Readonly<Record<string, unknown>>,
  scope: QueryScope,
  cursors: PageCursors,
): TransactionFilter {
  const range = readDateRange(query, fromParameter, toParameter);
  const given = [fromParameter, toParameter].flatMap((name) => {
    const value = query[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const boundTo = [scope.consentId, scope.accountId, ...given.flat()];
  const page = readPage(query[pageParameter], boundTo, scope.nowMs, cursors);
  return {
    range,
    nowMs: scope.nowMs,
    given,
    boundTo,
    ...(page && { page }),
    ...(range.fromMs !== undefined && { fromMs: range.fromMs }),
    firstAskedAtMs: page?.firstAskedAtMs ?? scope.nowMs,
  };
}

function readPage(
  value: unknown,
  boundTo: readonly string[],
  nowMs: number,
  cursors: PageCursors,
): PageCursor | undefined {
  if (value === undefined) return undefined;
  const cursor = typeof value === 'string' ? cursors.open(value, boundTo) : undefined;
  if (cursor === undefined)
    throw pageFault(
      'page does not belong to this answer: follow its links unchanged, with the same consent, account and filters.',
    );
  if (hasEnded(cursor, nowMs))
    throw pageFault(
      'page has expired, a day after the first request of its answer: send the same request again, without page.',
    );
  return cursor;
}

function pageFault(message: string): OpenBankingError {
  return new OpenBankingError('field-invalid', {
    message,
    path: pageParameter,
    field: `query:${pageParameter}`,
    rule: 'link',
  });
}
