import type { ChainRecord } from '../../src/trail/root-record.js';

/** Days of which the chain of roots says that not all segments are here. */
export interface DaysOfChain {
  /** By the retention. */
  readonly dropped: readonly string[];
  /** With a segment that the chain has, and the folders do not have. */
  readonly lacking: readonly string[];
}

/** @param present the names of the segments in the folders */
export function daysOfChain(records: readonly ChainRecord[], present: ReadonlySet<string>): DaysOfChain {
  const drops = records.flatMap((record) => ('dropped' in record ? [record] : []));
  const dropped = drops.map((record) => record.dropped);
  const lacking = records.flatMap((record) =>
    'segment' in record && !present.has(record.segment) && !dropped.includes(record.day) ? [record.day] : [],
  );
  return { dropped, lacking: [...new Set(lacking)] };
}
