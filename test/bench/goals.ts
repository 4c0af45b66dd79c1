import { median, table } from './figures.js';

export interface Goal {
  readonly name: string;
  readonly wanted: string;
  readonly measured: string;
  readonly reached: boolean;
}

const ratiosOf = (ours: readonly number[], theirs: readonly number[]): number[] =>
  ours.map((value, round) => value / (theirs[round] ?? Number.NaN));

/** The median of the ratios round by round, and their range. */
export function ratioText(ours: readonly number[], theirs: readonly number[]): string {
  const ratios = ratiosOf(ours, theirs);
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)})`;
}

/** By the median of the ratios round by round, because other work on the machine slows both sides of a round. */
export function atLeastRatio(name: string, ours: readonly number[], theirs: readonly number[], limit: number): Goal {
  const reached = median(ratiosOf(ours, theirs)) >= limit;
  return { name, wanted: `>= ${limit}`, measured: ratioText(ours, theirs), reached };
}

/** As {@link atLeastRatio}, for figures of which less is better. */
export function atMostRatio(name: string, ours: readonly number[], theirs: readonly number[], limit: number): Goal {
  const atLeast = atLeastRatio(name, ours, theirs, limit);
  return { ...atLeast, wanted: `<= ${limit}`, reached: median(ratiosOf(ours, theirs)) <= limit };
}

/** No goal if this system does not provide the value. */
export function atMost(name: string, value: number | undefined, limit: number, unit: string, digits = 0): Goal[] {
  if (value === undefined) return [];
  return [
    {
      name,
      wanted: `<= ${limit} ${unit}`.trimEnd(),
      measured: `${value.toFixed(digits)} ${unit}`.trimEnd(),
      reached: value <= limit,
    },
  ];
}

export function goalsTable(goals: readonly Goal[]): string {
  return table(
    'Goals: ratios are medians of the ratios round by round (and their range)',
    ['', 'wanted', 'measured', ''],
    goals.map(({ name, wanted, measured, reached }) => [name, wanted, measured, reached ? 'reached' : 'NOT REACHED']),
  );
}
