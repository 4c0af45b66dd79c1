import type { CoreFrequency } from '../../../../packages/core-adapter/core.records.js';
import { type Row, RowFault } from '../../../../packages/core-adapter/core-rows.js';
import { optionalTextOf } from '../../../../packages/core-adapter/row-fields.js';

export function optionalFrequency(row: Row): CoreFrequency | undefined {
  const rule = optionalTextOf(row, 'rule');
  return rule === undefined ? undefined : frequencyOf(rule);
}

/** `D<n>`, `WD`, `W<n>/<weekday>`, `M<n>/<day>`, `MW<week>/<weekday>`, `Q/E|S|R`, and words that the standard cannot express. */
export function frequencyOf(rule: string): CoreFrequency {
  const parts = /^(D|WD|W|MW|M|Q)(-?\d{1,3})?(?:\/(-?\d{1,2}|[ESR]))?$/.exec(rule);
  const [, every, first, second] = parts ?? [];
  const count = Number(first);
  const ordinal = Number(second);
  if (every === 'WD' && first === undefined && second === undefined) return { every: 'working-day' };
  if (every === 'D' && count > 0 && second === undefined) return { every: 'day', interval: count };
  if (every === 'W' && count > 0 && isWeekday(ordinal)) return { every: 'week', interval: count, weekday: ordinal };
  if (every === 'M' && count > 0 && isMonthDay(ordinal)) return { every: 'month', interval: count, day: ordinal };
  if (every === 'MW' && count > 0 && isWeekday(ordinal))
    return { every: 'month', weekOfMonth: count, weekday: ordinal };
  const quarterDays = every === 'Q' && first === undefined ? quarters[second ?? ''] : undefined;
  if (quarterDays !== undefined) return { every: 'quarter', days: quarterDays };
  if (inexpressible.includes(rule)) return { every: 'other' };
  throw new RowFault('rule', 'not a known rhythm');
}
const inexpressible: readonly string[] = ['EASTER'];
const quarters: Readonly<Record<string, 'english' | 'scottish' | 'received'>> = {
  E: 'english',
  S: 'scottish',
  R: 'received',
};
const isWeekday = (ordinal: number): boolean => ordinal >= 1 && ordinal <= 7;
const isMonthDay = (ordinal: number): boolean => (ordinal >= 1 && ordinal <= 31) || (ordinal >= -31 && ordinal <= -1);
