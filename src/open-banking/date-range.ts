import { latestInstantMs } from './date-times.js';
import { OpenBankingError } from './errors.js';
import { parseQueryDateTime } from './iso8601.js';

/** The time range of a filter: both edges optional, `[fromMs, endMs)`. */
export interface DateRange {
  readonly fromMs?: number;
  /** The end of the unit that the upper edge names: `2026-05-02` covers the whole day. */
  readonly endMs?: number;
}

/** Reads a pair of filter parameters; each may come alone. Throws 400 with the parameter's name. */
export function readDateRange(query: Readonly<Record<string, unknown>>, from: string, to: string): DateRange {
  const start = readEdge(query, from);
  const end = readEdge(query, to);
  // `24:00` names an empty unit. A range that begins there is empty, and its edges are in the right order.
  if (start && end && start.startMs > end.startMs && start.startMs >= end.endMs)
    throw new OpenBankingError('field-date', {
      message: `${from} is later than ${to}.`,
      path: from,
      field: `query:${from}`,
      rule: 'order',
    });
  return { ...(start && { fromMs: start.startMs }), ...(end && { endMs: end.endMs }) };
}

function readEdge(query: Readonly<Record<string, unknown>>, name: string): ReturnType<typeof parseQueryDateTime> {
  const value = query[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string')
    throw new OpenBankingError('field-date', {
      message: `${name} is given more than once.`,
      path: name,
      field: `query:${name}`,
      rule: 'once',
    });
  const span = parseQueryDateTime(value);
  if (span === undefined)
    throw new OpenBankingError('field-date', {
      message: `${name} is not an ISO 8601 date or date-time, e.g. 2026-05-02 or 2026-05-02T09:30:00.`,
      path: name,
      field: `query:${name}`,
      rule: 'date',
    });
  return span;
}

/** The narrower of a filter and the consented history, whose upper edge is inclusive. */
export function limitedToHistory(
  range: DateRange,
  history: { readonly fromMs?: number; readonly toMs?: number },
): DateRange {
  const fromMs = Math.max(range.fromMs ?? -Infinity, history.fromMs ?? -Infinity);
  const endMs = Math.min(range.endMs ?? Infinity, history.toMs === undefined ? Infinity : history.toMs + 1);
  return { ...(fromMs > -Infinity && { fromMs }), ...(endMs <= latestInstantMs && { endMs }) };
}
