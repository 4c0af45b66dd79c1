/** An outage of the service that the bank announced before it begins. It lasts from `fromMs` until before `toMs`. */
export interface PlannedOutage {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly fromMs: number;
  readonly toMs: number;
  /** For TPPs: one line. */
  readonly text: string;
}

export const mostTextLength = 300;
/** A year that was mistyped must not show an outage for years. */
export const mostAheadMs = 366 * 86_400_000;

/** The reason why an outage cannot be planned now, and the member at fault. */
export function faultOfOutage(
  { fromMs, toMs }: Pick<PlannedOutage, 'fromMs' | 'toMs'>,
  nowMs: number,
): { message: string; path: 'from' | 'to' } | undefined {
  if (toMs <= fromMs) return { message: 'The outage ends before it begins, or at that moment.', path: 'to' };
  if (fromMs < nowMs)
    return { message: 'The outage begins in the past: plan one that begins later than now.', path: 'from' };
  if (toMs - nowMs > mostAheadMs) return { message: 'The outage ends more than 366 days from now.', path: 'to' };
  return undefined;
}

export function isUnderWay({ fromMs, toMs }: PlannedOutage, nowMs: number): boolean {
  return fromMs <= nowMs && nowMs < toMs;
}
