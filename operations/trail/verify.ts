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
  /** Dropped days of which a folder still has segments: the retention did not run on that machine yet, or was cut off. */
  readonly stillHere: readonly string[];
  /** Events that could not be written, as the trail itself says. */
  readonly lost: number;
}

/** Compares the segments in the folders with the chain of roots. */
export async function verify(folders: readonly string[], roots: RootRecords, keys: PublicKeys): Promise<Verdict> {
  const { records } = roots;
  const dropped = new Set(records.flatMap((record) => ('dropped' in record ? [record.dropped] : [])));
  const listed = (await Promise.all(folders.map(listSegments))).flat();
  const segments = listed.filter(({ day }) => !dropped.has(day));
  // The days of a machine that was away at the drop got some of their roots after it.
  const covered = new Map(
    records.flatMap((record) =>
      'segment' in record && !dropped.has(record.day) ? [[record.segment, record] as const] : [],
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
    droppedDays: [...dropped].sort(),
    stillHere: [...new Set(listed.flatMap(({ day }) => (dropped.has(day) ? [day] : [])))].sort(),
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
