import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The size of all files below the folder whose names have this ending. */
export async function bytesIn(folder: string, ending: '.ndjson' | '.parquet'): Promise<number> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(ending));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** `sorted` in rising order; NaN when it is empty. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle] as number;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** Columns as wide as their content; the first to the left, the others to the right. */
export function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  return ['', title, ...[head, widths.map((width) => '-'.repeat(width)), ...rows].map((row) => `  ${line(row)}`)].join(
    '\n',
  );
}

export interface Goal {
  readonly name: string;
  readonly wanted: string;
  readonly measured: string;
  readonly reached: boolean;
}

/** By the median of the ratios round by round, because other work on the machine slows both sides of a round. */
export function atMostRatio(name: string, ours: readonly number[], theirs: readonly number[], limit: number): Goal {
  const ratios = ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
  const range = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)).join('-');
  const measured = `${median(ratios).toFixed(2)} (${range})`;
  return { name, wanted: `<= ${limit}`, measured, reached: median(ratios) <= limit };
}

export function atMost(name: string, value: number, limit: number, unit = '', digits = 0): Goal {
  const [wanted, measured] = [`<= ${limit}`, value.toFixed(digits)].map((text) => `${text} ${unit}`.trimEnd());
  return { name, wanted: wanted as string, measured: measured as string, reached: value <= limit };
}

/** The medians of the figures of rounds, as cells of a table. */
export function medians<Figure extends string>(
  rounds: readonly Readonly<Record<Figure, number>>[],
  figures: readonly Figure[],
  digits: number,
): string[] {
  return figures.map((figure) => median(rounds.map((round) => round[figure])).toFixed(digits));
}
