/** The sum of the reads of one request. */
export interface ReadTally {
  /** The names of the cores that were asked, with commas between them. */
  core: string;
  /** How long the request waited for them, in milliseconds. Reads of several cores run side by side. */
  coreMs: number;
  badRecords: number;
}

/** Adds the time of a read that is over. @returns the time in milliseconds */
export function tookFrom(startedMs: number, tally: ReadTally | undefined): number {
  const ms = performance.now() - startedMs;
  if (tally !== undefined) tally.coreMs = Math.max(tally.coreMs, ms);
  return ms;
}

/** Adds the time until the read is over. */
export function timed<T>(tally: ReadTally | undefined, read: Promise<T>): Promise<T> {
  const startedMs = performance.now();
  return read.finally(() => tookFrom(startedMs, tally));
}
