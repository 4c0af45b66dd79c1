import { canonicalJson, recordHash, type ChainRecord, type SegmentRoot } from '../../src/trail/root-record.js';
import type { SegmentFile } from '../../src/trail/segment-files.js';
import { chainFaults, type TrailFault } from './chain.js';
import type { PublicKeys } from './public-keys.js';
import { recordFiles, type RootRecords } from './root-records.js';
import { listSegments } from './searched-trail.js';
import { factsOf, segmentFault } from './segment-check.js';

export interface Verdict {
  readonly faults: readonly TrailFault[];
  readonly source: RootRecords['source'];
  readonly records: number;
  /** To be noted outside: with it, a chain that was forged as a whole is found. */
  readonly last?: { readonly sequence: number; readonly hash: string };
  readonly instances: readonly string[];
  /** Under a root. */
  readonly events: number;
  /** Segments that no record covers yet: of processes that still write them, or while the database was away. */
  readonly notYet: readonly {
    readonly segment: string;
    readonly events: number;
    readonly state: SegmentFile['state'];
  }[];
  readonly droppedDays: readonly string[];
  /** Events that could not be written, as the trail itself says. */
  readonly lost: number;
}

/** Compares the segments in the folders with the chain of roots. */
export async function verify(folders: readonly string[], roots: RootRecords, keys: PublicKeys): Promise<Verdict> {
  const { records } = roots;
  const dropped = records.flatMap((record) => ('dropped' in record ? [record] : []));
  const droppedSegments = new Set(dropped.flatMap((record) => record.segments));
  // The retention may have recorded the drop and not removed every file yet.
  const segments = (await Promise.all(folders.map(listSegments)))
    .flat()
    .filter(({ segment }) => !droppedSegments.has(segment));
  const covered = new Map(
    records.flatMap((record) =>
      'segment' in record && !droppedSegments.has(record.segment) ? [[record.segment, record]] : [],
    ),
  );
  const checked = await checkSegments(segments, covered);
  return {
    faults: [
      ...roots.unreadable.map((path): TrailFault => ({ kind: 'unreadable', message: `${path} is no root record` })),
      ...chainFaults(records, keys),
      ...(roots.source === 'database' ? await differingFiles(folders, records) : []),
      ...missingSegments(covered, segments),
      ...checked.faults,
    ],
    source: roots.source,
    records: records.length,
    ...lastOf(records),
    instances: [...new Set(segments.map(({ instance }) => instance))].sort(),
    events: checked.events,
    notYet: checked.notYet,
    droppedDays: dropped.map((record) => record.dropped),
    lost: checked.lost,
  };
}

function lastOf(records: readonly ChainRecord[]): Pick<Verdict, 'last'> {
  const last = records.at(-1);
  return last === undefined ? {} : { last: { sequence: last.sequence, hash: recordHash(last) } };
}

async function checkSegments(segments: readonly SegmentFile[], covered: ReadonlyMap<string, SegmentRoot>) {
  const faults: TrailFault[] = [];
  const notYet: Verdict['notYet'][number][] = [];
  let [events, lost] = [0, 0];
  // One after the other: each keeps a processor busy.
  for (const file of segments) {
    const { segment, state } = file;
    const facts = await factsOf(file);
    lost += facts.lost;
    const record = covered.get(segment);
    if (record === undefined) {
      notYet.push({ segment, events: facts.events, state });
      if (facts.gap !== undefined) faults.push({ kind: 'changed', message: `${segment}: ${facts.gap}` });
      continue;
    }
    events += facts.events;
    const fault = segmentFault(record, facts);
    if (fault !== undefined) faults.push(fault);
  }
  return { faults, notYet, events, lost };
}

function missingSegments(covered: ReadonlyMap<string, SegmentRoot>, segments: readonly SegmentFile[]): TrailFault[] {
  const present = new Set(segments.map(({ segment }) => segment));
  const instances = new Set(segments.map(({ instance }) => instance));
  return [...covered.values()].flatMap(({ segment, instance }) => {
    if (present.has(segment)) return [];
    const hint = instances.has(instance)
      ? ''
      : '; no folder has a segment of its instance: name that machine’s with --trail';
    return { kind: 'missing', message: `${segment}: the segment is missing${hint}` };
  });
}

/** The files repeat the records of the database. Later ones than its last were written after it was read. */
async function differingFiles(folders: readonly string[], records: readonly ChainRecord[]): Promise<TrailFault[]> {
  const inDatabase = new Map(records.map((record) => [record.sequence, canonicalJson(record)]));
  const last = records.at(-1)?.sequence ?? 0;
  const files = await recordFiles(folders);
  return files.records.flatMap((record) => {
    if (record.sequence > last || inDatabase.get(record.sequence) === canonicalJson(record)) return [];
    const name = 'segment' in record ? record.segment : record.dropped;
    return {
      kind: 'forked',
      message: `${name}: the record in its file is not the record ${record.sequence} of the database`,
    };
  });
}
