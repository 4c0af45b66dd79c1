import type { RecordContent } from '../../src/trail/root-record.js';

/** Days of which the chain of roots says that not all segments are here. */
export interface DaysOfChain {
  /** By the retention. */
  readonly dropped: readonly string[];
  /** With a segment that the chain has, and the folders do not have: also one that an operator recorded as lost. */
  readonly incomplete: readonly string[];
}

/** @param present the names of the segments in the folders */
export function daysOfChain(records: readonly RecordContent[], present: ReadonlySet<string>): DaysOfChain {
  const dropped = records.flatMap((record) => ('dropped' in record ? [record.dropped] : []));
  const incomplete = records.flatMap((record) =>
    'segment' in record && !present.has(record.segment) && !dropped.includes(record.day) ? [record.day] : [],
  );
  return { dropped: [...new Set(dropped)], incomplete: [...new Set(incomplete)] };
}
