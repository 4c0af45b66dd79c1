import { RowFault } from '../../../packages/core-adapter/core-rows.js';

/** The parts that a frequency of each kind has; a month has one of two sets. */
const partsOf: Readonly<Record<string, readonly (readonly string[])[]>> = {
  day: [['interval']],
  'working-day': [[]],
  week: [['interval', 'weekday']],
  month: [
    ['weekOfMonth', 'weekday'],
    ['interval', 'day'],
  ],
  quarter: [['days']],
  other: [[]],
};

/** Leaves the parts out that the kind of frequency does not have. @throws RowFault where it lacks one that it has */
export function frequencyOf(parts: Readonly<Record<string, unknown>>, column: string): unknown {
  const names = partsOf[String(parts.every)]?.find((set) => set.every((name) => parts[name] !== undefined));
  if (names === undefined) throw new RowFault(column, 'not a frequency in whole numbers');
  return Object.fromEntries(['every', ...names].map((name) => [name, parts[name]]));
}
