export const changeKinds = ['ADDITION', 'CHANGE', 'REMOVAL', 'CERTIFICATES'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** A change of the interface that the bank announces to TPPs. */
export interface AnnouncedChange {
  readonly id: string;
  /** When it takes effect; milliseconds since 1970. */
  readonly fromMs: number;
  readonly kind: ChangeKind;
  /** For TPPs: one line. */
  readonly text: string;
  /** An https address with more about it. */
  readonly link?: string;
}

const dayMs = 86_400_000;
/** So long TPPs see a change after it took effect: a TPP that finds another interface looks for the cause. */
export const shownAfterMs = 30 * dayMs;
/** A year that was mistyped must not show a change for ever. */
export const mostAheadMs = 3 * 366 * dayMs;

/** The reason why a change cannot be announced now. */
export function faultOfChange({ fromMs }: Pick<AnnouncedChange, 'fromMs'>, nowMs: number): string | undefined {
  if (fromMs + shownAfterMs <= nowMs) return 'The change took effect more than 30 days ago: no TPP would see it.';
  if (fromMs - nowMs > mostAheadMs) return 'The change takes effect more than three years from now.';
  return undefined;
}
