import type { CycleRow } from '../ledger.records.js';
import { dayMs, dayOf, startOfDay, stampOf } from '../stamps.js';

/**
 * The last four monthly statement cycles of a card, the latest ended `endedDaysAgo` days ago. The core lists them in an
 * order of its choice: the latest stands neither first nor last.
 */
export function cardCycles(
  nowMs: number,
  endedDaysAgo: number,
  latest: { readonly owed: number; readonly least: number | '' },
): CycleRow[] {
  const cycle = (back: number): CycleRow => {
    const closedMs = startOfDay(nowMs) - (endedDaysAgo + back * 30) * dayMs;
    const { owed, least } = back === 0 ? latest : { owed: latest.owed + back * 1234, least: 2500 };
    return {
      opened: dayOf(closedMs - 29 * dayMs),
      closed: dayOf(closedMs),
      made: stampOf(closedMs + dayMs + 3 * 3_600_000),
      kind: 'REG',
      owed,
      least,
      payby: least === '' ? '' : dayOf(closedMs + 25 * dayMs),
    };
  };
  return [cycle(2), cycle(3), cycle(0), cycle(1)];
}
